/* Links between stretches of words of sentence pairs, by what is known of the translations of words,
 * in C without Python.
 *
 * Token j of the target comes from token i of the source, and back, with the probabilities
 *
 *   F(i, j) = u t(f_j | e_i) / (p0 / (1 - p0) sum over i' of u t(f_j | nothing)
 *                               + sum over i' of u t(f_j | e_i'))
 *   B(i, j) = the same of t(e_i | f_j), summed over j'
 *
 * with u(i, j) of align.h. A span of the source is a translation of one of the target in so far as all
 * of the one's tokens come from the other's:
 *
 *   L(s, t) = sqrt(sum of F over both / tokens of t * sum of B over both / tokens of s)
 *
 * where words that have no meaning of their own, as in "base de donnees", do not count.
 *
 * In long sentences a source word looks only at the 2 BB_BAND + 1 target words around the diagonal,
 * near either end of the sentence at the first or the last ones; u of all others is 0.
 */
#ifndef BILBOWA_SPANS_H
#define BILBOWA_SPANS_H

#include <stdint.h>

/* Tokens `from` to `to` - 1 of a sentence, which are term `term`, `count` of them words that count. */
typedef struct {
    int32_t from;
    int32_t to;
    int32_t term;
    int32_t count;
} bb_span;

/* One side of the text; the spans of a sentence are in the order of their begin. */
typedef struct {
    const int32_t *ids;
    const int64_t *offsets;
    const bb_span *spans;
    const int64_t *span_offsets;
    const float *frequencies;            /* of the words, for what comes from nothing */
    const uint8_t *counts;               /* 1 for words that count */
} bb_side;

/* Rows of sparse matrices with the same entries, columns in order. */
typedef struct {
    const int64_t *starts;
    const int32_t *columns;
    const float *forth;
    const float *back;
} bb_entries;

typedef struct {
    bb_side source;
    bb_side target;
    bb_entries words;                    /* t(f | e), t(e | f) */
    const bb_entries *terms;             /* what two terms are worth, in `forth`; or NULL */
    float position;
    float null_share;                    /* p0 / (1 - p0) */
    float least;                         /* links below this are none */
} bb_spanned;

typedef struct {
    int32_t pair;
    int32_t source;                      /* which of all spans */
    int32_t target;
    float link;
} bb_link;

/* Room for the longest sentences: cells of both kinds, sums, and what the best links are worth. */
typedef struct {
    float *forth;                        /* source tokens of a sentence, each by what it sees */
    float *back;
    float *columns;                      /* target tokens of a sentence */
    float *nulls;
    double *forth_sums;                  /* target tokens of a sentence + 1 */
    double *back_sums;
    float *source_best;                  /* source spans of a sentence */
    float *target_best;
    float *worths;                       /* as many as there is room for links */
} bb_span_scratch;

/* How many cells of `length` a row has. */
int64_t bb_looked_at(int64_t length);

/* Find the links of pairs `first` to `last` - 1, while there is room, for `most` of them, also for what
 * is not kept; returns the pair that is to come next. Without `terms` all links are found, else in each
 * pair those than which neither span has one that is worth more: the link times what its terms are
 * worth; of equals the first. */
int64_t bb_span_links(const bb_spanned *text, int64_t first, int64_t last, bb_link *links,
                      int64_t most, int64_t *found, const bb_span_scratch *scratch,
                      const volatile int32_t *stop);

#endif
