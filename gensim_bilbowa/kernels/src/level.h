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

int64_t BB_NAME(bb_text_scratch)(const bb_params *params, const bb_text *text,
                                 const bb_text_settings *settings);
bb_text_result BB_NAME(bb_text_step)(const bb_params *params, const bb_text *text,
                                     const bb_text_settings *settings, int64_t first, int64_t last,
                                     float alpha, uint64_t seed, void *scratch,
                                     const volatile int32_t *stop);
int64_t BB_NAME(bb_pairs_scratch)(const bb_params *a, const bb_text *text_a, const bb_params *b,
                                  const bb_text *text_b);
bb_pairs_result BB_NAME(bb_pairs)(const bb_params *a, const bb_text *text_a, const bb_params *b,
                                  const bb_text *text_b, const bb_pairs_settings *settings,
                                  const int64_t *order, int64_t count, float alpha, uint64_t seed,
                                  void *scratch, const volatile int32_t *stop);
void BB_NAME(bb_best)(const float *scores, int64_t rows, int64_t columns, int64_t stride, int64_t k,
                      int64_t *ids, float *values);
void BB_NAME(bb_largest)(const float *block, int64_t rows, int64_t columns, int64_t k_row,
                         float *of_rows, int64_t k_column, float *of_columns);

#endif
