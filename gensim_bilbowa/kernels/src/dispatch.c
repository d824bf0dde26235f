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

const bb_level *const *bb_levels(void)
{
    static const bb_level *levels[4];
    int n = 0;
#ifdef BB_HAVE_AVX512
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
        && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq")
        && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma")
        && __builtin_cpu_supports("bmi2"))
        levels[n++] = &bb_level_avx512;
#endif
#ifdef BB_HAVE_AVX2
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
        && __builtin_cpu_supports("bmi2"))
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
