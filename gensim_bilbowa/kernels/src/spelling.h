/* How words are spelt, and which of two vocabularies are alike, in C without Python. */
#ifndef BILBOWA_SPELLING_H
#define BILBOWA_SPELLING_H

#include <stdint.h>

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

/* For each of `words` words the first one of others that is most alike, and how much, by the cosine
 * of their sets of pieces; -1 and 0 where there is none. starts, ids: the words of the other side that
 * have each piece, ascending. sizes: pieces of each other word. shared: others of zeros. */
void bb_most_alike(const bb_spelling *of, int64_t words, const int64_t *starts, const int32_t *ids,
                   const int32_t *sizes, int32_t *best, float *likeness, int32_t *shared,
                   int32_t *list);

/* Add weight times likeness to scores, rows `columns` apart, of words first .. last - 1. */
void bb_add_likeness(const bb_spelling *of, int64_t first, int64_t last, const int64_t *starts,
                     const int32_t *ids, const int32_t *sizes, float weight, float *scores,
                     int64_t columns, int32_t *shared, int32_t *list);

#endif
