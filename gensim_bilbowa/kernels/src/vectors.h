/* Vectors of floats by the compiler's vector extensions: one source for every level.
 *
 * A level is compiled with BB_LEVEL (its name), BB_LANES (floats in a register), and the shape of
 * its tiles: BB_TARGETS x BB_DEPTH vectors of accumulators must leave room in the registers.
 */
#ifndef BILBOWA_VECTORS_H
#define BILBOWA_VECTORS_H

#include <stdint.h>

#include "bilbowa.h"

#if !defined(__GNUC__) && !defined(__clang__)
#error "the kernels need a compiler with vector extensions: GCC 9 or newer, or Clang"
#endif

#define BB_JOIN_(name, level) name##_##level
#define BB_JOIN(name, level) BB_JOIN_(name, level)
#define BB_NAME(name) BB_JOIN(name, BB_LEVEL)

#define BB_INLINE static inline __attribute__((always_inline))
#define BB_APART static __attribute__((noinline))       /* has the registers for itself */
#ifdef __clang__
#define BB_UNROLL _Pragma("clang loop unroll(full)")
#else
#define BB_UNROLL _Pragma("GCC unroll 64")
#endif

typedef float vec __attribute__((vector_size(4 * BB_LANES), may_alias));
typedef int32_t ivec __attribute__((vector_size(4 * BB_LANES), may_alias));
/* The same at any address. */
typedef float loose_vec __attribute__((vector_size(4 * BB_LANES), aligned(4), may_alias));
typedef int32_t loose_ivec __attribute__((vector_size(4 * BB_LANES), aligned(4), may_alias));

#ifdef __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define BB_SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#endif
#endif
#ifndef BB_SHUFFLE
#define BB_SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (ivec){__VA_ARGS__})
#endif

BB_INLINE vec load(const float *from)
{
    return *(const vec *)from;
}

BB_INLINE void store(float *to, vec x)
{
    *(vec *)to = x;
}

BB_INLINE vec spread(float x)
{
    return x - (vec){0};
}

/* where is all ones or all zeros in each lane. */
BB_INLINE vec choose(ivec where, vec a, vec b)
{
    return (vec)((where & (ivec)a) | (~where & (ivec)b));
}

/* In each group of four lanes: a0 + a1, a2 + a3, b0 + b1, b2 + b3. Shuffles within such groups are
 * the cheap ones. */
BB_INLINE vec add_neighbours(vec a, vec b)
{
#if BB_LANES == 16
    return BB_SHUFFLE(a, b, 0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30)
           + BB_SHUFFLE(a, b, 1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31);
#elif BB_LANES == 8
    return BB_SHUFFLE(a, b, 0, 2, 8, 10, 4, 6, 12, 14)
           + BB_SHUFFLE(a, b, 1, 3, 9, 11, 5, 7, 13, 15);
#else
    return BB_SHUFFLE(a, b, 0, 2, 4, 6) + BB_SHUFFLE(a, b, 1, 3, 5, 7);
#endif
}

/* Neighbouring groups of four lanes: a's sums in the lower half, b's in the upper. */
#if BB_LANES == 16
BB_INLINE vec add_groups(vec a, vec b)
{
    return BB_SHUFFLE(a, b, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27)
           + BB_SHUFFLE(a, b, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
}
#elif BB_LANES == 8
BB_INLINE vec add_groups(vec a, vec b)
{
    return BB_SHUFFLE(a, b, 0, 1, 2, 3, 8, 9, 10, 11)
           + BB_SHUFFLE(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
}
#endif

BB_INLINE vec sums_of_four(const vec *a)
{
    return add_neighbours(add_neighbours(a[0], a[1]), add_neighbours(a[2], a[3]));
}

/* The sums of BB_LANES vectors, one a lane. */
BB_INLINE vec sums(const vec *a)
{
#if BB_LANES == 16
    return add_groups(add_groups(sums_of_four(a), sums_of_four(a + 4)),
                      add_groups(sums_of_four(a + 8), sums_of_four(a + 12)));
#elif BB_LANES == 8
    return add_groups(sums_of_four(a), sums_of_four(a + 4));
#else
    return sums_of_four(a);
#endif
}

BB_INLINE float sum(vec a)
{
    float total = 0.0f;
    for (int i = 0; i < BB_LANES; i++)
        total += a[i];
    return total;
}

/* exp(-x) for x >= 0, to float rounding. */
BB_INLINE vec exp_minus(vec x)
{
    vec y = choose(x < 87.0f, x, spread(87.0f)) * -1.44269504088896341f;
    ivec whole = __builtin_convertvector(y - 0.5f, ivec);
    vec part = (y - __builtin_convertvector(whole, vec)) * 0.693147180559945309f;
    vec power = 1.0f + part * (1.0f + part * (0.5f + part * (0.166666667f
                + part * (0.0416666667f + part * (0.00833333333f + part * 0.00138888889f)))));
    return power * (vec)((whole + 127) << 23);
}

/* Call a row into the cache, its first 20 lines; unrolled, which is faster. */
BB_INLINE void fetch_row(const float *row, int64_t stride)
{
#ifndef __clang__
    BB_UNROLL
#endif
    for (int64_t d = 0; d < 20 * BB_ROW; d += BB_ROW) {
        if (d >= stride)
            break;
        __builtin_prefetch(row + d, 1);
    }
}

/* A piece of the caller's scratch, of whole cache lines. With from = 0 it counts bytes only. */
BB_INLINE void *carve(uintptr_t *from, int64_t bytes)
{
    uintptr_t piece = *from;
    *from += ((uintptr_t)bytes + 63) / 64 * 64;
    return (void *)piece;
}

#endif
