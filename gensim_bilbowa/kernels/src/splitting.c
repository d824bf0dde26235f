/* Splitting text at white space, by masks of 64 bytes at a time. */
#include "splitting.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#define SSE2 1
#endif

#define LOWEST_BIT(mask) __builtin_ctzll(mask)

#define CHUNK 64

/* Mark the bytes of a chunk that are ASCII white space, newlines, and not ASCII. */
static void classify(const uint8_t *chunk, uint64_t *white, uint64_t *newline, uint64_t *high)
{
    *white = *newline = *high = 0;
#if SSE2
    const __m128i four = _mm_set1_epi8(4);
    for (int i = 0; i < CHUNK; i += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(chunk + i));
        __m128i a = _mm_sub_epi8(v, _mm_set1_epi8(0x09)); /* \t \n \v \f \r */
        __m128i b = _mm_sub_epi8(v, _mm_set1_epi8(0x1C)); /* four separators and the space */
        __m128i w = _mm_or_si128(_mm_cmpeq_epi8(_mm_min_epu8(a, four), a),
                                 _mm_cmpeq_epi8(_mm_min_epu8(b, four), b));
        __m128i n = _mm_cmpeq_epi8(v, _mm_set1_epi8('\n'));
        *white |= (uint64_t)(uint32_t)_mm_movemask_epi8(w) << i;
        *newline |= (uint64_t)(uint32_t)_mm_movemask_epi8(n) << i;
        *high |= (uint64_t)(uint32_t)_mm_movemask_epi8(v) << i;
    }
#else
    for (int i = 0; i < CHUNK; i++) {
        uint8_t c = chunk[i];
        *white |= (uint64_t)((uint8_t)(c - 0x09) <= 4 || (uint8_t)(c - 0x1C) <= 4) << i;
        *newline |= (uint64_t)(c == '\n') << i;
        *high |= (uint64_t)(c >> 7) << i;
    }
#endif
}

static int continues(uint8_t c)
{
    return (c & 0xC0) == 0x80;
}

/* Length of the character of several bytes at p, of which `left` are there; 0 if it is none. */
static int character(const uint8_t *p, int64_t left, int *white)
{
    uint8_t c = p[0];
    *white = 0;
    if (c < 0xC2 || left < 2 || !continues(p[1]))
        return 0;
    if (c < 0xE0) {
        *white = c == 0xC2 && (p[1] == 0x85 || p[1] == 0xA0);
        return 2;
    }
    if (left < 3 || !continues(p[2]))
        return 0;
    if (c < 0xF0) {
        if ((c == 0xE0 && p[1] < 0xA0) || (c == 0xED && p[1] > 0x9F))
            return 0; /* overlong, surrogate */
        if (c <= 0xE3) {
            uint32_t all = (uint32_t)c << 16 | (uint32_t)p[1] << 8 | p[2];
            *white = all == 0xE19A80 || (all >= 0xE28080 && all <= 0xE2808A) || all == 0xE280A8 ||
                     all == 0xE280A9 || all == 0xE280AF || all == 0xE2819F || all == 0xE38080;
        }
        return 3;
    }
    if (c > 0xF4 || left < 4 || !continues(p[3]))
        return 0;
    if ((c == 0xF0 && p[1] < 0x90) || (c == 0xF4 && p[1] > 0x8F))
        return 0; /* overlong, beyond U+10FFFF */
    return 4;
}

/* Check the characters that begin in a chunk at its `high` bytes, and add the white ones. */
static int check(bb_scanner *s, uint64_t high, uint64_t *white)
{
    if (s->checked > s->at)
        high &= ~(uint64_t)0 << (s->checked - s->at);
    while (high) {
        int bit = LOWEST_BIT(high), is_white;
        int bytes = character(s->text + s->at + bit, s->length - s->at - bit, &is_white);
        if (!bytes)
            return 0;
        uint64_t ones = ((uint64_t)1 << bytes) - 1;
        high &= ~(ones << bit);
        s->checked = s->at + bit + bytes;
        if (is_white) {
            *white |= ones << bit;
            if (bit + bytes > CHUNK)
                s->white = ones >> (CHUNK - bit);
        }
    }
    return 1;
}

int64_t bb_next_words(bb_scanner *s, bb_word *words)
{
    int64_t n = 0;
    /* A chunk ends at most 33 words, with one that began before it. */
    while (s->at < s->length && n <= BB_BATCH - (CHUNK / 2 + 1)) {
        const uint8_t *chunk = s->text + s->at;
        uint8_t padded[CHUNK];
        if (s->length - s->at < CHUNK) {
            memset(padded, ' ', CHUNK);
            memcpy(padded, chunk, (size_t)(s->length - s->at));
            chunk = padded;
        }
        uint64_t white, newline, high;
        classify(chunk, &white, &newline, &high);
        white |= s->white;
        s->white = 0;
        if (high && !check(s, high, &white))
            return BB_NOT_UTF8;
        /* The bits where a word begins or ends, in turns. */
        uint64_t edges = ~white ^ (~white << 1 | (s->start >= 0));
        for (;;) {
            uint64_t here = newline ? edges & (newline ^ (newline - 1)) : edges;
            edges ^= here;
            for (; here; here &= here - 1) {
                int64_t edge = s->at + LOWEST_BIT(here);
                if (s->start < 0) {
                    s->start = edge;
                } else {
                    words[n].start = (uint32_t)s->start;
                    words[n].length = (uint32_t)(edge - s->start);
                    words[n++].line = (uint32_t)s->line;
                    s->start = -1;
                }
            }
            if (!newline)
                break;
            newline &= newline - 1;
            s->line++;
        }
        s->at += CHUNK;
    }
    if (s->at >= s->length && s->start >= 0) {
        words[n].start = (uint32_t)s->start;
        words[n].length = (uint32_t)(s->length - s->start);
        words[n++].line = (uint32_t)s->line;
        s->start = -1;
    }
    return n;
}

bb_scanner bb_scan(const uint8_t *text, int64_t length)
{
    bb_scanner s = {text, length, 0, -1, 0, 0, 0};
    return s;
}

int64_t bb_lines(const uint8_t *text, int64_t length)
{
    const uint8_t *p = text, *end = text + length;
    int64_t lines = 0;
    while (p < end) {
        const uint8_t *newline = memchr(p, '\n', (size_t)(end - p));
        lines++;
        p = newline ? newline + 1 : end;
    }
    return lines;
}

static int is_blank(const uint8_t *text, int64_t length)
{
    bb_word words[BB_BATCH];
    bb_scanner s = bb_scan(text, length);
    return bb_next_words(&s, words) == 0;
}

int64_t bb_column(const uint8_t *text, int64_t length, int64_t column, int64_t wanted,
                  uint8_t *out)
{
    const uint8_t *p = text, *end = text + length;
    uint8_t *to = out;
    for (int64_t line = 0; p < end; line++) {
        const uint8_t *stop = memchr(p, '\n', (size_t)(end - p));
        if (!stop)
            stop = end;
        const uint8_t *cell = p, *first = stop, *last = stop;
        int64_t cells = 0;
        while (cells < wanted) {
            const uint8_t *tab = memchr(cell, '\t', (size_t)(stop - cell));
            if (cells == column) {
                first = cell;
                last = tab ? tab : stop;
            }
            cells++;
            if (!tab)
                break;
            cell = tab + 1;
        }
        if (cells < wanted) {
            if (!is_blank(p, stop - p))
                return -1 - line;
            last = first;
        }
        memcpy(to, first, (size_t)(last - first));
        to += last - first;
        *to++ = '\n';
        p = stop < end ? stop + 1 : end;
    }
    return to - out;
}
