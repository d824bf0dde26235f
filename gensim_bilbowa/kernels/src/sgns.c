/* Skip-gram with negative sampling (Mikolov et al. 2013), negatives shared within a window. */
#include <math.h>
#include <string.h>

#include "bilbowa.h"
#include "subsample.h"

/* exp(-x) for x >= 0, to float rounding; branch-free so that loops over it vectorise. */
static inline float exp_minus(float x)
{
    float y = (x < 87.0f ? x : 87.0f) * -1.44269504088896341f;
    float whole = (float)(int32_t)(y - 0.5f);
    float part = (y - whole) * 0.693147180559945309f; /* |part| <= ln(2) / 2 */
    float power = 1.0f + part * (1.0f + part * (0.5f + part * (0.166666667f
                  + part * (0.0416666667f + part * (0.00833333333f + part * 0.00138888889f)))));
    union { int32_t i; float f; } scale = { .i = ((int32_t)whole + 127) << 23 };
    return power * scale.f;
}

static inline float dot(const float *restrict x, const float *restrict y, int64_t dim)
{
    float sum = 0.0f;
    for (int64_t d = 0; d < dim; d++)
        sum += x[d] * y[d];
    return sum;
}

static inline void add_scaled(float *restrict y, float factor, const float *restrict x, int64_t dim)
{
    for (int64_t d = 0; d < dim; d++)
        y[d] += factor * x[d];
}

static inline int64_t most_contexts(int64_t longest, int window)
{
    return longest < 2 * (int64_t)window ? longest : 2 * (int64_t)window;
}

int64_t bb_sgns_scratch(int64_t dim, int64_t longest, int window, int negative)
{
    int64_t targets = (int64_t)negative + 1;
    return targets * (1 + most_contexts(longest, window) + dim) + dim;
}

/* errors[k] = alpha * (label - sigma(dots[k])), in place; returns the example's loss.
 *
 * With e = exp(-|x|), -log sigma(z) is log(1 + e) + max(-z, 0), so one logarithm of a product
 * serves all the targets, or as many as it takes before the product could overflow. */
static double errors_in_place(float *restrict dots, const float *restrict active, int targets,
                              float alpha)
{
    double product = 1.0, linear = 0.0;
    for (int k = 0; k < targets; k++) {
        float x = dots[k], size = fabsf(x), e = exp_minus(size);
        float label = k == 0 ? 1.0f : 0.0f, z = k == 0 ? x : -x;
        float sigma = (x >= 0.0f ? 1.0f : e) / (1.0f + e);
        dots[k] = alpha * active[k] * (label - sigma);
        product *= 1.0 + (double)(active[k] * e);
        linear += (double)(active[k] * (z < 0.0f ? size : 0.0f));
        if (product > 1e280) {
            linear += log(product);
            product = 1.0;
        }
    }
    return linear + log(product);
}

bb_sgns_result bb_sgns(const bb_params *params, const bb_text *text, int64_t first, int64_t last,
                       int window, int shrink_windows, int negative, float alpha, uint64_t seed,
                       int64_t longest, int32_t *tokens, float *scratch,
                       const volatile int32_t *stop)
{
    bb_sgns_result result = {0, 0, 0.0};
    uint64_t random = bb_random_start(seed);
    int64_t dim = params->dim;
    uint32_t rows = (uint32_t)params->rows;
    int targets = negative + 1;
    int32_t *target = tokens + longest;                  /* targets: the word, then its negatives */
    float *active = scratch;                             /* targets: 0 mutes one that stands there before */
    float *errors = active + targets;                    /* contexts x targets */
    float *moves = errors + targets * most_contexts(longest, window); /* targets x dim */
    float *gradient = moves + targets * dim;             /* dim */

    for (int64_t s = first; s < last && !*stop; s++) {
        int64_t n = bb_subsample(text, s, tokens, &random);
        result.words += n;
        for (int64_t i = 0; i < n && !*stop; i++) {
            int64_t reach = shrink_windows ? 1 + bb_random_below(&random, (uint32_t)window) : window;
            int64_t low = i > reach ? i - reach : 0;
            int64_t high = i + reach < n ? i + reach : n - 1;
            if (low == high)
                continue;

            target[0] = tokens[i];
            active[0] = 1.0f;
            for (int k = 1; k < targets; k++) {
                uint32_t noise = bb_random_below(&random, rows);
                if (bb_random32(&random) >= params->alias_cut[noise])
                    noise = params->alias_other[noise];
                target[k] = (int32_t)noise;
                /* A word counts once: its updates of a window add up, and could overshoot. */
                active[k] = 1.0f;
                for (int earlier = 0; earlier < k; earlier++)
                    if (target[earlier] == target[k])
                        active[k] = 0.0f;
            }

            float *row = errors;
            for (int64_t j = low; j <= high; j++) {
                if (j == i)
                    continue;
                const float *context = params->vectors + tokens[j] * dim;
                for (int k = 0; k < targets; k++)
                    row[k] = dot(context, params->outputs + target[k] * dim, dim);
                result.loss += errors_in_place(row, active, targets, alpha);
                row += targets;
            }

            memset(moves, 0, (size_t)(targets * dim) * sizeof(float));
            row = errors;
            for (int64_t j = low; j <= high; j++) {
                if (j == i)
                    continue;
                float *context = params->vectors + tokens[j] * dim;
                memset(gradient, 0, (size_t)dim * sizeof(float));
                for (int k = 0; k < targets; k++) {
                    add_scaled(gradient, row[k], params->outputs + target[k] * dim, dim);
                    add_scaled(moves + k * dim, row[k], context, dim);
                }
                add_scaled(context, params->lockf[tokens[j] % params->lockf_len], gradient, dim);
                row += targets;
            }
            for (int k = 0; k < targets; k++)
                add_scaled(params->outputs + target[k] * dim, 1.0f, moves + k * dim, dim);
            result.examples += high - low;
        }
    }
    return result;
}
