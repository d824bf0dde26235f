/* The two sides of sentence pairs, fetched before they are needed. */
#ifndef BILBOWA_SIDES_H
#define BILBOWA_SIDES_H

#include "inputs.h"
#include "level.h"
#include "subsample.h"

#define AHEAD 4                          /* pairs */

/* The words of one side of a pair, after subsampling. */
typedef struct {
    const bb_params *params;
    const bb_text *text;
    bb_inputs *inputs;                   /* of `tokens`, once they are composed */
    int32_t *tokens;
    int64_t n;
} bb_side;

static void take(bb_side *side, int64_t pair, uint64_t *random)
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

#endif
