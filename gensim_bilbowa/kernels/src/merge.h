/* What ranks of a team have learnt, sent as float32 or bfloat16, added up, and taken over. */
#ifndef BB_MERGE_H
#define BB_MERGE_H

#include <stddef.h>
#include <stdint.h>

/* changes = common - now, of `rows` rows of `dim`; those of `common` and `changes` have no gaps,
   those of `now` are `stride` apart. */
void bb_changes(const float *common, const float *now, size_t rows, size_t dim, size_t stride,
                float *changes);
void bb_changes_bf16(const float *common, const float *now, size_t rows, size_t dim, size_t stride,
                     uint16_t *changes);

/* With d the mean of `size` blocks of n, `gap` apart and added in their order: velocity =
   momentum * velocity + d, step = momentum * velocity + d. */
void bb_step(const float *blocks, size_t size, size_t n, size_t gap, float momentum,
             float *velocity, float *step);
void bb_step_bf16(const uint16_t *blocks, size_t size, size_t n, size_t gap, float momentum,
                  float *velocity, uint16_t *step);

/* common -= step; now = common. */
void bb_take(const float *step, size_t rows, size_t dim, size_t stride, float *common, float *now);
void bb_take_bf16(const uint16_t *step, size_t rows, size_t dim, size_t stride, float *common,
                  float *now);

#endif
