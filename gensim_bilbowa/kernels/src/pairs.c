/* The cross-lingual step: sentence means of a pair drawn together (paper, eq. xling-sentvec). */
#include <string.h>

#include "bilbowa.h"
#include "subsample.h"

/* out += factor * sum of the rows named by tokens */
static void add_rows(const bb_params *params, const int32_t *tokens, int64_t n, float factor,
                     float *restrict out)
{
    int64_t dim = params->dim;
    for (int64_t i = 0; i < n; i++) {
        const float *row = params->vectors + tokens[i] * dim;
        for (int64_t d = 0; d < dim; d++)
            out[d] += factor * row[d];
    }
}

/* out = clip(factor * delta), component by component */
static void clipped(const float *restrict delta, int64_t dim, float factor, float clip,
                    float *restrict out)
{
    for (int64_t d = 0; d < dim; d++) {
        float step = factor * delta[d];
        step = step > clip ? clip : step;
        out[d] = step < -clip ? -clip : step;
    }
}

/* Each row named by tokens += sign * step, as often as it is named. */
static void move_rows(const bb_params *params, const int32_t *tokens, int64_t n, float sign,
                      const float *restrict step)
{
    int64_t dim = params->dim;
    for (int64_t i = 0; i < n; i++) {
        float factor = sign * params->lockf[tokens[i] % params->lockf_len];
        float *row = params->vectors + tokens[i] * dim;
        for (int64_t d = 0; d < dim; d++)
            row[d] += factor * step[d];
    }
}

bb_pairs_result bb_pairs(const bb_params *a, const bb_text *text_a, const bb_params *b,
                         const bb_text *text_b, const int64_t *order, int64_t count, float alpha,
                         float weight, float clip, int exact, uint64_t seed, int32_t *tokens_a,
                         int32_t *tokens_b, float *scratch, const volatile int32_t *stop)
{
    bb_pairs_result result = {0, 0, 0, 0.0};
    uint64_t random = bb_random_start(seed);
    int64_t dim = a->dim;
    float *delta = scratch, *step_a = scratch + dim, *step_b = scratch + 2 * dim;
    float rate = alpha * weight;

    for (int64_t p = 0; p < count && !*stop; p++) {
        int64_t n_a = bb_subsample(text_a, order[p], tokens_a, &random);
        int64_t n_b = bb_subsample(text_b, order[p], tokens_b, &random);
        if (n_a == 0 || n_b == 0) {
            result.emptied++;
            continue;
        }
        memset(delta, 0, (size_t)dim * sizeof(float));
        add_rows(a, tokens_a, n_a, 1.0f / (float)n_a, delta);
        add_rows(b, tokens_b, n_b, -1.0f / (float)n_b, delta);
        float loss = 0.0f;
        for (int64_t d = 0; d < dim; d++)
            loss += delta[d] * delta[d];

        clipped(delta, dim, exact ? rate * 2.0f / (float)n_a : rate, clip, step_a);
        clipped(delta, dim, exact ? rate * 2.0f / (float)n_b : rate, clip, step_b);
        move_rows(a, tokens_a, n_a, -1.0f, step_a);
        move_rows(b, tokens_b, n_b, 1.0f, step_b);

        result.pairs++;
        result.words += n_a + n_b;
        result.loss += loss;
    }
    return result;
}
