/* xorshift64*: small, fast, and easy to repeat in Python. */
#ifndef BILBOWA_RANDOM_H
#define BILBOWA_RANDOM_H

#include <stdint.h>

/* Turns any seed, 0 and neighbours too, into a well-mixed non-zero state (splitmix64). */
static inline uint64_t bb_random_start(uint64_t seed)
{
    uint64_t z = seed + 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return z ? z : 1;
}

static inline uint32_t bb_random32(uint64_t *state)
{
    uint64_t x = *state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return (uint32_t)((x * 0x2545F4914F6CDD1Du) >> 32);
}

/* Uniform over 0 .. n - 1, n < 2^32. */
static inline uint32_t bb_random_below(uint64_t *state, uint32_t n)
{
    return (uint32_t)(((uint64_t)bb_random32(state) * n) >> 32);
}

#endif
