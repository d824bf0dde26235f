/* Word alignment by expectation maximisation (IBM model 1, with a prior on positions), both ways at
 * once, in C without Python. Forth, each word f of a target sentence comes from a word e of the source
 * sentence that it is paired with, or from nothing:
 *
 *   P(i | j) = (1 - p0) u(i, j) / sum over i' of u(i', j)
 *   u(i, j) = exp(-position |(i + 1/2) / m - (j + 1/2) / n|)     for words 0 .. m - 1 and 0 .. n - 1
 *
 * and back, each source word from a target word, by the same u. A pass has two halves, each of which
 * needs only one row t(. | e), t(e | .) at a time, spread out in a vector of all target words: neither
 * the pairs of tokens nor an index of pairs of words are ever stored. First every token's gain is
 * added up, source word by source word; forth, of token j of the target,
 *
 *   gain(s, j) = 1 / (D(s, j) p0 / (1 - p0) t(f | nothing) + sum over i of u(i, j) t(f | e_i))
 *
 * with D the sum of the u. Then t(f | e) gain u is the probability that token j comes from token i,
 * whose sums over all places of e are the new row's counts; and back likewise. Of long sentences only
 * words no more than BB_BAND places from the diagonal are looked at, so that a pair takes time in
 * proportion to its words.
 */
#ifndef BILBOWA_ALIGN_H
#define BILBOWA_ALIGN_H

#include <stdint.h>

#define BB_BAND 64

/* A token of the source: it looks at `count` tokens of the target from token `from` on, whose
 * positions begin at `row`, and has this one. */
typedef struct {
    int32_t from;
    int32_t count;
    int32_t row;
    float position;
} bb_place;

/* The pairs, whose sentences are never empty. */
typedef struct {
    const int32_t *source;
    const int64_t *source_offsets;
    const int32_t *target;
    const int64_t *target_offsets;
    int64_t pairs;
    int64_t source_words;
    int64_t target_words;
    /* exp(position (i + 1/2) / n) of word i of a sentence of n words: positions[row_of[n] + i]. */
    const float *positions;
    const int64_t *row_of;
    /* The places of source word e, in the order of the text: places[starts[e]] to
     * places[starts[e + 1] - 1]. */
    const int64_t *starts;
    const bb_place *places;
} bb_bitext;

/* What goes forth, of target words given source words, and what goes back. */
typedef struct {
    float forth;
    float back;
} bb_both;

/* Of a target word, beside each other in memory. */
typedef struct {
    bb_both t;
    bb_both count;
} bb_cell;

/* Rows of a sparse matrix: row e - first is starts[e - first] .. starts[e - first + 1] - 1. Before it
 * is used the back part is divided by the sum of its column, over all rows. */
typedef struct {
    int64_t first;
    int64_t rows;
    const int64_t *starts;
    const int32_t *columns;
    const bb_both *values;
} bb_rows;

/* t of classes of words, from which that of the words starts: t(f | e) is t(class of f | class of e). */
typedef struct {
    const int32_t *source;
    const int32_t *target;
    bb_rows rows;
    const double *sums;
} bb_classes;

/* The pieces that words are spelt with: word e has pieces[starts[e]] .. pieces[starts[e + 1] - 1],
 * each once. */
typedef struct {
    const int64_t *starts;
    const int32_t *pieces;
} bb_spelling;

/* What new t are made of besides counts: they are times exp(weight likeness), with the cosine of the
 * two words' sets of pieces for likeness. */
typedef struct {
    float weight;
    bb_spelling source;
    bb_spelling target;
} bb_alike;

/* Those of sentences of `length` words. */
void bb_align_positions(int64_t length, float position, float *positions);

/* The places of the source words, and for each word the target tokens that its places look at.
 * next: source_words of scratch. */
void bb_align_index(const bb_bitext *text, int64_t *starts, bb_place *places, int64_t *work,
                    int64_t *next);

/* Bring numbers of places into the order of their tokens, or, if not `by_token`, back. */
void bb_align_reorder(const bb_bitext *text, int64_t *next, const float *values, int by_token,
                      float *out);

/* Copy the numbers of the places of pairs first .. last - 1, in the order of places; or put them back. */
void bb_align_copy(const bb_bitext *text, int64_t first, int64_t last, float *places, float *some,
                   int back);

/* D of the target tokens of pairs first .. last - 1. */
void bb_align_norms(const bb_bitext *text, int64_t first, int64_t last, float *norms);

/* The gains of places of source words first .. last - 1, all t being the same.
 * null_share: p0 / (1 - p0). */
void bb_align_begin(const bb_bitext *text, int64_t first, int64_t last, float null_share,
                    float *back);

/* Add the source words of `rows` to the gains of target tokens of pairs first .. last - 1, which are
 * sums yet, and find those of their own places there. sums: of the columns of all rows. null: t of
 * source words, given nothing. null_counts: what is expected to come from nothing is added, for each
 * source word. spread: target_words zeros, which are zeros again at the end. */
void bb_align_sum(const bb_bitext *text, int64_t first, int64_t last, const bb_rows *rows,
                  const double *sums, float null_share, const float *null, float *forth,
                  float *back, double *null_counts, bb_both *spread, const volatile int32_t *stop);

double bb_align_gains(const int32_t *words, int64_t tokens, const float *norms, float null_share,
                      const float *null, int asked, float *gains, double *null_counts);

/* Counts of the source words first .. last - 1.
 *
 * before: t, or NULL at the start, where it is that of `classes`, or 1 if they are NULL. sums: of the
 * columns of all of it. Counts are left out where both are below `least`. t: return the next t, times
 * what `alike` says (or NULL), of which the back part is not yet divided by its column's sum; else
 * counts, in the order of the columns, without those whose geometric mean is below `floor`. new_sums:
 * the columns' sums are added. starts: last - first + 1. columns, values: as many as there may be. */
typedef struct {
    const bb_rows *before;
    const double *sums;
    const bb_classes *classes;
    const bb_alike *alike;
    double least;
    float floor;
    int t;
} bb_align_step;

/* Of target words, target classes, and pieces. All but list are zeros, and zeros again. */
typedef struct {
    bb_cell *cells;
    int32_t *list;
    bb_both *classes;
    uint8_t *pieces;
} bb_align_scratch;

void bb_align_rows(const bb_bitext *text, int64_t first, int64_t last, const bb_align_step *step,
                   const float *forth, const float *back, int64_t *starts, int32_t *columns,
                   bb_both *values, double *new_sums, const bb_align_scratch *scratch,
                   const volatile int32_t *stop);

#endif
