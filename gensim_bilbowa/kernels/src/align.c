/* Word alignment; see align.h. Time goes to waits for rows of target words, which vectors do not
 * shorten: compiled for AVX2 it is no faster. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "align.h"

#define AHEAD 8
#define OFTEN 4096                       /* places between two looks at the stop flag */
#define NEVER 1e-30f                     /* least t of words that stand in a pair */
#define MANY 32                          /* part of all words that is found sooner than sorted */

/* The place of token `at` of the source sentence of a pair. */
static inline bb_place place_of(const bb_bitext *text, int64_t pair, int64_t at)
{
    int64_t m = text->source_offsets[pair + 1] - text->source_offsets[pair];
    int64_t from = text->target_offsets[pair], n = text->target_offsets[pair + 1] - from;
    int64_t low = 0, high = n;
    if (n > 2 * BB_BAND + 1) {
        int64_t middle = (2 * at + 1) * n / (2 * m);
        low = middle > BB_BAND ? middle - BB_BAND : 0;
        high = middle + BB_BAND + 1 < n ? middle + BB_BAND + 1 : n;
    }
    bb_place seen = {(int32_t)(from + low), (int32_t)(high - low),
                     (int32_t)(text->row_of[n] + low), text->positions[text->row_of[m] + at]};
    return seen;
}

/* u of the target tokens that a place looks at: of exp(position x) and exp(position y). */
static inline void find_nears(const bb_bitext *text, bb_place seen, float *nears)
{
    const float *positions = text->positions + seen.row;
    float own = seen.position;
    for (int64_t j = 0; j < seen.count; j++) {
        float up = positions[j] / own, down = own / positions[j];
        nears[j] = up < down ? up : down;
    }
}

/* Call for what a later place will look at. */
static inline void prefetch_place(const bb_bitext *text, const float *forth, int64_t place, int64_t end)
{
    if (place + AHEAD < end) {
        int64_t from = text->places[place + AHEAD].from;
        __builtin_prefetch(forth + from, 1);
        __builtin_prefetch(text->target + from);
    }
}

void bb_align_positions(int64_t length, float position, float *positions)
{
    for (int64_t i = 0; i < length; i++)
        positions[i] = expf(position * ((float)i + 0.5f) / (float)length);
}

void bb_align_index(const bb_bitext *text, int64_t *starts, bb_place *places, int64_t *work,
                    int64_t *next)
{
    int64_t tokens = text->source_offsets[text->pairs];
    memset(starts, 0, (size_t)(text->source_words + 1) * sizeof *starts);
    memset(work, 0, (size_t)text->source_words * sizeof *work);
    for (int64_t k = 0; k < tokens; k++)
        starts[text->source[k] + 1]++;
    for (int64_t e = 0; e < text->source_words; e++) {
        next[e] = starts[e];
        starts[e + 1] += starts[e];
    }
    for (int64_t s = 0; s < text->pairs; s++) {
        int64_t from = text->source_offsets[s], n = text->source_offsets[s + 1] - from;
        for (int64_t i = 0; i < n; i++) {
            int32_t e = text->source[from + i];
            bb_place seen = place_of(text, s, i);
            places[next[e]++] = seen;
            work[e] += seen.count;
        }
    }
}

void bb_align_reorder(const bb_bitext *text, int64_t *next, const float *values, int by_token,
                      float *out)
{
    int64_t tokens = text->source_offsets[text->pairs];
    memcpy(next, text->starts, (size_t)text->source_words * sizeof *next);
    for (int64_t k = 0; k < tokens; k++) {
        int64_t place = next[text->source[k]]++;
        if (by_token)
            out[k] = values[place];
        else
            out[place] = values[k];
    }
}

void bb_align_norms(const bb_bitext *text, int64_t first, int64_t last, float *norms)
{
    float nears[2 * BB_BAND + 1];
    for (int64_t s = first; s < last; s++) {
        int64_t m = text->source_offsets[s + 1] - text->source_offsets[s];
        memset(norms + text->target_offsets[s], 0,
               (size_t)(text->target_offsets[s + 1] - text->target_offsets[s]) * sizeof *norms);
        for (int64_t i = 0; i < m; i++) {
            bb_place seen = place_of(text, s, i);
            find_nears(text, seen, nears);
            for (int64_t j = 0; j < seen.count; j++)
                norms[seen.from + j] += nears[j];
        }
    }
}

void bb_align_begin(const bb_bitext *text, int64_t first, int64_t last, float null_share,
                    float *back)
{
    float nears[2 * BB_BAND + 1];
    for (int64_t place = text->starts[first]; place < text->starts[last]; place++) {
        float norm = 0.0f;
        find_nears(text, text->places[place], nears);
        for (int64_t j = 0; j < text->places[place].count; j++)
            norm += nears[j];
        back[place] = 1.0f / ((1.0f + null_share) * norm);
    }
}

/* The first of places `low` to `high` of a word that is in this pair or a later one. */
static int64_t first_in(const bb_bitext *text, int64_t low, int64_t high, int64_t pair)
{
    int64_t from = text->target_offsets[pair];
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (text->places[middle].from < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void bb_align_copy(const bb_bitext *text, int64_t first, int64_t last, float *places, float *some,
                   int back)
{
    for (int64_t e = 0; e < text->source_words; e++) {
        int64_t end = text->starts[e + 1];
        int64_t place = first_in(text, text->starts[e], end, first);
        size_t size = (size_t)(first_in(text, place, end, last) - place);
        if (back)
            memcpy(places + place, some, size * sizeof *some);
        else
            memcpy(some, places + place, size * sizeof *some);
        some += size;
    }
}

/* 0 of 0: of a token that nothing comes from. */
static inline float inverse(float total)
{
    return total > 0.0f ? 1.0f / total : 0.0f;
}

/* t of a row's entry, of which the back part is divided by its column's sum. */
static inline bb_both normalized(bb_both value, double sum)
{
    bb_both t = {value.forth, sum > 0.0 ? (float)(value.back / sum) : 0.0f};
    return t;
}

void bb_align_sum(const bb_bitext *text, int64_t first, int64_t last, const bb_rows *rows,
                  const double *sums, float null_share, const float *null, float *forth,
                  float *back, double *null_counts, bb_both *spread, const volatile int32_t *stop)
{
    const bb_both nothing = {0.0f, 0.0f};
    float nears[2 * BB_BAND + 1];
    for (int64_t r = 0; r < rows->rows && !*stop; r++) {
        int64_t e = rows->first + r, end = text->starts[e + 1];
        int64_t place = first_in(text, text->starts[e], end, first);
        end = first_in(text, place, end, last);
        if (place == end)
            continue;
        for (int64_t k = rows->starts[r]; k < rows->starts[r + 1]; k++)
            spread[rows->columns[k]] = normalized(rows->values[k], sums[rows->columns[k]]);
        float null_t = null_share * null[e];
        for (; place < end; place++) {
            if (place % OFTEN == 0 && *stop)
                break;
            prefetch_place(text, forth, place, end);
            bb_place seen = text->places[place];
            const int32_t *words = text->target + seen.from;
            float *of = forth + seen.from, norm = 0.0f, sum = 0.0f;
            find_nears(text, seen, nears);
            for (int64_t j = 0; j < seen.count; j++) {
                bb_both t = spread[words[j]];
                of[j] += nears[j] * t.forth;
                sum += nears[j] * t.back;
                norm += nears[j];
            }
            float none = norm * null_t, gain = inverse(none + sum);
            back[place] = gain;
            null_counts[e] += none * gain;
        }
        for (int64_t k = rows->starts[r]; k < rows->starts[r + 1]; k++)
            spread[rows->columns[k]] = nothing;
    }
}

double bb_align_gains(const int32_t *words, int64_t tokens, const float *norms, float null_share,
                      const float *null, int asked, float *gains, double *null_counts)
{
    double likelihood = 0.0;
    for (int64_t k = 0; k < tokens; k++) {
        float nothing = norms[k] * null_share * null[words[k]];
        float total = nothing + gains[k];
        gains[k] = inverse(total);
        null_counts[words[k]] += nothing * gains[k];
        if (asked && norms[k] > 0.0f)
            likelihood += log((double)total / ((1.0 + null_share) * norms[k]));
    }
    return likelihood;
}

/* Spread out what t is before a pass; returns how many words are known to have one. */
static int64_t spread_t(const bb_align_step *step, int64_t e, const bb_align_scratch *scratch)
{
    if (step->before != NULL) {
        const int64_t *row = step->before->starts + (e - step->before->first);
        for (int64_t k = row[0]; k < row[1]; k++) {
            int32_t f = step->before->columns[k];
            scratch->list[k - row[0]] = f;
            scratch->cells[f].t = normalized(step->before->values[k], step->sums[f]);
        }
        return row[1] - row[0];
    }
    if (step->classes != NULL) {
        const bb_rows *rows = &step->classes->rows;
        const int64_t *row = rows->starts + step->classes->source[e];
        for (int64_t k = row[0]; k < row[1]; k++)
            scratch->classes[rows->columns[k]] =
                normalized(rows->values[k], step->classes->sums[rows->columns[k]]);
    }
    return 0;
}

/* Note a target word that a source word meets for the first time, with what t it begins. */
static inline bb_both begin_t(const bb_align_step *step, int32_t f, int64_t *known,
                           const bb_align_scratch *scratch)
{
    bb_both t = {1.0f, 1.0f};
    if (step->classes != NULL)
        t = scratch->classes[step->classes->target[f]];
    t.forth = t.forth > NEVER ? t.forth : NEVER;
    scratch->cells[f].t = t;
    scratch->list[(*known)++] = f;
    return t;
}

/* What the spelling of a word makes of t; the word's own pieces are marked. */
static float likeness_factor(const bb_alike *alike, int64_t pieces, int32_t word, const uint8_t *marked)
{
    const int64_t *part = alike->target.starts + word;
    int64_t shared = 0;
    for (int64_t k = part[0]; k < part[1]; k++)
        shared += marked[alike->target.pieces[k]];
    if (shared == 0)
        return 1.0f;
    return expf(alike->weight * (float)shared / sqrtf((float)(pieces * (part[1] - part[0]))));
}

static void mark_pieces(const bb_spelling *spelling, int64_t word, uint8_t *marked, uint8_t as)
{
    for (int64_t k = spelling->starts[word]; k < spelling->starts[word + 1]; k++)
        marked[spelling->pieces[k]] = as;
}

static int compare_words(const void *one, const void *other)
{
    int32_t a = *(const int32_t *)one, b = *(const int32_t *)other;
    return (a > b) - (a < b);
}

static inline int is_counted(bb_both count)
{
    return count.forth > 0.0f || count.back > 0.0f;
}

/* List the words whose counts are wanted in their order, and clear the others; returns how many. */
static int64_t prune_counts(float floor, int64_t words, int64_t known, const bb_align_scratch *scratch)
{
    const bb_cell none = {{0.0f, 0.0f}, {0.0f, 0.0f}};
    int32_t *list = scratch->list;
    bb_cell *cells = scratch->cells;
    int64_t kept = 0;
    for (int64_t k = 0; k < known; k++) {
        int32_t f = list[k];
        bb_both count = cells[f].count;
        if (is_counted(count) && sqrtf(count.forth * count.back) >= floor)
            list[kept++] = f;
        else
            cells[f] = none;
    }
    if (kept > words / MANY)
        for (int32_t f = 0, k = 0; k < kept; f++) {
            if (is_counted(cells[f].count))
                list[k++] = f;
        }
    else
        qsort(list, (size_t)kept, sizeof *list, compare_words);
    return kept;
}

/* Write a row of what was counted, and clear the counts; returns the end of what is written. */
static int64_t write_row(const bb_bitext *text, const bb_align_step *step, int64_t e, int64_t known,
                         int64_t out, int32_t *columns, bb_both *values, double *new_sums,
                         const bb_align_scratch *scratch)
{
    const bb_both no_t = {0.0f, 0.0f};
    const bb_cell none = {no_t, no_t};
    const bb_alike *alike = step->t ? step->alike : NULL;
    bb_cell *cells = scratch->cells;
    double total = 0.0;
    for (int64_t k = 0; k < known; k++) {
        int32_t f = scratch->list[k];
        if (cells[f].count.forth < step->least && cells[f].count.back < step->least)
            cells[f].count = no_t;
        total += cells[f].count.forth;
    }
    double scale = !step->t ? 1.0 : total > 0.0 ? 1.0 / total : 0.0;
    if (!step->t)
        known = prune_counts(step->floor, text->target_words, known, scratch);
    int64_t pieces = 0;
    if (alike != NULL) {
        mark_pieces(&alike->source, e, scratch->pieces, 1);
        pieces = alike->source.starts[e + 1] - alike->source.starts[e];
    }
    for (int64_t k = 0; k < known; k++) {
        int32_t f = scratch->list[k];
        bb_both count = cells[f].count;
        if (is_counted(count)) {
            float more = alike ? likeness_factor(alike, pieces, f, scratch->pieces) : 1.0f;
            columns[out] = f;
            values[out].forth = (float)(count.forth * scale) * more;
            values[out++].back = count.back * more;
            new_sums[f] += count.back;
        }
        cells[f] = none;
    }
    if (alike != NULL)
        mark_pieces(&alike->source, e, scratch->pieces, 0);
    if (step->before == NULL && step->classes != NULL) {
        const bb_rows *rows = &step->classes->rows;
        const int64_t *row = rows->starts + step->classes->source[e];
        for (int64_t k = row[0]; k < row[1]; k++)
            scratch->classes[rows->columns[k]] = no_t;
    }
    return out;
}

void bb_align_rows(const bb_bitext *text, int64_t first, int64_t last, const bb_align_step *step,
                   const float *forth, const float *back, int64_t *starts, int32_t *columns,
                   bb_both *values, double *new_sums, const bb_align_scratch *scratch,
                   const volatile int32_t *stop)
{
    float nears[2 * BB_BAND + 1];
    bb_cell *cells = scratch->cells;
    int begins = step->before == NULL;
    starts[0] = 0;
    int64_t out = 0;
    for (int64_t e = first; e < last; e++) {
        int64_t known = spread_t(step, e, scratch);
        int64_t end = *stop ? text->starts[e] : text->starts[e + 1];
        for (int64_t place = text->starts[e]; place < end; place++) {
            if (place % OFTEN == 0 && *stop)
                break;
            prefetch_place(text, forth, place, end);
            bb_place seen = text->places[place];
            const int32_t *words = text->target + seen.from;
            const float *of = forth + seen.from;
            float own = back[place];
            find_nears(text, seen, nears);
            for (int64_t j = 0; j < seen.count; j++) {
                bb_cell *cell = cells + words[j];
                bb_both t = cell->t;
                if (begins && t.forth == 0.0f)
                    t = begin_t(step, words[j], &known, scratch);
                cell->count.forth += nears[j] * of[j] * t.forth;
                cell->count.back += nears[j] * own * t.back;
            }
        }
        out = write_row(text, step, e, known, out, columns, values, new_sums, scratch);
        starts[e - first + 1] = out;
    }
}
