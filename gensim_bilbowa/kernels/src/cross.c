/* Cross-lingual negative sampling: the words of a sentence predict each word of its translation.
 *
 * As in skip-gram with shared negatives (window.h), with the words of one side for contexts, and for
 * the word wanted each word of the other side in turn; then the other way round.
 */
#include "level.h"
#include "random.h"
#include "sides.h"
#include "vectors.h"
#include "window.h"

#define MOST BB_CROSS_CONTEXTS

typedef struct {
    bb_windows windows;
    bb_inputs a, b;
    int32_t *tokens;                     /* of the longest sentences of both sides, for two pairs */
} bb_workspace;

static int64_t carve_workspace(bb_workspace *w, uintptr_t start, const bb_params *params_a,
                               const bb_text *text_a, const bb_params *params_b,
                               const bb_text *text_b, int negative)
{
    uintptr_t at = (start + 63) / 64 * 64;
    carve_windows(&w->windows, &at, !start, params_a->stride, negative, MOST);
    carve_inputs(&w->a, &at, !start, params_a, text_a->longest);
    carve_inputs(&w->b, &at, !start, params_b, text_b->longest);
    w->tokens = carve(&at, 2 * 4 * (text_a->longest + text_b->longest + 2));
    return (int64_t)(at - start);
}

int64_t BB_NAME(bb_cross_scratch)(const bb_params *params_a, const bb_text *text_a,
                                  const bb_params *params_b, const bb_text *text_b, int negative)
{
    bb_workspace workspace;
    return carve_workspace(&workspace, 0, params_a, text_a, params_b, text_b, negative) + 64;
}

/* The words of a sentence are the contexts, or a stretch of it if they are too many. */
static void surround(bb_window *window, const bb_side *side, uint64_t random)
{
    const bb_params *params = side->params;
    const int32_t *tokens = side->tokens, *places = side->inputs->places;
    int64_t n = side->n;
    if (n > MOST) {
        int64_t first = bb_random_below(random, (uint32_t)(n - MOST + 1));
        tokens += first;
        places += first;
        n = MOST;
    }
    for (int64_t q = 0; q < n; q++) {
        window->context[q] = side->inputs->rows + places[q] * params->stride;
        window->lock[q] = lock_of(params, tokens[q]);
    }
    window->contexts = (int)n;
}

static int64_t predict(bb_windows *w, const bb_side *from, const bb_side *to, float alpha,
                       uint64_t *random, bb_loss *loss, const volatile int32_t *stop)
{
    const bb_params *params = to->params;
    int64_t n = to->n, examples = 0;
    /* The next window is laid out while the dot products of this one are on their way. */
    for (int64_t i = -1; i < n && !*stop; i++) {
        bb_window *now = w->windows + (i & 1), *next = w->windows + ((i + 1) & 1);
        if (i >= 0)
            dots(w, now);
        int64_t j = i + 1;
        if (j < n) {
            int64_t c = j % DRAWS * w->targets;
            if (c == 0)
                draw(w, params, to->tokens + j, (int)(n - j < DRAWS ? n - j : DRAWS), random);
            aim(w, next, params->outputs, w->drawn + c);
            surround(next, from, w->random[c]);
        }
        if (i >= 0) {
            errors(w, now, alpha, loss);
            update(w, now);
            examples += now->contexts;
        }
    }
    return examples;
}

bb_cross_result BB_NAME(bb_cross)(const bb_params *params_a, const bb_text *text_a,
                                  const bb_params *params_b, const bb_text *text_b, int negative,
                                  const int64_t *order, int64_t count, float alpha, uint64_t seed,
                                  void *scratch, const volatile int32_t *stop)
{
    bb_cross_result result = {0, 0, 0, 0, 0.0};
    bb_loss loss = {spread(1.0f), spread(0.0f), 0, 0.0};
    uint64_t random = seed;
    bb_workspace workspace;
    carve_workspace(&workspace, (uintptr_t)scratch, params_a, text_a, params_b, text_b, negative);
    int32_t *tokens = workspace.tokens;
    bb_side a = {params_a, text_a, &workspace.a, tokens, 0};
    bb_side b = {params_b, text_b, &workspace.b, tokens + text_a->longest + 1, 0};

    for (int64_t p = 0; p < count && !*stop; p++) {
        fetch_ids(text_a, order, p, count);
        fetch_ids(text_b, order, p, count);
        take(&a, order[p], &random);
        take(&b, order[p], &random);
        if (a.n == 0 || b.n == 0) {
            result.emptied++;
            continue;
        }
        compose(&workspace.a, params_a, a.tokens, a.n);
        compose(&workspace.b, params_b, b.tokens, b.n);
        result.examples += predict(&workspace.windows, &a, &b, alpha, &random, &loss, stop);
        result.examples += predict(&workspace.windows, &b, &a, alpha, &random, &loss, stop);
        scatter(&workspace.a, params_a);
        scatter(&workspace.b, params_b);
        result.pairs++;
        result.words += a.n + b.n;
    }
    result.loss = loss.total + loss_of(loss.product, loss.linear);
    return result;
}
