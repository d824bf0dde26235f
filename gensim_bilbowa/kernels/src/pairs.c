/* The cross-lingual step: sentence means of a pair drawn together (paper, eq. xling-sentvec).
 *
 * The loss is a sum over dimensions, so each tile of columns is done from start to end while its
 * rows are in the first cache: sums, difference, clipped steps, moves.
 */
#include <stddef.h>

#include "inputs.h"
#include "level.h"
#include "subsample.h"
#include "vectors.h"

#define AHEAD 4                          /* pairs */
#define COLUMNS 8                        /* vectors of a tile */

/* The words of one side of a pair, after subsampling. */
typedef struct {
    const bb_params *params;
    const bb_text *text;
    bb_inputs *inputs;                   /* of `tokens`, once they are composed */
    int32_t *tokens;
    int64_t n;
} bb_side;

static void subsample_side(bb_side *side, int64_t pair, uint64_t *random)
{
    const bb_params *params = side->params;
    side->n = bb_subsample(side->text, pair, side->tokens, random);
    for (int64_t i = 0; i < side->n; i++)
        fetch_row(params->vectors + side->tokens[i] * params->stride, params->stride);
}

/* Call for the place of a later pair's ids, and for the ids of a pair that comes sooner: pairs are
 * shuffled, so each of the two would be a wait for the memory. Inline, since GCC drops calls of
 * functions that do nothing but prefetch. */
BB_INLINE void fetch_ids(const bb_text *text, const int64_t *order, int64_t p, int64_t count)
{
    if (p + 2 * AHEAD < count)
        __builtin_prefetch(text->offsets + order[p + 2 * AHEAD]);
    if (p + AHEAD < count) {
        int64_t from = text->offsets[order[p + AHEAD]], to = text->offsets[order[p + AHEAD] + 1];
        for (int64_t i = from; i < to && i < from + 8 * BB_ROW; i += BB_ROW)
            __builtin_prefetch(text->ids + i);
        if (to > from)
            __builtin_prefetch(text->ids + to - 1);
    }
}

BB_INLINE void mean_of_columns(const bb_side *side, int64_t d, vec *out, const int columns)
{
    BB_UNROLL
    for (int j = 0; j < columns; j++)
        out[j] = spread(0.0f);
    sum_columns(side->inputs, side->params->stride, 0, side->n, d, out, columns);
    float share = 1.0f / (float)side->n;
    BB_UNROLL
    for (int j = 0; j < columns; j++)
        out[j] *= share;
}

/* Each word's columns += sign * clip(rate * delta), as often as the word stands there. */
BB_INLINE void step_columns(const bb_side *side, int64_t d, const vec *delta, float rate, float clip,
                            float sign, const int columns)
{
    vec step[COLUMNS];
    BB_UNROLL
    for (int j = 0; j < columns; j++) {
        step[j] = rate * delta[j];
        step[j] = choose(step[j] > clip, spread(clip), step[j]);
        step[j] = choose(step[j] < -clip, spread(-clip), step[j]) * sign;
    }
    move_columns(side->inputs, side->params, side->tokens, 0, side->n, d, step, columns);
}

/* Returns the columns' part of || mean_a - mean_b ||^2. */
BB_INLINE vec draw_together(const bb_side *a, const bb_side *b, int64_t d, float rate_a, float rate_b,
                            float clip, const int columns)
{
    vec delta[COLUMNS], other[COLUMNS], loss = spread(0.0f);
    mean_of_columns(a, d, delta, columns);
    mean_of_columns(b, d, other, columns);
    BB_UNROLL
    for (int j = 0; j < columns; j++) {
        delta[j] -= other[j];
        loss += delta[j] * delta[j];
    }
    step_columns(a, d, delta, rate_a, clip, -1.0f, columns);
    step_columns(b, d, delta, rate_b, clip, 1.0f, columns);
    return loss;
}

typedef struct {
    bb_inputs a, b;
    int32_t *tokens;                     /* of the longest sentences of both sides, for two pairs */
} bb_workspace;

static int64_t carve_workspace(bb_workspace *w, uintptr_t start, const bb_params *params_a,
                               const bb_text *text_a, const bb_params *params_b,
                               const bb_text *text_b)
{
    uintptr_t at = (start + 63) / 64 * 64;
    carve_inputs(&w->a, &at, !start, params_a, text_a->longest);
    carve_inputs(&w->b, &at, !start, params_b, text_b->longest);
    w->tokens = carve(&at, 2 * 4 * (text_a->longest + text_b->longest + 2));
    return (int64_t)(at - start);
}

int64_t BB_NAME(bb_pairs_scratch)(const bb_params *params_a, const bb_text *text_a,
                                  const bb_params *params_b, const bb_text *text_b)
{
    bb_workspace workspace;
    return carve_workspace(&workspace, 0, params_a, text_a, params_b, text_b) + 64;
}

bb_pairs_result BB_NAME(bb_pairs)(const bb_params *params_a, const bb_text *text_a,
                                  const bb_params *params_b, const bb_text *text_b,
                                  const bb_pairs_settings *settings, const int64_t *order,
                                  int64_t count, float alpha, uint64_t seed, void *scratch,
                                  const volatile int32_t *stop)
{
    bb_pairs_result result = {0, 0, 0, 0.0};
    bb_workspace w;
    carve_workspace(&w, (uintptr_t)scratch, params_a, text_a, params_b, text_b);
    int32_t *tokens = w.tokens;
    int64_t room_a = text_a->longest + 1, room_b = text_b->longest + 1;
    bb_side sides[2][2] = {
        {{params_a, text_a, &w.a, tokens, 0}, {params_b, text_b, &w.b, tokens + room_a, 0}},
        {{params_a, text_a, &w.a, tokens + room_a + room_b, 0},
         {params_b, text_b, &w.b, tokens + 2 * room_a + room_b, 0}},
    };
    uint64_t random = seed;
    float all_a = alpha * settings->weight_a, all_b = alpha * settings->weight_b;
    float clip = settings->clip;
    const int64_t tile = COLUMNS * BB_LANES;

    /* The words of the next pair are on their way to the cache while this one is done. */
    for (int64_t p = -1; p < count && !*stop; p++) {
        bb_side *a = &sides[p & 1][0], *b = &sides[p & 1][1];
        fetch_ids(text_a, order, p, count);
        fetch_ids(text_b, order, p, count);
        if (p + 1 < count) {
            subsample_side(&sides[(p + 1) & 1][0], order[p + 1], &random);
            subsample_side(&sides[(p + 1) & 1][1], order[p + 1], &random);
        }
        if (p < 0)
            continue;
        if (a->n == 0 || b->n == 0) {
            result.emptied++;
            continue;
        }
        compose(&w.a, params_a, a->tokens, a->n);
        compose(&w.b, params_b, b->tokens, b->n);
        float rate_a = settings->exact ? all_a * 2.0f / (float)a->n : all_a;
        float rate_b = settings->exact ? all_b * 2.0f / (float)b->n : all_b;
        vec loss = spread(0.0f);
        int64_t d = 0;
        for (; d + tile <= params_a->stride; d += tile)
            loss += draw_together(a, b, d, rate_a, rate_b, clip, COLUMNS);
        for (; d + 2 * BB_LANES <= params_a->stride; d += 2 * BB_LANES)
            loss += draw_together(a, b, d, rate_a, rate_b, clip, 2);
        if (d < params_a->stride)
            loss += draw_together(a, b, d, rate_a, rate_b, clip, 1);
        scatter(&w.a, params_a);
        scatter(&w.b, params_b);

        result.pairs++;
        result.words += a->n + b->n;
        result.loss += (double)sum(loss);
    }
    return result;
}
