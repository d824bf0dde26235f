/* Words of other vocabularies that are spelt with the same pieces; see spelling.h. */
#include <math.h>

#include "spelling.h"

/* The words of the other side that share a piece with a word, and how many; returns their number. */
static int64_t find_sharing(const bb_spelling *of, int64_t word, const int64_t *starts, const int32_t *ids,
                     int32_t *shared, int32_t *list)
{
    int64_t met = 0;
    for (int64_t p = of->starts[word]; p < of->starts[word + 1]; p++) {
        int32_t piece = of->pieces[p];
        for (int64_t k = starts[piece]; k < starts[piece + 1]; k++)
            if (shared[ids[k]]++ == 0)
                list[met++] = ids[k];
    }
    return met;
}

void bb_most_alike(const bb_spelling *of, int64_t words, const int64_t *starts, const int32_t *ids,
                   const int32_t *sizes, int32_t *best, float *likeness, int32_t *shared,
                   int32_t *list)
{
    for (int64_t e = 0; e < words; e++) {
        int64_t pieces = of->starts[e + 1] - of->starts[e];
        int64_t met = find_sharing(of, e, starts, ids, shared, list);
        best[e] = -1;
        likeness[e] = 0.0f;
        for (int64_t k = 0; k < met; k++) {
            int32_t f = list[k];
            float alike = (float)shared[f] / sqrtf((float)(pieces * sizes[f]));
            shared[f] = 0;
            if (alike > likeness[e] || (alike == likeness[e] && f < best[e])) {
                likeness[e] = alike;
                best[e] = f;
            }
        }
    }
}

void bb_add_likeness(const bb_spelling *of, int64_t first, int64_t last, const int64_t *starts,
                     const int32_t *ids, const int32_t *sizes, float weight, float *scores,
                     int64_t columns, int32_t *shared, int32_t *list)
{
    for (int64_t e = first; e < last; e++, scores += columns) {
        int64_t pieces = of->starts[e + 1] - of->starts[e];
        int64_t met = find_sharing(of, e, starts, ids, shared, list);
        for (int64_t k = 0; k < met; k++) {
            int32_t f = list[k];
            scores[f] += weight * (float)shared[f] / sqrtf((float)(pieces * sizes[f]));
            shared[f] = 0;
        }
    }
}
