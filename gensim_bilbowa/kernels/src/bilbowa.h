/* The training steps, in C without Python: what each one reads, writes and returns.
 *
 * Matrices are row-major float32 without padding. Token ids are int32 rows of a matrix; sentence i
 * of a corpus is ids[offsets[i]] .. ids[offsets[i + 1] - 1]. Callers check ids and shapes; the
 * steps do not. Several threads may run steps on the same matrices at once without locks
 * (Hogwild: a rare lost update is part of the method).
 */
#ifndef BILBOWA_H
#define BILBOWA_H

#include <stdint.h>

/* The parameters of one language. */
typedef struct {
    float *vectors;           /* rows x dim: the word vectors R (gensim: wv.vectors) */
    float *outputs;           /* rows x dim: the context vectors (gensim: syn1neg) */
    const float *lockf;       /* factors on the updates of vectors; row i uses i % lockf_len */
    int64_t lockf_len;
    const uint32_t *alias_cut;   /* rows: the noise distribution, as bb_alias_build makes it */
    const uint32_t *alias_other; /* rows */
    int64_t rows;
    int64_t dim;
} bb_params;

/* A corpus, and for each word the chance that a token of it survives subsampling. */
typedef struct {
    const int32_t *ids;
    const int64_t *offsets;
    const uint32_t *keep;     /* per word: survive if a random uint32 is <= keep */
} bb_text;

typedef struct {
    int64_t words;            /* tokens trained on, after subsampling */
    int64_t examples;         /* (word, context word) pairs */
    double loss;              /* sum over examples of -log sigma(x_pos) - sum log sigma(-x_neg) */
} bb_sgns_result;

typedef struct {
    int64_t pairs;            /* sentence pairs trained on */
    int64_t emptied;          /* pairs skipped since subsampling left one side empty */
    int64_t words;            /* tokens trained on, both sides */
    double loss;              /* sum over pairs of || mean_a - mean_b ||^2, before the update */
} bb_pairs_result;

/* Floats of scratch that bb_sgns needs; longest: tokens of the longest sentence. */
int64_t bb_sgns_scratch(int64_t dim, int64_t longest, int window, int negative);

/* Skip-gram with negative sampling over sentences first .. last - 1.
 *
 * Each centre word draws one window and one set of negatives, which all its context words share.
 * Of negatives drawn twice, or equal to the centre word, the later is left out.
 * Errors are computed from the values at the start of the window, then applied to both matrices.
 * tokens: longest + negative + 1 int32. stop: the step returns soon after it is non-zero.
 */
bb_sgns_result bb_sgns(const bb_params *params, const bb_text *text, int64_t first, int64_t last,
                       int window, int shrink_windows, int negative, float alpha, uint64_t seed,
                       int64_t longest, int32_t *tokens, float *scratch,
                       const volatile int32_t *stop);

/* The cross-lingual step over the sentence pairs order[0] .. order[count - 1].
 *
 *   delta = mean of the vectors of a's sentence - mean of those of b's sentence
 *   a's words -= clip(alpha * weight * scale_a * delta), b's words += clip(... * scale_b * delta)
 *
 * with scale 1, or, if exact, the gradient's 2 / (number of words of that side). Each component of
 * an update is clipped to [-clip, clip].
 * tokens_a, tokens_b: room for the longest sentence of each side. scratch: 3 * dim floats.
 */
bb_pairs_result bb_pairs(const bb_params *a, const bb_text *text_a, const bb_params *b,
                         const bb_text *text_b, const int64_t *order, int64_t count, float alpha,
                         float weight, float clip, int exact, uint64_t seed, int32_t *tokens_a,
                         int32_t *tokens_b, float *scratch, const volatile int32_t *stop);

/* Walker's alias table of a distribution proportional to weights (n >= 1, finite, >= 0, not all 0).
 * scaled, stack: n each of scratch. Drawing: column i uniform, then i if a random uint32 is
 * < cut[i], else other[i]. */
void bb_alias_build(const double *weights, int64_t n, uint32_t *cut, uint32_t *other,
                    double *scaled, uint32_t *stack);

#endif
