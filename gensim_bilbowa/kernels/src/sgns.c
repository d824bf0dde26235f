/* Skip-gram with negative sampling (Mikolov et al. 2013).
 *
 * With shared negatives the context words of a window share its targets, the centre word and its
 * noise words: window.h has the arithmetic. In word2vec's own update each context word draws its
 * own.
 */
#include "inputs.h"
#include "level.h"
#include "random.h"
#include "subsample.h"
#include "vectors.h"
#include "window.h"

typedef struct {
    bb_windows windows;                  /* separate(): `empty` is the gradient */
    bb_inputs inputs;
    int32_t *tokens;                     /* of the longest sentence */
} bb_workspace;

static int64_t carve_workspace(bb_workspace *w, uintptr_t start, const bb_params *params,
                               const bb_text *text, const bb_sgns_settings *settings)
{
    uintptr_t at = (start + 63) / 64 * 64;
    int64_t window = settings->window, longest = text->longest;
    int64_t contexts = longest < 2 * window ? longest : 2 * window;
    carve_windows(&w->windows, &at, !start, params->stride, settings->negative, contexts);
    carve_inputs(&w->inputs, &at, !start, params, longest < BB_COMPOSED ? longest : BB_COMPOSED);
    w->tokens = carve(&at, 4 * (longest + 1));
    return (int64_t)(at - start);
}

int64_t BB_NAME(bb_sgns_scratch)(const bb_params *params, const bb_text *text,
                                 const bb_sgns_settings *settings)
{
    bb_workspace workspace;
    return carve_workspace(&workspace, 0, params, text, settings) + 64;
}

/* The words around token i are the contexts. */
static void surround(const bb_inputs *inputs, bb_window *window, const bb_params *params,
                     const int32_t *tokens, int64_t i, int64_t n, int64_t reach)
{
    int64_t low = i > reach ? i - reach : 0;
    int64_t high = i + reach < n ? i + reach : n - 1;
    int contexts = 0;
    for (int64_t j = low; j <= high; j++) {
        window->context[contexts] = inputs->rows + inputs->places[j] * params->stride;
        window->lock[contexts] = lock_of(params, tokens[j]);
        contexts += j != i;
    }
    window->contexts = contexts;
}

static int64_t shared(bb_workspace *workspace, const bb_params *params,
                      const bb_sgns_settings *settings, const int32_t *tokens, int64_t n,
                      float alpha, uint64_t *random, bb_loss *loss, const volatile int32_t *stop)
{
    bb_windows *w = &workspace->windows;
    const bb_inputs *inputs = &workspace->inputs;
    int64_t examples = 0;
    int64_t fetched = 0;
    /* The next window is laid out while the dot products of this one are on their way. */
    for (int64_t i = -1; i < n && !*stop; i++) {
        bb_window *now = w->windows + (i & 1), *next = w->windows + ((i + 1) & 1);
        if (i >= 0)
            dots(w, now);
        int64_t j = i + 1;
        if (j < n) {
            int64_t c = j % DRAWS * w->targets, reach = settings->window;
            if (c == 0)
                draw(w, params, tokens + j, (int)(n - j < DRAWS ? n - j : DRAWS), random);
            for (; fetched < n && fetched <= j + settings->window + 1; fetched++)
                fetch_row(inputs->rows + inputs->places[fetched] * w->stride, w->stride);
            if (settings->shrink_windows)
                reach = 1 + bb_random_below(w->random[c], (uint32_t)settings->window);
            aim(w, next, params->outputs, w->drawn + c);
            surround(inputs, next, params, tokens, j, n, reach);
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
                        const int32_t *tokens, int64_t n, float alpha, uint64_t *random,
                        bb_loss *loss, const volatile int32_t *stop)
{
    int64_t examples = 0, stride = params->stride;
    float *gradient = w->windows.empty;
    for (int64_t i = 0; i < n && !*stop; i++) {
        int64_t reach = settings->window;
        if (settings->shrink_windows)
            reach = 1 + bb_random_below(bb_random(random), (uint32_t)settings->window);
        int64_t low = i > reach ? i - reach : 0;
        int64_t high = i + reach < n ? i + reach : n - 1;
        float *centre = params->outputs + tokens[i] * stride;
        for (int64_t j = low; j <= high; j++) {
            if (j == i)
                continue;
            float *x = w->inputs.rows + w->inputs.places[j] * stride;
            memset(gradient, 0, 4 * (size_t)stride);
            step(x, centre, gradient, stride, 1.0f, alpha, loss);
            for (int k = 0; k < settings->negative; k++) {
                int32_t noise = bb_random_noise(bb_random(random), params->noise,
                                                (uint32_t)params->rows);
                if (noise != tokens[i])
                    step(x, params->outputs + noise * stride, gradient, stride, -1.0f, alpha, loss);
            }
            examples++;
            float lock = lock_of(params, tokens[j]);
            if (lock == 0.0f)
                continue;
            for (int64_t d = 0; d < stride; d += BB_LANES)
                store(x + d, load(x + d) + load(gradient + d) * lock);
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
        for (int64_t at = 0, length; at < n; at += length) {
            const int32_t *tokens = workspace.tokens + at;
            length = params->ngrams && n - at > BB_COMPOSED ? BB_COMPOSED : n - at;
            if (length < 2)
                continue;
            compose(&workspace.inputs, params, tokens, length);
            result.examples += (settings->shared_negatives ? shared : separate)(
                &workspace, params, settings, tokens, length, alpha, &random, &loss, stop);
            scatter(&workspace.inputs, params);
        }
    }
    result.loss = loss.total + loss_of(loss.product, loss.linear);
    return result;
}
