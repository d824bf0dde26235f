#include "merge.h"

#include <string.h>

/* Floats that are added up at once: they stay in the first level of the cache. */
#define SOME 2048

static inline float as_float(float value) { return value; }

static inline void put_float(float *place, float value) { *place = value; }

static inline float as_bf16(uint16_t half) {
    uint32_t bits = (uint32_t)half << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* To the nearest, ties to even. */
static inline void put_bf16(uint16_t *place, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    *place = (uint16_t)((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

#define DEFINE(NAME, SENT, GET, PUT)                                                               \
    void bb_changes##NAME(const float *restrict common, const float *restrict now, size_t rows,    \
                          size_t dim, size_t stride, SENT *restrict changes) {                     \
        for (size_t row = 0; row < rows; row++, common += dim, now += stride, changes += dim)      \
            for (size_t i = 0; i < dim; i++) PUT(changes + i, common[i] - now[i]);                 \
    }                                                                                              \
                                                                                                   \
    void bb_step##NAME(const SENT *restrict blocks, size_t size, size_t n, size_t gap,             \
                       float momentum, float *restrict velocity, SENT *restrict step) {            \
        float total[SOME];                                                                         \
        float part = 1.0f / (float)size;                                                           \
        for (size_t at = 0; at < n; at += SOME) {                                                  \
            size_t some = n - at < SOME ? n - at : SOME;                                           \
            for (size_t i = 0; i < some; i++) total[i] = GET(blocks[at + i]);                      \
            for (size_t rank = 1; rank < size; rank++) {                                           \
                const SENT *restrict block = blocks + rank * gap + at;                             \
                for (size_t i = 0; i < some; i++) total[i] += GET(block[i]);                       \
            }                                                                                      \
            for (size_t i = 0; i < some; i++) {                                                    \
                float mean = part * total[i];                                                      \
                float moved = momentum * velocity[at + i] + mean;                                  \
                velocity[at + i] = moved;                                                          \
                PUT(step + at + i, momentum * moved + mean);                                       \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    void bb_take##NAME(const SENT *restrict step, size_t rows, size_t dim, size_t stride,          \
                       float *restrict common, float *restrict now) {                              \
        for (size_t row = 0; row < rows; row++, common += dim, now += stride, step += dim)         \
            for (size_t i = 0; i < dim; i++) now[i] = common[i] -= GET(step[i]);                   \
    }

DEFINE(, float, as_float, put_float)
DEFINE(_bf16, uint16_t, as_bf16, put_bf16)
