/* Links between spans; see spans.h. */
#include <math.h>
#include <string.h>

#include "align.h"
#include "spans.h"

int64_t bb_looked_at(int64_t length)
{
    return length > 2 * BB_BAND + 1 ? 2 * BB_BAND + 1 : length;
}

/* The first of `length` target tokens that source token `at` of `of` looks at. */
static int64_t first_seen(int64_t at, int64_t of, int64_t length)
{
    int64_t count = bb_looked_at(length);
    int64_t low = (2 * at + 1) * length / (2 * of) - BB_BAND;
    low = low < 0 || count == length ? 0 : low;
    return low + count > length ? length - count : low;
}

/* Which entry of a row has this column, or -1. */
static int64_t entry_of(const bb_entries *entries, int64_t row, int32_t column)
{
    int64_t low = entries->starts[row], high = entries->starts[row + 1], end = high;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (entries->columns[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && entries->columns[low] == column ? low : -1;
}

/* Write F and B of the cells that are looked at; 0 where one of the words does not count. */
static void find_cells(const bb_spanned *text, int64_t pair, const bb_span_scratch *scratch)
{
    int64_t from = text->source.offsets[pair], m = text->source.offsets[pair + 1] - from;
    int64_t to = text->target.offsets[pair], n = text->target.offsets[pair + 1] - to;
    int64_t width = bb_looked_at(n);
    const int32_t *ids = text->source.ids + from, *others = text->target.ids + to;
    memset(scratch->columns, 0, (size_t)n * sizeof *scratch->columns);
    memset(scratch->nulls, 0, (size_t)n * sizeof *scratch->nulls);
    for (int64_t i = 0; i < m; i++) {
        int64_t low = first_seen(i, m, n);
        float *forth = scratch->forth + i * width, *back = scratch->back + i * width;
        float own = ((float)i + 0.5f) / (float)m, near_all = 0.0f, sum = 0.0f;
        for (int64_t k = 0; k < width; k++) {
            float away = fabsf(own - ((float)(low + k) + 0.5f) / (float)n);
            float near = expf(-text->position * away);
            int64_t entry = entry_of(&text->words, ids[i], others[low + k]);
            near_all += near;
            scratch->nulls[low + k] += near;
            forth[k] = back[k] = 0.0f;
            if (entry >= 0) {
                forth[k] = near * text->words.forth[entry];
                back[k] = near * text->words.back[entry];
                sum += back[k];
                scratch->columns[low + k] += forth[k];
            }
        }
        sum += near_all * text->null_share * text->source.frequencies[ids[i]];
        for (int64_t k = 0; k < width; k++) {
            int counts = text->source.counts[ids[i]] && text->target.counts[others[low + k]];
            back[k] = counts && back[k] > 0.0f ? back[k] / sum : 0.0f;
        }
    }
    for (int64_t j = 0; j < n; j++) {
        scratch->columns[j] +=
            scratch->nulls[j] * text->null_share * text->target.frequencies[others[j]];
    }
    for (int64_t i = 0; i < m; i++) {
        int64_t low = first_seen(i, m, n);
        float *forth = scratch->forth + i * width;
        for (int64_t k = 0; k < width; k++) {
            int counts = text->source.counts[ids[i]] && text->target.counts[others[low + k]];
            forth[k] = counts && forth[k] > 0.0f ? forth[k] / scratch->columns[low + k] : 0.0f;
        }
    }
}

/* The target tokens that any token of a source span looks at, `low` to `high` - 1. */
typedef struct {
    int64_t low;
    int64_t high;
} window;

static window seen_by(bb_span span, int64_t m, int64_t n)
{
    window seen = {first_seen(span.from, m, n), first_seen(span.to - 1, m, n) + bb_looked_at(n)};
    return seen;
}

/* Write the running sums of F and B over the tokens of a source span, for each token that it sees. */
static void add_up(bb_span span, window seen, int64_t m, int64_t n, const bb_span_scratch *scratch)
{
    int64_t width = bb_looked_at(n), length = seen.high - seen.low;
    double *forth = scratch->forth_sums, *back = scratch->back_sums;
    memset(forth, 0, (size_t)(length + 1) * sizeof *forth);
    memset(back, 0, (size_t)(length + 1) * sizeof *back);
    for (int64_t i = span.from; i < span.to; i++) {
        int64_t at = first_seen(i, m, n) - seen.low + 1;
        for (int64_t k = 0; k < width; k++) {
            forth[at + k] += scratch->forth[i * width + k];
            back[at + k] += scratch->back[i * width + k];
        }
    }
    for (int64_t j = 0; j < length; j++) {
        forth[j + 1] += forth[j];
        back[j + 1] += back[j];
    }
}

/* The link of a source span, whose sums there are, to a target span. */
static float link_of(bb_span source, bb_span target, window seen, const bb_span_scratch *scratch)
{
    int64_t from = (target.from > seen.low ? target.from : seen.low) - seen.low;
    int64_t to = (target.to < seen.high ? target.to : seen.high) - seen.low;
    double forth = scratch->forth_sums[to] - scratch->forth_sums[from];
    double back = scratch->back_sums[to] - scratch->back_sums[from];
    if (forth <= 0.0 || back <= 0.0)
        return 0.0f;
    return (float)sqrt(forth / target.count * back / source.count);
}

/* Keep those of `count` links than which neither span has one that is worth more; of equals the
 * first. Returns how many. */
static int64_t keep_best(bb_link *links, int64_t count, int64_t source, int64_t target,
                         const bb_span_scratch *scratch)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < count; k++) {
        bb_link link = links[k];
        float *one = scratch->source_best + (link.source - source);
        float *other = scratch->target_best + (link.target - target);
        if (scratch->worths[k] <= 0.0f || scratch->worths[k] < *one || scratch->worths[k] < *other)
            continue;
        *one = *other = INFINITY;        /* no second one */
        links[kept++] = link;
    }
    return kept;
}

/* Find the links of a pair; returns how many, or -1 if there are more than `most`, or to stop. */
static int64_t links_of(const bb_spanned *text, int64_t pair, bb_link *links, int64_t most,
                        const bb_span_scratch *scratch, const volatile int32_t *stop)
{
    int64_t m = text->source.offsets[pair + 1] - text->source.offsets[pair];
    int64_t n = text->target.offsets[pair + 1] - text->target.offsets[pair];
    int64_t source = text->source.span_offsets[pair], target = text->target.span_offsets[pair];
    int64_t source_end = text->source.span_offsets[pair + 1];
    int64_t target_end = text->target.span_offsets[pair + 1];
    int64_t count = 0, begin = target;
    if (source == source_end || target == target_end)
        return 0;
    find_cells(text, pair, scratch);
    memset(scratch->source_best, 0, (size_t)(source_end - source) * sizeof(float));
    memset(scratch->target_best, 0, (size_t)(target_end - target) * sizeof(float));
    for (int64_t s = source; s < source_end; s++) {
        bb_span one = text->source.spans[s];
        window seen = seen_by(one, m, n);
        if (*stop)
            return -1;
        while (begin < target_end && text->target.spans[begin].to <= seen.low)
            begin++;                     /* no later span sees it, either */
        add_up(one, seen, m, n, scratch);
        for (int64_t t = begin; t < target_end; t++) {
            bb_span other = text->target.spans[t];
            if (other.to <= seen.low)
                continue;
            if (other.from >= seen.high)
                break;
            float link = link_of(one, other, seen, scratch);
            if (link < text->least || link <= 0.0f)
                continue;
            if (count == most)
                return -1;
            if (text->terms != NULL) {
                int64_t entry = entry_of(text->terms, one.term, other.term);
                float worth = entry < 0 ? 0.0f : link * text->terms->forth[entry];
                scratch->worths[count] = worth;
                if (worth > scratch->source_best[s - source])
                    scratch->source_best[s - source] = worth;
                if (worth > scratch->target_best[t - target])
                    scratch->target_best[t - target] = worth;
            }
            bb_link here = {(int32_t)pair, (int32_t)s, (int32_t)t, link};
            links[count++] = here;
        }
    }
    return text->terms != NULL ? keep_best(links, count, source, target, scratch) : count;
}

int64_t bb_span_links(const bb_spanned *text, int64_t first, int64_t last, bb_link *links,
                      int64_t most, int64_t *found, const bb_span_scratch *scratch,
                      const volatile int32_t *stop)
{
    *found = 0;
    for (int64_t pair = first; pair < last; pair++) {
        int64_t count = links_of(text, pair, links + *found, most - *found, scratch, stop);
        if (count < 0)
            return pair;
        *found += count;
    }
    return last;
}
