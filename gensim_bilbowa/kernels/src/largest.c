/* The largest values of rows and columns, of a whole matrix or of one that comes by in blocks.
 *
 * Almost no value is among the largest once some have been seen, so a comparison of many at a time
 * decides, and the few that pass are put in their place one by one.
 */
#include "level.h"
#include "vectors.h"

#define AT_ONCE 8                        /* vectors */

/* Put a value that is above the last one into a descending row of k. */
static void insert(float *best, int64_t k, float value)
{
    int64_t at = k - 1;
    for (; at > 0 && best[at - 1] < value; at--)
        best[at] = best[at - 1];
    best[at] = value;
}

BB_INLINE int any(ivec mask)
{
    typedef int64_t longs __attribute__((vector_size(4 * BB_LANES), may_alias));
    longs wide = (longs)mask;
    int64_t all = 0;
    for (int i = 0; i < BB_LANES / 2; i++)
        all |= wide[i];
    return all != 0;
}

/* Whether one of AT_ONCE vectors of values is above the least that counts. */
BB_INLINE int any_above(const float *values, float least)
{
    ivec found = {0};
    vec bound = spread(least);
    BB_UNROLL
    for (int i = 0; i < AT_ONCE; i++)
        found |= *(const loose_vec *)(values + i * BB_LANES) > bound;
    return any(found);
}

void BB_NAME(bb_best)(const float *scores, int64_t rows, int64_t columns, int64_t stride, int64_t k,
                      int64_t *ids, float *values)
{
    const int64_t step = AT_ONCE * BB_LANES;
    for (int64_t r = 0; r < rows; r++, ids += k, values += k) {
        const float *row = scores + r * stride;
        int64_t n = 0;
        for (int64_t c = 0; c < columns; c += step) {
            int64_t end = c + step < columns ? c + step : columns;
            if (n == k && end == c + step && !any_above(row + c, values[k - 1]))
                continue;
            for (int64_t i = c; i < end; i++) {
                if (n == k && !(row[i] > values[k - 1]))
                    continue;
                int64_t at = n < k ? n++ : k - 1;
                for (; at > 0 && values[at - 1] < row[i]; at--) {
                    values[at] = values[at - 1];
                    ids[at] = ids[at - 1];
                }
                values[at] = row[i];
                ids[at] = i;
            }
        }
    }
}

void BB_NAME(bb_largest)(const float *block, int64_t rows, int64_t columns, int64_t k_row,
                         float *of_rows, int64_t k_column, float *of_columns)
{
    const int64_t step = AT_ONCE * BB_LANES;
    for (int64_t r = 0; r < rows; r++) {
        const float *row = block + r * columns;
        float *best = of_rows + r * k_row;
        int64_t c = 0;
        for (; c < columns; c += step) {
            int64_t end = c + step < columns ? c + step : columns;
            if (end == c + step && !any_above(row + c, best[k_row - 1]))
                continue;
            for (int64_t i = c; i < end; i++)
                if (row[i] > best[k_row - 1])
                    insert(best, k_row, row[i]);
        }
    }
    /* Columns in strips, whose lists stay in the cache while all rows pass. */
    for (int64_t c = 0; c < columns; c += step) {
        int64_t width = c + step < columns ? step : columns - c;
        float least[AT_ONCE * BB_LANES];
        for (int64_t i = 0; i < step; i++)
            least[i] = i < width ? of_columns[(c + i) * k_column + k_column - 1] : 0.0f;
        for (int64_t r = 0; r < rows; r++) {
            const float *row = block + r * columns + c;
            if (width == step) {
                ivec found = {0};
                BB_UNROLL
                for (int i = 0; i < AT_ONCE; i++)
                    found |= *(const loose_vec *)(row + i * BB_LANES)
                             > *(const loose_vec *)(least + i * BB_LANES);
                if (!any(found))
                    continue;
            }
            for (int64_t i = 0; i < width; i++)
                if (row[i] > least[i]) {
                    float *best = of_columns + (c + i) * k_column;
                    insert(best, k_column, row[i]);
                    least[i] = best[k_column - 1];
                }
        }
    }
}
