/* Skip-gram with negative sampling (Mikolov et al. 2013).
 *
 * The c context words of a window share its targets, the centre word and its noise words. So a
 * window is three small matrix products: contexts by targets are the dot products, and the errors
 * made of those, by either side, are the moves of the other. Each is done in tiles that stay in
 * registers. What bounds them is loads and stores as much as arithmetic, so a tile is two contexts
 * by BB_TARGETS targets, and the moves go BB_DEPTH vectors deep.
 */
#include <math.h>
#include <string.h>

#ifdef __AVX512CD__
#include <immintrin.h>
#endif

#include "level.h"
#include "random.h"
#include "subsample.h"
#include "vectors.h"

#define TILE (2 * BB_TARGETS)            /* dots of a tile: the first context's, the second's */
#define CENTRES 32                       /* centre words whose random numbers are drawn at once */
#define FLUSH 96                         /* factors below 2 whose product is still a float */

/* Rows and places of one window. */
typedef struct {
    int contexts;
    float **context;                     /* contexts */
    float *lock;                         /* contexts: factors on their updates */
    float **target;                      /* blocks x BB_TARGETS */
    /* blocks x 3 x BB_TARGETS: 1 for the centre word, -1 for noise, 0 for a target left out; twice,
     * for both contexts of a tile, then zeros, for a tile that has one context only. */
    float *sign;
} bb_window;

/* Sum over examples of log(1 + exp(-|z|)) + max(-z, 0), in parts that cost little to add to. */
typedef struct {
    vec product;                         /* of 1 + exp(-|z|), lane by lane */
    vec linear;
    int factors;                         /* of the product */
    double total;
} bb_loss;

typedef struct {
    int blocks;                          /* of BB_TARGETS targets */
    int targets;
    int64_t stride;
    float *empty;                        /* shared(): a row of zeros; separate(): the gradient */
    bb_window windows[2];
    float *errors;                       /* pairs of contexts x blocks x TILE */
    float *gradient;                     /* contexts x BB_DEPTH vectors */
    uint64_t *random;                    /* CENTRES x targets */
    int32_t *drawn;                      /* CENTRES x targets, and room for a vector */
    int32_t *reach;                      /* CENTRES */
    int32_t *tokens;                     /* of the longest sentence */
} bb_workspace;

static int64_t carve_workspace(bb_workspace *w, uintptr_t start, const bb_params *params,
                               const bb_text *text, const bb_sgns_settings *settings)
{
    uintptr_t at = (start + 63) / 64 * 64;
    int64_t window = settings->window, longest = text->longest;
    int64_t contexts = (longest < 2 * window ? longest : 2 * window) + 2;
    w->targets = settings->negative + 1;
    w->blocks = (w->targets + BB_TARGETS - 1) / BB_TARGETS;
    w->stride = params->stride;
    int64_t padded = (int64_t)w->blocks * BB_TARGETS;
    w->empty = carve(&at, 4 * w->stride);
    for (int i = 0; i < 2; i++) {
        w->windows[i].context = carve(&at, contexts * (int64_t)sizeof(float *));
        w->windows[i].lock = carve(&at, 4 * contexts);
        w->windows[i].target = carve(&at, padded * (int64_t)sizeof(float *));
        w->windows[i].sign = carve(&at, 4 * 3 * padded);
    }
    w->errors = carve(&at, 4 * padded * contexts);
    w->gradient = carve(&at, 4 * contexts * BB_DEPTH * BB_LANES);
    w->random = carve(&at, 8 * CENTRES * (int64_t)w->targets);
    w->drawn = carve(&at, 4 * (CENTRES * (int64_t)w->targets + BB_LANES));
    w->reach = carve(&at, 4 * CENTRES);
    w->tokens = carve(&at, 4 * (longest + 1));
    if (start) {
        memset(w->empty, 0, 4 * (size_t)w->stride);
        for (int i = 0; i < 2; i++) {
            memset(w->windows[i].sign, 0, 4 * 3 * (size_t)padded);
            for (int64_t k = w->targets; k < padded; k++)
                w->windows[i].target[k] = w->empty;
        }
    }
    return (int64_t)(at - start);
}

int64_t BB_NAME(bb_sgns_scratch)(const bb_params *params, const bb_text *text,
                                 const bb_sgns_settings *settings)
{
    bb_workspace workspace;
    return carve_workspace(&workspace, 0, params, text, settings) + 64;
}

static __attribute__((noinline)) double loss_of(vec product, vec linear)
{
    double total = 0.0;
    for (int i = 0; i < BB_LANES; i++)
        total += log((double)product[i]) + (double)linear[i];
    return total;
}

/* Take note of so many more factors, and of the product's logarithm before it grows too large. */
BB_INLINE void count_factors(int more, vec *product, vec *linear, int *factors, double *total)
{
    *factors += more;
    if (*factors < FLUSH)
        return;
    *total += loss_of(*product, *linear);
    *product = spread(1.0f);
    *linear = spread(0.0f);
    *factors = 0;
}

/* sigma(-z), the size of the error; present: lanes that count for the loss. */
BB_INLINE vec error_and_loss(vec z, ivec present, vec *product, vec *linear)
{
    vec size = (vec)((ivec)z & 0x7fffffff);
    vec e = exp_minus(size);
    ivec right = z >= 0.0f;
    *product *= 1.0f + (vec)(present & (ivec)e);
    *linear += (vec)(present & ~right & (ivec)size);
    return choose(right, e, spread(1.0f)) / (1.0f + e);
}

/* ---- shared negatives */

/* The random numbers of n centre words: one for the reach, then one for each noise word. */
static void draw(bb_workspace *w, const bb_params *params, const bb_sgns_settings *settings,
                 const int32_t *centres, int n, uint64_t *state)
{
    int targets = w->targets, total = n * targets;
    uint64_t *restrict random = w->random;
    int32_t *restrict drawn = w->drawn;
    uint64_t start = *state;
    for (int i = 0; i < total; i++)
        random[i] = bb_random_mix(start + BB_RANDOM_STEP * (uint64_t)(i + 1));
    *state = start + BB_RANDOM_STEP * (uint64_t)total;
    for (int i = 0; i < total; i++)
        drawn[i] = bb_random_noise(random[i], params->noise, (uint32_t)params->rows);
    for (int i = 0; i < n; i++) {
        drawn[i * targets] = centres[i];
        w->reach[i] = settings->window;
        if (settings->shrink_windows)
            w->reach[i] = 1 + (int)bb_random_below(random[i * targets], (uint32_t)settings->window);
    }
}

/* All ones where a target stands before in its row. What lies beyond the row's end is not used. */
BB_INLINE ivec repeated(const int32_t *drawn, int k)
{
    ivec own = *(const loose_ivec *)(drawn + k);
#ifdef __AVX512CD__
    ivec found = (ivec)_mm512_conflict_epi32((__m512i)own) != 0;
#else
    ivec found = {0}, lane;
    for (int i = 0; i < BB_LANES; i++)
        lane[i] = i;
    for (int e = 0; e < BB_LANES - 1; e++)
        found |= (own == drawn[k + e]) & (lane > e);
#endif
    for (int e = 0; e < k; e++)
        found |= own == drawn[e];
    return found;
}

/* Lay out the window of token i, and fetch its rows. */
static void prepare(bb_workspace *w, bb_window *window, const bb_params *params, const int32_t *drawn,
                    int64_t i, int64_t n, int64_t reach)
{
    int64_t stride = w->stride;
    const int32_t *tokens = w->tokens;
    for (int k = 0; k < w->targets; k += BB_LANES) {
        int32_t left_out[BB_LANES] __attribute__((aligned(4 * BB_LANES)));
        *(ivec *)left_out = repeated(drawn, k);
        int n_lanes = w->targets - k < BB_LANES ? w->targets - k : BB_LANES;
        for (int l = 0; l < n_lanes; l++) {
            int at = k + l;
            float *row = params->outputs + drawn[at] * stride;
            float *sign = window->sign + at / BB_TARGETS * 3 * BB_TARGETS + at % BB_TARGETS;
            /* A target counts once: updates of a window add up, and could overshoot. */
            window->target[at] = left_out[l] ? w->empty : row;
            sign[0] = sign[BB_TARGETS] = left_out[l] ? 0.0f : -1.0f;
            fetch_row(row, stride);
        }
    }
    window->sign[0] = window->sign[BB_TARGETS] = 1.0f;

    int64_t low = i > reach ? i - reach : 0;
    int64_t high = i + reach < n ? i + reach : n - 1;
    int contexts = 0;
    for (int64_t j = low; j <= high; j++) {
        window->context[contexts] = params->vectors + tokens[j] * stride;
        window->lock[contexts] = lock_of(params, tokens[j]);
        contexts += j != i;
    }
    window->contexts = contexts;
}

BB_INLINE void dots_of_tile(float *const *target, const float *x, const float *y, int64_t stride,
                            float *out, const int contexts)
{
    vec dot[TILE];
    BB_UNROLL
    for (int k = 0; k < TILE; k++)
        dot[k] = spread(0.0f);
    const float *t[BB_TARGETS];
    BB_UNROLL
    for (int k = 0; k < BB_TARGETS; k++)
        t[k] = target[k];
    for (int64_t d = 0; d < stride; d += BB_LANES) {
        vec u = load(x + d), v = contexts == 2 ? load(y + d) : spread(0.0f);
        BB_UNROLL
        for (int k = 0; k < BB_TARGETS; k++) {
            vec row = load(t[k] + d);
            dot[k] += u * row;
            if (contexts == 2)
                dot[BB_TARGETS + k] += v * row;
        }
    }
    BB_UNROLL
    for (int k = 0; k < TILE; k += BB_LANES)
        store(out + k, sums(dot + k));
}

/* Dot products of all contexts and targets. */
static void dots(const bb_workspace *w, const bb_window *window)
{
    int64_t step = (int64_t)w->blocks * TILE;
    for (int b = 0; b < w->blocks; b++) {
        float *const *target = window->target + b * BB_TARGETS;
        float *out = w->errors + b * TILE;
        int q = 0;
        for (; q + 1 < window->contexts; q += 2, out += step)
            dots_of_tile(target, window->context[q], window->context[q + 1], w->stride, out, 2);
        if (q < window->contexts)
            dots_of_tile(target, window->context[q], NULL, w->stride, out, 1);
    }
}

/* Dot products to errors, alpha * (label - sigma(dot)), in place. */
static void errors(const bb_workspace *w, const bb_window *window, float alpha, bb_loss *loss)
{
    vec product = loss->product, linear = loss->linear; /* in registers */
    int factors = loss->factors;
    float *at = w->errors;
    for (int q = 0; q < window->contexts; q += 2) {
        const float *signs = window->sign + (q + 1 < window->contexts ? 0 : BB_TARGETS);
        for (int b = 0; b < w->blocks; b++, signs += 3 * BB_TARGETS, at += TILE) {
            BB_UNROLL
            for (int k = 0; k < TILE; k += BB_LANES) {
                vec sign = *(const loose_vec *)(signs + k);
                vec size = error_and_loss(load(at + k) * sign, sign != 0.0f, &product, &linear);
                store(at + k, alpha * sign * size);
            }
            count_factors(TILE / BB_LANES, &product, &linear, &factors, &loss->total);
        }
    }
    loss->product = product;
    loss->linear = linear;
    loss->factors = factors;
}

/* gradient (+)= errors * targets, of one or two contexts; first: of the first block. */
BB_INLINE void gradient_of_tile(const vec *t, const float *e, float *gradient, int first,
                                const int depth, const int contexts)
{
    vec g[2 * BB_DEPTH];
    BB_UNROLL
    for (int j = 0; j < contexts * depth; j++)
        g[j] = first ? spread(0.0f) : load(gradient + j * BB_LANES);
    BB_UNROLL
    for (int k = 0; k < BB_TARGETS; k++)
        BB_UNROLL
        for (int j = 0; j < depth; j++) {
            g[j] += t[k * depth + j] * e[k];
            if (contexts == 2)
                g[depth + j] += t[k * depth + j] * e[BB_TARGETS + k];
        }
    BB_UNROLL
    for (int j = 0; j < contexts * depth; j++)
        store(gradient + j * BB_LANES, g[j]);
}

/* targets += errors * contexts, of one or two contexts. */
BB_INLINE void move_targets(vec *t, const float *e, const float *x, const float *y,
                            const int depth, const int contexts)
{
    vec u[BB_DEPTH], v[BB_DEPTH];
    BB_UNROLL
    for (int j = 0; j < depth; j++) {
        u[j] = load(x + j * BB_LANES);
        v[j] = contexts == 2 ? load(y + j * BB_LANES) : spread(0.0f);
    }
    BB_UNROLL
    for (int k = 0; k < BB_TARGETS; k++)
        BB_UNROLL
        for (int j = 0; j < depth; j++) {
            t[k * depth + j] += u[j] * e[k];
            if (contexts == 2)
                t[k * depth + j] += v[j] * e[BB_TARGETS + k];
        }
}

/* Both sides moved, in the columns from d on. */
BB_INLINE void update_columns(const bb_workspace *w, const bb_window *window, int64_t d,
                              const int depth)
{
    int contexts = window->contexts, q;
    float *const *context = window->context;
    int64_t step = (int64_t)w->blocks * TILE;
    for (int b = 0; b < w->blocks; b++) {
        float *const *target = window->target + b * BB_TARGETS;
        vec t[BB_TARGETS * BB_DEPTH];
        BB_UNROLL
        for (int k = 0; k < BB_TARGETS; k++)
            BB_UNROLL
            for (int j = 0; j < depth; j++)
                t[k * depth + j] = load(target[k] + d + j * BB_LANES);

        const float *e = w->errors + b * TILE;
        float *gradient = w->gradient;
        for (q = 0; q + 1 < contexts; q += 2, e += step, gradient += 2 * depth * BB_LANES)
            gradient_of_tile(t, e, gradient, b == 0, depth, 2);
        if (q < contexts)
            gradient_of_tile(t, e, gradient, b == 0, depth, 1);

        e = w->errors + b * TILE;
        for (q = 0; q + 1 < contexts; q += 2, e += step)
            move_targets(t, e, context[q] + d, context[q + 1] + d, depth, 2);
        if (q < contexts)
            move_targets(t, e, context[q] + d, NULL, depth, 1);

        BB_UNROLL
        for (int k = 0; k < BB_TARGETS; k++)
            BB_UNROLL
            for (int j = 0; j < depth; j++)
                store(target[k] + d + j * BB_LANES, t[k * depth + j]);
    }
    /* One after the other, and each loaded anew: a word can stand in a window twice. */
    const float *gradient = w->gradient;
    for (q = 0; q < contexts; q++)
        BB_UNROLL
        for (int j = 0; j < depth; j++, gradient += BB_LANES) {
            float *x = context[q] + d + j * BB_LANES;
            store(x, load(x) + load(gradient) * window->lock[q]);
        }
}

static void update(const bb_workspace *w, const bb_window *window)
{
    int64_t d = 0, left = w->stride / BB_LANES;
#if BB_DEPTH == 3
    /* A single vector's depth costs almost what two do: four are two and two. */
    for (; left >= 3 && left != 4; left -= 3, d += 3 * BB_LANES)
        update_columns(w, window, d, 3);
#endif
    for (; left >= 2; left -= 2, d += 2 * BB_LANES)
        update_columns(w, window, d, 2);
    if (left)
        update_columns(w, window, d, 1);
}

static int64_t shared(bb_workspace *w, const bb_params *params, const bb_sgns_settings *settings,
                      int64_t n, float alpha, uint64_t *random, bb_loss *loss,
                      const volatile int32_t *stop)
{
    int64_t examples = 0;
    int64_t fetched = 0;
    /* The next window is laid out while the dot products of this one are on their way. */
    for (int64_t i = -1; i < n && !*stop; i++) {
        bb_window *now = w->windows + (i & 1), *next = w->windows + ((i + 1) & 1);
        if (i >= 0)
            dots(w, now);
        int64_t j = i + 1;
        if (j < n) {
            int64_t c = j % CENTRES;
            if (c == 0)
                draw(w, params, settings, w->tokens + j, (int)(n - j < CENTRES ? n - j : CENTRES),
                     random);
            for (; fetched < n && fetched <= j + settings->window + 1; fetched++)
                fetch_row(params->vectors + w->tokens[fetched] * w->stride, w->stride);
            prepare(w, next, params, w->drawn + c * w->targets, j, n, w->reach[c]);
        }
        if (i >= 0) {
            errors(w, now, alpha, loss);
            update(w, now);
            examples += now->contexts;
        }
    }
    return examples;
}

/* ---- word2vec's own update */

/* One context word and one target: the error, added to the target and to the gradient. */
static void step(const float *x, float *target, float *gradient, int64_t stride, float sign,
                 float alpha, bb_loss *loss)
{
    vec dot = spread(0.0f);
    for (int64_t d = 0; d < stride; d += BB_LANES)
        dot += load(x + d) * load(target + d);
    ivec one = {-1};                     /* the same in all lanes, counted once */
    vec size = error_and_loss(spread(sum(dot) * sign), one, &loss->product, &loss->linear);
    float e = alpha * sign * size[0];
    count_factors(1, &loss->product, &loss->linear, &loss->factors, &loss->total);
    for (int64_t d = 0; d < stride; d += BB_LANES) {
        vec t = load(target + d);
        store(gradient + d, load(gradient + d) + t * e);
        store(target + d, t + load(x + d) * e);
    }
}

static int64_t separate(bb_workspace *w, const bb_params *params, const bb_sgns_settings *settings,
                        int64_t n, float alpha, uint64_t *random, bb_loss *loss,
                        const volatile int32_t *stop)
{
    int64_t examples = 0, stride = w->stride;
    float *gradient = w->empty;
    for (int64_t i = 0; i < n && !*stop; i++) {
        int64_t reach = settings->window;
        if (settings->shrink_windows)
            reach = 1 + bb_random_below(bb_random(random), (uint32_t)settings->window);
        int64_t low = i > reach ? i - reach : 0;
        int64_t high = i + reach < n ? i + reach : n - 1;
        float *centre = params->outputs + w->tokens[i] * stride;
        for (int64_t j = low; j <= high; j++) {
            if (j == i)
                continue;
            float *x = params->vectors + w->tokens[j] * stride;
            memset(gradient, 0, 4 * (size_t)stride);
            step(x, centre, gradient, stride, 1.0f, alpha, loss);
            for (int k = 0; k < settings->negative; k++) {
                int32_t noise = bb_random_noise(bb_random(random), params->noise,
                                                (uint32_t)params->rows);
                if (noise != w->tokens[i])
                    step(x, params->outputs + noise * stride, gradient, stride, -1.0f, alpha, loss);
            }
            float lock = lock_of(params, w->tokens[j]);
            for (int64_t d = 0; d < stride; d += BB_LANES)
                store(x + d, load(x + d) + load(gradient + d) * lock);
            examples++;
        }
    }
    return examples;
}

bb_sgns_result BB_NAME(bb_sgns)(const bb_params *params, const bb_text *text,
                                const bb_sgns_settings *settings, int64_t first, int64_t last,
                                float alpha, uint64_t seed, void *scratch,
                                const volatile int32_t *stop)
{
    bb_sgns_result result = {0, 0, 0.0};
    bb_loss loss = {spread(1.0f), spread(0.0f), 0, 0.0};
    uint64_t random = seed;
    bb_workspace workspace;
    carve_workspace(&workspace, (uintptr_t)scratch, params, text, settings);
    for (int64_t s = first; s < last && !*stop; s++) {
        int64_t n = bb_subsample(text, s, workspace.tokens, &random);
        result.words += n;
        if (n < 2)
            continue;
        result.examples += (settings->shared_negatives ? shared : separate)(
            &workspace, params, settings, n, alpha, &random, &loss, stop);
    }
    result.loss = loss.total + loss_of(loss.product, loss.linear);
    return result;
}
