/* splitmix64: a counter that is mixed, so that numbers of one row can be drawn in any order, many
 * at once, and repeated in Python. */
#ifndef BILBOWA_RANDOM_H
#define BILBOWA_RANDOM_H

#include <stdint.h>

#define BB_RANDOM_STEP 0x9E3779B97F4A7C15u

static inline uint64_t bb_random_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline uint64_t bb_random(uint64_t *state)
{
    *state += BB_RANDOM_STEP;
    return bb_random_mix(*state);
}

/* Uniform over 0 .. n - 1, n < 2^32, from the upper half of a random number. */
static inline uint32_t bb_random_below(uint64_t random, uint32_t n)
{
    return (uint32_t)(((random >> 32) * n) >> 32);
}

/* A word of the noise distribution: the upper half chooses a column, the lower half what of it. */
static inline int32_t bb_random_noise(uint64_t random, const uint32_t *noise, uint32_t rows)
{
    uint32_t column = bb_random_below(random, rows);
    const uint32_t *entry = noise + 2 * (uint64_t)column;
    /* Without a branch: it would be mispredicted about as often as not. */
    uint32_t own = -(uint32_t)((uint32_t)random < entry[0]);
    return (int32_t)((column & own) | (entry[1] & ~own));
}

#endif
