/* Walker's alias method (Vose 1991): draws from a discrete distribution in constant time. */
#include "bilbowa.h"

void bb_alias_build(const double *weights, int64_t n, uint32_t *table, double *scaled,
                    uint32_t *stack)
{
    double total = 0.0;
    for (int64_t i = 0; i < n; i++)
        total += weights[i];

    /* Columns below their share grow from the left of the stack, the others from the right. */
    int64_t small = 0, large = n;
    for (int64_t i = 0; i < n; i++) {
        scaled[i] = weights[i] * (double)n / total;
        if (scaled[i] < 1.0)
            stack[small++] = (uint32_t)i;
        else
            stack[--large] = (uint32_t)i;
    }
    while (small > 0 && large < n) {
        uint64_t below = stack[--small];
        uint32_t above = stack[large];
        table[2 * below] = (uint32_t)(scaled[below] * 4294967296.0);
        table[2 * below + 1] = above;
        scaled[above] -= 1.0 - scaled[below];
        if (scaled[above] < 1.0) {
            large++;
            stack[small++] = above;
        }
    }
    /* What is left holds its whole column, up to rounding. */
    while (small > 0) {
        uint64_t i = stack[--small];
        table[2 * i] = UINT32_MAX;
        table[2 * i + 1] = (uint32_t)i;
    }
    for (; large < n; large++) {
        uint64_t i = stack[large];
        table[2 * i] = UINT32_MAX;
        table[2 * i + 1] = (uint32_t)i;
    }
}
