/* Which levels this processor can run. */
#include <stddef.h>

#include "bilbowa.h"

#ifdef BB_HAVE_AVX512
extern const bb_level bb_level_avx512;
#endif
#ifdef BB_HAVE_AVX2
extern const bb_level bb_level_avx2;
#endif
#ifdef BB_HAVE_NEON
extern const bb_level bb_level_neon;
#else
extern const bb_level bb_level_baseline;
#endif

#ifdef BB_HAVE_AVX2
#ifdef _MSC_VER
/* Clang's __builtin_cpu_supports is in a library that is not there for Microsoft's linker. */
#include <cpuid.h>

static int has_avx(unsigned wanted, unsigned states)
{
    const unsigned first = bit_FMA | bit_OSXSAVE | bit_AVX;
    unsigned a, b, c, d, saved, high;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & first) != first)
        return 0;
    __asm__("xgetbv" : "=a"(saved), "=d"(high) : "c"(0));  /* what the system saves */
    return (saved & states) == states && __get_cpuid_count(7, 0, &a, &b, &c, &d)
        && (b & wanted) == wanted;
}

static int has_avx2(void)
{
    return has_avx(bit_AVX2 | bit_BMI2, 0x06);
}

static int has_avx512(void)
{
    return has_avx(bit_BMI2 | bit_AVX512F | bit_AVX512BW | bit_AVX512CD | bit_AVX512DQ
                   | bit_AVX512VL, 0xe6);
}
#else
static int has_avx2(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
        && __builtin_cpu_supports("bmi2");
}

static int has_avx512(void)
{
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
        && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq")
        && __builtin_cpu_supports("avx512vl");
}
#endif
#endif

const bb_level *const *bb_levels(void)
{
    static const bb_level *levels[4];
    int n = 0;
#ifdef BB_HAVE_AVX512
    if (has_avx512())
        levels[n++] = &bb_level_avx512;
#endif
#ifdef BB_HAVE_AVX2
    if (has_avx2())
        levels[n++] = &bb_level_avx2;
#endif
#ifdef BB_HAVE_NEON
    levels[n++] = &bb_level_neon;
#else
    levels[n++] = &bb_level_baseline;
#endif
    levels[n] = NULL;
    return levels;
}
