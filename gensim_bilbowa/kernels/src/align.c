/* Word alignment; see align.h. Time goes to waits for rows of target words, which vectors do not
 * shorten: compiled for AVX2 it is no faster. */
#include <math.h>
#include <string.h>

#include "align.h"

#define AHEAD 8                          /* places of a word */
#define OFTEN 4096                       /* places between two looks at the stop flag */
#define NEVER 1e-30f                     /* least t of words that stand in a pair */

/* A place of a source word: its own, and what it looks at of the target sentence. */
typedef struct {
    float place;
    int64_t from;                        /* tokens */
    int64_t count;
} view;

static inline view look(const bb_bitext *text, int64_t pair, int64_t at)
{
    int64_t source = text->source_offsets[pair];
    int64_t from = text->target_offsets[pair], n = text->target_offsets[pair + 1] - from;
    view seen = {text->source_places[source + at], from, n};
    if (n > 2 * BB_BAND + 1) {
        int64_t m = text->source_offsets[pair + 1] - source;
        int64_t middle = (2 * at + 1) * n / (2 * m);
        int64_t low = middle > BB_BAND ? middle - BB_BAND : 0;
        int64_t high = middle + BB_BAND + 1 < n ? middle + BB_BAND + 1 : n;
        seen.from += low;
        seen.count = high - low;
    }
    return seen;
}

/* exp(-position |x - y|), of exp(position x) and exp(position y). */
static inline float nearness(float a, float b)
{
    float up = a / b, down = b / a;
    return up < down ? up : down;
}

static inline void fetch(const bb_bitext *text, const float *gains, int64_t place, int64_t last)
{
    if (place + 2 * AHEAD < last)
        __builtin_prefetch(text->target_offsets + text->in_pair[place + 2 * AHEAD]);
    if (place + AHEAD < last) {
        int64_t from = text->target_offsets[text->in_pair[place + AHEAD]];
        __builtin_prefetch(gains + from, 1);
        __builtin_prefetch(text->target + from);
        __builtin_prefetch(text->target_places + from);
    }
}

void bb_align_places(const int64_t *offsets, int64_t pairs, float position, float *places)
{
    for (int64_t s = 0; s < pairs; s++) {
        float *of = places + offsets[s];
        int64_t n = offsets[s + 1] - offsets[s];
        for (int64_t i = 0; i < n; i++)
            of[i] = expf(position * ((float)i + 0.5f) / (float)n);
    }
}

void bb_align_index(const bb_bitext *text, int64_t *starts, int32_t *in_pair, int32_t *at,
                    int64_t *work, int64_t *next)
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
            in_pair[next[e]] = (int32_t)s;
            at[next[e]++] = (int32_t)i;
            work[e] += look(text, s, i).count;
        }
    }
}

void bb_align_norms(const bb_bitext *text, int64_t first, int64_t last, float *norms)
{
    for (int64_t s = first; s < last; s++) {
        int64_t m = text->source_offsets[s + 1] - text->source_offsets[s];
        memset(norms + text->target_offsets[s], 0,
               (size_t)(text->target_offsets[s + 1] - text->target_offsets[s]) * sizeof *norms);
        for (int64_t i = 0; i < m; i++) {
            view seen = look(text, s, i);
            const float *places = text->target_places + seen.from;
            float *of = norms + seen.from;
            for (int64_t j = 0; j < seen.count; j++)
                of[j] += nearness(places[j], seen.place);
        }
    }
}

/* The first of a word's places from `low` to `high` that is in this pair or a later one. */
static int64_t first_in(const bb_bitext *text, int64_t low, int64_t high, int64_t pair)
{
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (text->in_pair[middle] < pair)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void bb_align_sum(const bb_bitext *text, int64_t first, int64_t last, const bb_rows *rows,
                  float *gains, float *spread, const volatile int32_t *stop)
{
    for (int64_t r = 0; r < rows->rows && !*stop; r++) {
        int64_t e = rows->first + r, end = text->starts[e + 1];
        int64_t place = first_in(text, text->starts[e], end, first);
        end = first_in(text, place, end, last);
        if (place == end)
            continue;
        for (int64_t k = rows->starts[r]; k < rows->starts[r + 1]; k++)
            spread[rows->columns[k]] = rows->values[k];
        for (; place < end; place++) {
            if (place % OFTEN == 0 && *stop)
                break;
            fetch(text, gains, place, end);
            view seen = look(text, text->in_pair[place], text->at[place]);
            const int32_t *words = text->target + seen.from;
            const float *places = text->target_places + seen.from;
            float *sums = gains + seen.from;
            for (int64_t j = 0; j < seen.count; j++)
                sums[j] += nearness(places[j], seen.place) * spread[words[j]];
        }
        for (int64_t k = rows->starts[r]; k < rows->starts[r + 1]; k++)
            spread[rows->columns[k]] = 0.0f;
    }
}

double bb_align_gains(const bb_bitext *text, int64_t first, int64_t last, const float *norms,
                      float null_share, const float *null, int asked, float *gains,
                      double *null_counts)
{
    double likelihood = 0.0;
    for (int64_t k = text->target_offsets[first]; k < text->target_offsets[last]; k++) {
        int32_t f = text->target[k];
        float nothing = norms[k] * null_share * null[f];
        float total = nothing + gains[k];
        gains[k] = total > 0.0f ? 1.0f / total : 0.0f;
        null_counts[f] += nothing * gains[k];
        if (asked && norms[k] > 0.0f)
            likelihood += log((double)total / ((1.0 + null_share) * norms[k]));
    }
    return likelihood;
}

/* Spread out what t is before a pass; returns how many words are known to have one. */
static int64_t spread_out(const bb_align_step *step, int64_t e, const bb_align_scratch *scratch)
{
    if (step->before != NULL) {
        const int64_t *row = step->before->starts + (e - step->before->first);
        for (int64_t k = row[0]; k < row[1]; k++) {
            scratch->list[k - row[0]] = step->before->columns[k];
            scratch->t[step->before->columns[k]] = step->before->values[k];
        }
        return row[1] - row[0];
    }
    if (step->classes != NULL) {
        const int64_t *row = step->classes->rows.starts + step->classes->source[e];
        for (int64_t k = row[0]; k < row[1]; k++)
            scratch->classes[step->classes->rows.columns[k]] = step->classes->rows.values[k];
    }
    return 0;
}

/* Note target words that a source word meets for the first time; returns how many are known then. */
static int64_t meet(const bb_align_step *step, const int32_t *words, int64_t count, int64_t known,
                    const bb_align_scratch *scratch)
{
    for (int64_t j = 0; j < count; j++)
        if (scratch->t[words[j]] == 0.0f) {
            float t = step->classes ? scratch->classes[step->classes->target[words[j]]] : 1.0f;
            scratch->t[words[j]] = t > NEVER ? t : NEVER;
            scratch->list[known++] = words[j];
        }
    return known;
}

/* What the spelling of a word makes of t; the word's own pieces are marked. */
static float boost(const bb_alike *alike, int64_t pieces, int32_t word, const uint8_t *marked)
{
    const int64_t *part = alike->target.starts + word;
    int64_t shared = 0;
    for (int64_t k = part[0]; k < part[1]; k++)
        shared += marked[alike->target.pieces[k]];
    if (shared == 0)
        return 1.0f;
    return expf(alike->weight * (float)shared / sqrtf((float)(pieces * (part[1] - part[0]))));
}

static void mark(const bb_spelling *spelling, int64_t word, uint8_t *marked, uint8_t as)
{
    for (int64_t k = spelling->starts[word]; k < spelling->starts[word + 1]; k++)
        marked[spelling->pieces[k]] = as;
}

void bb_align_rows(const bb_bitext *text, int64_t first, int64_t last, const bb_align_step *step,
                   const float *gains, int64_t *starts, int32_t *columns, float *values,
                   const bb_align_scratch *scratch, const volatile int32_t *stop)
{
    float weights[2 * BB_BAND + 1];
    float *t = scratch->t;
    double *counts = scratch->counts;
    int32_t *list = scratch->list;
    starts[0] = 0;
    int64_t out = 0;
    for (int64_t e = first; e < last; e++) {
        int64_t known = spread_out(step, e, scratch);
        int64_t end = *stop ? text->starts[e] : text->starts[e + 1];
        for (int64_t place = text->starts[e]; place < end; place++) {
            if (place % OFTEN == 0 && *stop)
                break;
            fetch(text, gains, place, end);
            view seen = look(text, text->in_pair[place], text->at[place]);
            const int32_t *words = text->target + seen.from;
            const float *places = text->target_places + seen.from, *of = gains + seen.from;
            /* By themselves, so that the compiler can take several at once. */
            for (int64_t j = 0; j < seen.count; j++)
                weights[j] = nearness(places[j], seen.place) * of[j];
            if (step->before == NULL)
                known = meet(step, words, seen.count, known, scratch);
            for (int64_t j = 0; j < seen.count; j++)
                counts[words[j]] += weights[j] * t[words[j]];
        }
        double total = 0.0;
        for (int64_t k = 0; k < known; k++) {
            if (counts[list[k]] < step->least)
                counts[list[k]] = 0.0;
            total += counts[list[k]];
        }
        double scale = !step->t ? 1.0 : total > 0.0 ? 1.0 / total : 0.0;
        const bb_alike *alike = step->t ? step->alike : NULL;
        int64_t pieces = 0;
        if (alike != NULL) {
            mark(&alike->source, e, scratch->pieces, 1);
            pieces = alike->source.starts[e + 1] - alike->source.starts[e];
        }
        for (int64_t k = 0; k < known; k++) {
            int32_t f = list[k];
            if (counts[f] > 0.0) {
                columns[out] = f;
                values[out] = (float)(counts[f] * scale);
                if (alike != NULL)
                    values[out] *= boost(alike, pieces, f, scratch->pieces);
                out++;
            }
            counts[f] = 0.0;
            t[f] = 0.0f;
        }
        if (alike != NULL)
            mark(&alike->source, e, scratch->pieces, 0);
        if (step->before == NULL && step->classes != NULL) {
            const int64_t *row = step->classes->rows.starts + step->classes->source[e];
            for (int64_t k = row[0]; k < row[1]; k++)
                scratch->classes[step->classes->rows.columns[k]] = 0.0f;
        }
        starts[e - first + 1] = out;
    }
}

void bb_most_alike(const bb_spelling *of, int64_t words, const int64_t *starts, const int32_t *ids,
                   const int32_t *sizes, int32_t *best, float *likeness, int32_t *shared,
                   int32_t *list)
{
    for (int64_t e = 0; e < words; e++) {
        int64_t met = 0, pieces = of->starts[e + 1] - of->starts[e];
        for (int64_t p = of->starts[e]; p < of->starts[e + 1]; p++) {
            int32_t piece = of->pieces[p];
            for (int64_t k = starts[piece]; k < starts[piece + 1]; k++)
                if (shared[ids[k]]++ == 0)
                    list[met++] = ids[k];
        }
        best[e] = -1;
        likeness[e] = 0.0f;
        for (int64_t k = 0; k < met; k++) {
            int32_t f = list[k];
            float alike = (float)shared[f] / sqrtf((float)(pieces * sizes[f]));
            shared[f] = 0;
            if (alike > likeness[e] || (alike == likeness[e] && f < best[e])) {
                likeness[e] = alike;
                best[e] = f;
            }
        }
    }
}
