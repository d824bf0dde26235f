/* The steps of the level that is being compiled, under names of its own. */
#ifndef BILBOWA_LEVEL_H
#define BILBOWA_LEVEL_H

#include "bilbowa.h"
#include "vectors.h"

/* The factor on updates of a word's vector; without a division where all have one. */
BB_INLINE float lock_of(const bb_params *params, int32_t word)
{
    return params->lockf[params->lockf_len == 1 ? 0 : word % params->lockf_len];
}

bb_text_scratch BB_NAME(bb_text_scratch);
bb_text_step BB_NAME(bb_text_step);
bb_pairs_scratch BB_NAME(bb_pairs_scratch);
bb_pairs BB_NAME(bb_pairs);
bb_best BB_NAME(bb_best);
bb_largest BB_NAME(bb_largest);

#endif
