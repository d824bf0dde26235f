/* The input vectors of a sentence's words: rows of their matrix, or made of n-grams' rows.
 *
 * With n-grams (Bojanowski et al. 2017) a word's vector is the mean of its own row and its n-grams'
 * rows. They are composed once for each distinct word of a sentence, in rows of the caller's scratch
 * that the steps then move as they would move the matrix; how far each went is added to all its
 * word is made of.
 */
#ifndef BILBOWA_INPUTS_H
#define BILBOWA_INPUTS_H

#include <string.h>

#include "level.h"
#include "vectors.h"

#define COLUMNS_AT_ONCE 7                /* vectors: 100 floats, padded, are 7, 14 or 28 */

typedef struct {
    float *rows;
    const int32_t *places;               /* of each token: its row among `rows` */
    /* With n-grams only: */
    float *composed, *start;             /* the rows, and what they were at first */
    int32_t *words;                      /* of each composed row: its word */
    int32_t *row_of;                     /* of each word: its composed row, if `words` agrees */
    int32_t *row_of_token;
    int64_t count;                       /* composed rows */
} bb_inputs;

/* Make room for sentences of up to so many tokens; with counting, count bytes only. */
BB_INLINE void carve_inputs(bb_inputs *in, uintptr_t *at, int counting, const bb_params *params,
                            int64_t tokens)
{
    if (!params->ngrams)
        return;
    int64_t distinct = tokens < params->rows ? tokens : params->rows;
    in->composed = carve(at, 4 * distinct * params->stride);
    in->start = carve(at, 4 * distinct * params->stride);
    in->words = carve(at, 4 * (distinct + 1));
    in->row_of = carve(at, 4 * params->rows);
    in->row_of_token = carve(at, 4 * (tokens + 1));
    if (!counting)
        memset(in->row_of, 0, 4 * (size_t)params->rows);
}

BB_INLINE void fetch_parts(const bb_params *params, int32_t word)
{
    fetch_row(params->vectors + word * params->stride, params->stride);
    for (int64_t g = params->parts[word]; g < params->parts[word + 1]; g++)
        fetch_row(params->ngrams + params->ngram_ids[g] * params->stride, params->stride);
}

/* Compose a word's columns from d on. */
BB_INLINE void compose_columns(const bb_inputs *in, const bb_params *params, int64_t place,
                               int64_t d, const int columns)
{
    int64_t stride = params->stride;
    int32_t word = in->words[place];
    int64_t first = params->parts[word], last = params->parts[word + 1];
    vec sum[COLUMNS_AT_ONCE];
    const float *row = params->vectors + word * stride + d;
    BB_UNROLL
    for (int j = 0; j < columns; j++)
        sum[j] = load(row + j * BB_LANES);
    for (int64_t g = first; g < last; g++) {
        row = params->ngrams + params->ngram_ids[g] * stride + d;
        BB_UNROLL
        for (int j = 0; j < columns; j++)
            sum[j] += load(row + j * BB_LANES);
    }
    float share = 1.0f / (float)(last - first + 1);
    float *composed = in->composed + place * stride + d, *start = in->start + place * stride + d;
    BB_UNROLL
    for (int j = 0; j < columns; j++) {
        store(composed + j * BB_LANES, sum[j] * share);
        store(start + j * BB_LANES, sum[j] * share);
    }
}

/* Add a word's move to the columns from d on of all that it is made of. */
BB_INLINE void scatter_columns(const bb_inputs *in, const bb_params *params, int64_t place,
                               int64_t d, const int columns)
{
    int64_t stride = params->stride;
    int32_t word = in->words[place];
    const float *composed = in->composed + place * stride + d;
    const float *start = in->start + place * stride + d;
    float *row = params->vectors + word * stride + d;
    float lock = params->own_lockf[word % params->own_lockf_len];
    vec move[COLUMNS_AT_ONCE];
    BB_UNROLL
    for (int j = 0; j < columns; j++) {
        move[j] = load(composed + j * BB_LANES) - load(start + j * BB_LANES);
        if (lock != 0.0f)                /* adding 0 would make -0 a 0 */
            store(row + j * BB_LANES, load(row + j * BB_LANES) + move[j] * lock);
    }
    for (int64_t g = params->parts[word]; g < params->parts[word + 1]; g++) {
        int32_t ngram = params->ngram_ids[g];
        lock = params->ngrams_lockf[params->ngrams_lockf_len == 1
                                        ? 0 : ngram % params->ngrams_lockf_len];
        if (lock == 0.0f)
            continue;
        row = params->ngrams + ngram * stride + d;
        BB_UNROLL
        for (int j = 0; j < columns; j++)
            store(row + j * BB_LANES, load(row + j * BB_LANES) + move[j] * lock);
    }
}

/* Find the input vectors of a sentence. */
BB_INLINE void compose(bb_inputs *in, const bb_params *params, const int32_t *tokens, int64_t n)
{
    in->rows = params->vectors;
    in->places = tokens;
    if (!params->ngrams)
        return;
    in->rows = in->composed;
    in->places = in->row_of_token;
    in->count = 0;
    for (int64_t i = 0; i < n; i++) {
        int32_t word = tokens[i], place = in->row_of[word];
        if (place >= in->count || in->words[place] != word) {
            place = (int32_t)in->count++;
            in->words[place] = word;
            in->row_of[word] = place;
        }
        in->row_of_token[i] = place;
    }
    for (int64_t place = 0; place < in->count; place++) {
        if (place + 1 < in->count)
            fetch_parts(params, in->words[place + 1]);
        int64_t d = 0;
        for (; d + COLUMNS_AT_ONCE * BB_LANES <= params->stride; d += COLUMNS_AT_ONCE * BB_LANES)
            compose_columns(in, params, place, d, COLUMNS_AT_ONCE);
        for (; d < params->stride; d += BB_LANES)
            compose_columns(in, params, place, d, 1);
    }
}

/* Move what the vectors are made of as the vectors were moved. */
BB_INLINE void scatter(const bb_inputs *in, const bb_params *params)
{
    if (!params->ngrams)
        return;
    if (params->lockf_len == 1 && params->lockf[0] == 0.0f)
        return;                          /* nothing was moved */
    for (int64_t place = 0; place < in->count; place++) {
        int64_t d = 0;
        for (; d + COLUMNS_AT_ONCE * BB_LANES <= params->stride; d += COLUMNS_AT_ONCE * BB_LANES)
            scatter_columns(in, params, place, d, COLUMNS_AT_ONCE);
        for (; d < params->stride; d += BB_LANES)
            scatter_columns(in, params, place, d, 1);
    }
}

/* sum += the rows of tokens first .. last - 1, in the columns from d on. */
BB_INLINE void sum_columns(const bb_inputs *in, int64_t stride, int64_t first, int64_t last,
                           int64_t d, vec *sum, const int columns)
{
    const float *base = in->rows + d;
    for (int64_t i = first; i < last; i++) {
        const float *row = base + in->places[i] * stride;
        BB_UNROLL
        for (int j = 0; j < columns; j++)
            sum[j] += load(row + j * BB_LANES);
    }
}

/* Those rows += move, times the factors of their words, as often as a word stands there. */
BB_INLINE void move_columns(const bb_inputs *in, const bb_params *params, const int32_t *tokens,
                            int64_t first, int64_t last, int64_t d, const vec *move,
                            const int columns)
{
    float *base = in->rows + d;
    for (int64_t i = first; i < last; i++) {
        float lock = lock_of(params, tokens[i]);
        if (lock == 0.0f)
            continue;
        float *row = base + in->places[i] * params->stride;
        BB_UNROLL
        for (int j = 0; j < columns; j++)
            store(row + j * BB_LANES, load(row + j * BB_LANES) + move[j] * lock);
    }
}

#endif
