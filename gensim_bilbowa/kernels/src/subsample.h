/* The tokens of one sentence that survive subsampling. */
#ifndef BILBOWA_SUBSAMPLE_H
#define BILBOWA_SUBSAMPLE_H

#include "bilbowa.h"
#include "random.h"

static inline int64_t bb_subsample(const bb_text *text, int64_t sentence, int32_t *tokens,
                                   uint64_t *random)
{
    int64_t n = 0;
    uint64_t state = *random;
    for (int64_t i = text->offsets[sentence]; i < text->offsets[sentence + 1]; i++) {
        int32_t word = text->ids[i];
        tokens[n] = word;
        n += (uint32_t)(bb_random(&state) >> 32) <= text->keep[word];
    }
    *random = state;
    return n;
}

#endif
