/* Windows with shared targets: some rows that predict one word.
 *
 * The c rows of a window, mostly those of context words, share its targets: the word wanted and its
 * noise words, or the nodes on the way to it in the tree of hierarchical softmax. So a window is
 * three small matrix products: contexts by targets are the dot products, and the errors made of
 * those, by either side, are the moves of the other. Each is done in tiles that stay in registers.
 * What bounds them is loads and stores as much as arithmetic, so a tile is two contexts by
 * BB_TARGETS targets, and the moves go BB_DEPTH vectors deep.
 */
#ifndef BILBOWA_WINDOW_H
#define BILBOWA_WINDOW_H

#include <math.h>
#include <string.h>

#ifdef __AVX512CD__
#include <immintrin.h>
#endif

#include "level.h"
#include "random.h"
#include "vectors.h"

#define TILE (2 * BB_TARGETS)            /* dots of a tile: the first context's, the second's */
#define DRAWS 32                         /* windows whose random numbers are drawn at once */
#define FLUSH 96                         /* factors below 2 whose product is still a float */

/* Rows and places of one window. */
typedef struct {
    int64_t centre, first, last;         /* places in the sentence; the context is all but centre */
    int64_t next;                        /* the first place whose word has not been taken yet */
    int contexts;
    float **context;                     /* contexts: the rows that predict */
    float **moved;                       /* contexts: the rows that are moved for them */
    float *lock;                         /* contexts: factors on their updates */
    int blocks;                          /* of BB_TARGETS targets */
    float **target;                      /* blocks x BB_TARGETS */
    /* blocks x 3 x BB_TARGETS: 1 or -1, as the target should be, 0 for one left out; twice, for
     * both contexts of a tile, then zeros, for a tile that has one context only. */
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
    int targets;                         /* words of negative sampling in a window: all, or none */
    int draws;                           /* random numbers of a window */
    int64_t stride;
    float *empty;                        /* a row of zeros */
    bb_window windows[2];
    float *errors;                       /* pairs of contexts x blocks x TILE */
    float *gradient;                     /* contexts x BB_DEPTH vectors */
    uint64_t *random;                    /* DRAWS x draws */
    int32_t *drawn;                      /* DRAWS x draws, and room for a vector */
} bb_windows;

/* Make windows of up to so many contexts in scratch, from *at on; with *at = 0 count bytes only. */
BB_INLINE void carve_windows(bb_windows *w, uintptr_t *at, int counting, const bb_params *params,
                             int negative, int64_t contexts)
{
    contexts += 2;
    w->targets = negative ? negative + 1 : 0;
    w->draws = negative + 1;
    w->stride = params->stride;
    int64_t most = w->targets + (params->nodes ? params->longest_path : 0);
    most = (most + BB_TARGETS - 1) / BB_TARGETS * BB_TARGETS;
    w->empty = carve(at, 4 * w->stride);
    for (int i = 0; i < 2; i++) {
        w->windows[i].context = carve(at, contexts * (int64_t)sizeof(float *));
        w->windows[i].lock = carve(at, 4 * contexts);
        w->windows[i].target = carve(at, most * (int64_t)sizeof(float *));
        w->windows[i].sign = carve(at, 4 * 3 * most);
    }
    w->errors = carve(at, 4 * most * contexts);
    w->gradient = carve(at, 4 * contexts * BB_DEPTH * BB_LANES);
    w->random = carve(at, 8 * DRAWS * (int64_t)w->draws);
    w->drawn = carve(at, 4 * (DRAWS * (int64_t)w->draws + BB_LANES));
    if (counting)
        return;
    memset(w->empty, 0, 4 * (size_t)w->stride);
    for (int i = 0; i < 2; i++)
        memset(w->windows[i].sign, 0, 4 * 3 * (size_t)most);
}

BB_APART double loss_of(vec product, vec linear)
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

/* The words of negative sampling of n windows, the first of each its word wanted, and the random
 * numbers that they were drawn by, of which the first of each window is left to the caller. */
static void draw(bb_windows *w, const bb_params *params, const int32_t *wanted, int n,
                 uint64_t *state)
{
    int draws = w->draws, total = n * draws;
    uint64_t *restrict random = w->random;
    int32_t *restrict drawn = w->drawn;
    uint64_t start = *state;
    for (int i = 0; i < total; i++)
        random[i] = bb_random_mix(start + BB_RANDOM_STEP * (uint64_t)(i + 1));
    *state = start + BB_RANDOM_STEP * (uint64_t)total;
    if (w->targets)
        for (int i = 0; i < total; i++)
            drawn[i] = bb_random_noise(random[i], params->noise, (uint32_t)params->rows);
    for (int i = 0; i < n; i++)
        drawn[i * draws] = wanted[i];
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

BB_INLINE void set_target(bb_window *window, unsigned at, float *row, float sign)
{
    float *signs = window->sign + at / BB_TARGETS * 3 * BB_TARGETS + at % BB_TARGETS;
    window->target[at] = row;
    signs[0] = signs[BB_TARGETS] = sign;
}

/* Lay out the targets of a window, and fetch their rows; drawn: its word wanted, then noise. */
static void aim(const bb_windows *w, bb_window *window, const bb_params *params,
                const int32_t *drawn)
{
    int64_t stride = w->stride;
    float *outputs = params->outputs;
    unsigned at = 0;
    for (int k = 0; k < w->targets; k += BB_LANES) {
        int32_t left_out[BB_LANES] __attribute__((aligned(4 * BB_LANES)));
        *(ivec *)left_out = repeated(drawn, k);
        int n_lanes = w->targets - k < BB_LANES ? w->targets - k : BB_LANES;
        for (int l = 0; l < n_lanes; l++, at++) {
            float *row = outputs + drawn[at] * stride;
            /* A target counts once: updates of a window add up, and could overshoot. */
            set_target(window, at, left_out[l] ? w->empty : row, left_out[l] ? 0.0f : -1.0f);
            fetch_row(row, stride);
        }
    }
    if (at)
        window->sign[0] = window->sign[BB_TARGETS] = 1.0f;
    if (params->nodes)
        for (int64_t p = params->paths[*drawn]; p < params->paths[*drawn + 1]; p++, at++) {
            float *row = params->nodes + params->path_nodes[p] * stride;
            set_target(window, at, row, params->path_signs[p]);
            fetch_row(row, stride);
        }
    for (; at % BB_TARGETS; at++)
        set_target(window, at, w->empty, 0.0f);
    window->blocks = (int)(at / BB_TARGETS);
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
BB_APART void dots(const bb_windows *w, const bb_window *window)
{
    int64_t step = (int64_t)window->blocks * TILE;
    for (int b = 0; b < window->blocks; b++) {
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
BB_INLINE void errors(const bb_windows *w, const bb_window *window, float alpha, bb_loss *loss)
{
    vec product = loss->product, linear = loss->linear; /* in registers */
    int factors = loss->factors;
    float *at = w->errors;
    for (int q = 0; q < window->contexts; q += 2) {
        const float *signs = window->sign + (q + 1 < window->contexts ? 0 : BB_TARGETS);
        for (int b = 0; b < window->blocks; b++, signs += 3 * BB_TARGETS, at += TILE) {
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
BB_INLINE void update_columns(const bb_windows *w, const bb_window *window, int64_t d,
                              const int depth)
{
    int contexts = window->contexts, q;
    float *const *context = window->context, *const *moved = window->moved;
    int64_t step = (int64_t)window->blocks * TILE;
    for (int b = 0; b < window->blocks; b++) {
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
    for (q = 0; q < contexts; q++, gradient += depth * BB_LANES) {
        if (window->lock[q] == 0.0f)
            continue;
        BB_UNROLL
        for (int j = 0; j < depth; j++) {
            float *x = moved[q] + d + j * BB_LANES;
            store(x, load(x) + load(gradient + j * BB_LANES) * window->lock[q]);
        }
    }
}

BB_APART void update(const bb_windows *w, const bb_window *window)
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

#endif
