/* Fused multiply-adds a second that one core can do from its registers, in floats: the ceiling. */
#include <stdio.h>
#include <time.h>

#define CHAINS 12 /* enough to hide the latency, few enough for the registers */

typedef float vec __attribute__((vector_size(4 * LANES)));

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(void)
{
    const long rounds = 50000000;
    double best = 0.0;
    for (int run = 0; run < 5; run++) {
        vec a[CHAINS], x = (vec){0} + 0.999f, y = (vec){0} + 0.5f;
        for (int i = 0; i < CHAINS; i++)
            a[i] = (vec){0} + (float)i;
        double start = seconds();
        for (long r = 0; r < rounds; r++)
#pragma GCC unroll 12
            for (int i = 0; i < CHAINS; i++)
                a[i] = a[i] * x + y;
        double rate = (double)rounds * CHAINS * LANES / (seconds() - start);
        float used = 0.0f;
        for (int i = 0; i < CHAINS; i++)
            used += a[i][0];
        if (rate > best && used != 0.0f)
            best = rate;
    }
    printf("%.4e\n", best);
    return 0;
}
