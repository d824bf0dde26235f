/* The training steps, in C without Python: what each one reads, writes and returns.
 *
 * Matrices are row-major float32. A row begins at a multiple of 64 bytes and is filled up with
 * zeros to `stride` floats, a multiple of BB_ROW; the steps keep those zeros. Token ids are int32
 * rows of a matrix; sentence i of a corpus is ids[offsets[i]] .. ids[offsets[i + 1] - 1]. Callers
 * check ids and shapes; the steps do not. Several threads may run steps on the same matrices at
 * once without locks (Hogwild: a rare lost update is part of the method).
 */
#ifndef BILBOWA_H
#define BILBOWA_H

#include <stdint.h>

#define BB_COMPOSED 256       /* tokens whose vectors are made of n-grams' at once */
#define BB_CONTEXTS 256       /* context words that share targets at once */
#define BB_ROW 16             /* floats: a vector of the widest level, and a cache line */

/* The parameters of one language. */
typedef struct {
    float *vectors;           /* rows x stride: the word vectors R (gensim: wv.vectors) */
    float *outputs;           /* rows x stride, or NULL: the context vectors (gensim: syn1neg) */
    /* Factors on the updates of vectors; row i uses i % lockf_len. Rows of factor 0 are not written
     * to, so that they keep every bit. */
    const float *lockf;
    int64_t lockf_len;
    const uint32_t *noise;    /* rows x 2: the noise distribution, an alias table: column i is
                               * drawn uniformly, then i if a random uint32 is below the first
                               * number of its row, else the word that is the second */
    int64_t rows;
    int64_t stride;

    /* With hierarchical softmax, or else nodes is NULL: the way to word i leads by the inner nodes
     * path_nodes[paths[i]] .. path_nodes[paths[i + 1] - 1], at least one, where it turns to the
     * left (1) or to the right (-1). */
    float *nodes;             /* inner nodes x stride (gensim: syn1) */
    const int64_t *paths;     /* rows + 1 */
    const int32_t *path_nodes;
    const float *path_signs;
    int64_t longest_path;

    /* With n-grams, or else ngrams is NULL: the vector of word i is the mean of its own row of
     * `vectors` and of the n-grams' rows ngram_ids[parts[i]] .. ngram_ids[parts[i + 1] - 1]. It is
     * made once for each distinct word of a sentence; how far the sentence moves it is added, times
     * their factors, to its own row and all of its n-grams' rows (inputs.h). */
    float *ngrams;            /* buckets x stride (gensim: wv.vectors_ngrams) */
    const int64_t *parts;     /* rows + 1 */
    const int32_t *ngram_ids;
    const float *own_lockf;   /* gensim: wv.vectors_vocab_lockf; row i uses i % own_lockf_len */
    int64_t own_lockf_len;
    const float *ngrams_lockf; /* gensim: wv.vectors_ngrams_lockf, likewise */
    int64_t ngrams_lockf_len;
} bb_params;

/* A corpus, and for each word the chance that a token of it survives subsampling. */
typedef struct {
    const int32_t *ids;
    const int64_t *offsets;
    const uint32_t *keep;     /* per word: survive if a random uint32 is <= keep */
    int64_t longest;          /* tokens of the longest sentence */
} bb_text;

typedef struct {
    int window;
    int shrink_windows;       /* draw each window's reach from 1 .. window */
    int negative;             /* noise words; 0: no negative sampling */
    int shared_negatives;     /* one set of them for a window, or one for each context word */
    int sg;                   /* skip-gram, or else CBOW */
    int cbow_mean;            /* the mean of the context words predicts, or else their sum */
} bb_text_settings;

typedef struct {
    int64_t words;            /* tokens trained on, after subsampling */
    int64_t examples;         /* rows that predicted a word */
    double loss;              /* sum over examples and targets of -log sigma(sign * x) */
} bb_text_result;

typedef struct {
    float weight_a, weight_b;
    float clip;
    int exact;
} bb_pairs_settings;

typedef struct {
    int64_t pairs;            /* sentence pairs trained on */
    int64_t emptied;          /* pairs skipped since subsampling left one side empty */
    int64_t words;            /* tokens trained on, both sides */
    double loss;              /* sum over pairs of || mean_a - mean_b ||^2, before the update */
} bb_pairs_result;

/* Words predicted from their context, in sentences first .. last - 1.
 *
 * Each centre word draws one window. What predicts it is, in skip-gram, each context word, and
 * in CBOW one row, their mean or their sum; as that is moved so is each context word, in parts
 * of equal size if it is the sum. The targets are the centre word and its noise words
 * (params->outputs), the nodes on its way (params->nodes), or both.
 *
 * Shared negatives, and CBOW: one set of noise words is drawn for a window. Of targets drawn
 * twice, or equal to the centre word, the later is left out. Errors and gradients are those at
 * the start of the window, of BB_CONTEXTS context words at a time; with nodes skip-gram takes
 * one at a time, as word2vec does. Otherwise word2vec's update: each context word draws noise
 * words of its own, and each target is updated at once. With n-grams
 * sentences are cut after each BB_COMPOSED tokens.
 *
 * scratch: text_scratch bytes. stop: the step returns soon after it is non-zero, within a
 * window. */
typedef int64_t bb_text_scratch(const bb_params *params, const bb_text *text,
                                const bb_text_settings *settings);
typedef bb_text_result bb_text_step(const bb_params *params, const bb_text *text,
                                    const bb_text_settings *settings, int64_t first, int64_t last,
                                    float alpha, uint64_t seed, void *scratch,
                                    const volatile int32_t *stop);

/* The cross-lingual step over the sentence pairs order[0] .. order[count - 1].
 *
 *   delta = mean of the vectors of a's sentence - mean of those of b's sentence
 *   a's words -= clip(alpha * weight_a * scale_a * delta)
 *   b's words += clip(alpha * weight_b * scale_b * delta)
 *
 * with scale 1, or, if exact, the gradient's 2 / (number of words of that side). Each component
 * of an update is clipped to [-clip, clip]; a word that stands twice is updated twice. */
typedef int64_t bb_pairs_scratch(const bb_params *a, const bb_text *text_a, const bb_params *b,
                                 const bb_text *text_b);
typedef bb_pairs_result bb_pairs(const bb_params *a, const bb_text *text_a, const bb_params *b,
                                 const bb_text *text_b, const bb_pairs_settings *settings,
                                 const int64_t *order, int64_t count, float alpha, uint64_t seed,
                                 void *scratch, const volatile int32_t *stop);

/* The k <= columns largest values of each row, descending, and their columns; of equal ones the
 * first. scores: rows x columns, rows `stride` apart. ids, values: rows x k. */
typedef void bb_best(const float *scores, int64_t rows, int64_t columns, int64_t stride, int64_t k,
                     int64_t *ids, float *values);

/* Keep the k_row largest values of each row of a matrix, and the k_column largest of each
 * column, of which a block comes by.
 *
 * block: rows x columns. of_rows: rows x k_row, of_columns: columns x k_column, both descending
 * and filled with -infinity at the start. k_row, k_column >= 1. */
typedef void bb_largest(const float *block, int64_t rows, int64_t columns, int64_t k_row,
                        float *of_rows, int64_t k_column, float *of_columns);

/* The steps as compiled for one instruction set. */
typedef struct {
    const char *name;
    bb_text_scratch *text_scratch;
    bb_text_step *text;
    bb_pairs_scratch *pairs_scratch;
    bb_pairs *pairs;
    bb_best *best;
    bb_largest *largest;
} bb_level;

/* Levels that this processor can run, best first; the list ends with NULL. */
const bb_level *const *bb_levels(void);

#endif
