/* Splitting text at white space by masks of 64 bytes at a time, and a hash table of words. */
#include "words.h"

#include <stdlib.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#define SSE2 1
#endif

#define LOWEST_BIT(mask) __builtin_ctzll(mask)
#define PREFETCH(address) __builtin_prefetch(address)

#define CHUNK 64
#define BATCH 256

/* ---- splitting */

typedef struct {
    uint32_t start, length, line;
} word_span;

typedef struct {
    const uint8_t *text;
    int64_t length;
    int64_t at;               /* the next chunk */
    int64_t start;            /* of the word that the last chunk ended in, or -1 */
    int64_t line;
    int64_t checked;          /* characters that begin before here are good */
    uint64_t white;           /* white space that began in the last chunk, as bits of the next */
} scanner;

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
static int check(scanner *s, uint64_t high, uint64_t *white)
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

/* Find up to BATCH further words: their number, 0 at the end, BB_NOT_UTF8. */
static int64_t next_words(scanner *s, word_span *words)
{
    int64_t n = 0;
    /* A chunk ends at most 33 words, with one that began before it. */
    while (s->at < s->length && n <= BATCH - (CHUNK / 2 + 1)) {
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

static scanner scan(const uint8_t *text, int64_t length)
{
    scanner s = {text, length, 0, -1, 0, 0, 0};
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
    word_span words[BATCH];
    scanner s = scan(text, length);
    return next_words(&s, words) == 0;
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

/* ---- the table */

/* Both halves of a product, one upon the other. */
static uint64_t fold(uint64_t a, uint64_t b)
{
#if defined(__SIZEOF_INT128__)
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
#else
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (uint32_t)middle;
    return a * b ^ (a1 * b1 + (middle >> 32) + (other >> 32));
#endif
}

/* The first n <= 8 bytes at p, zeros after them. */
static uint64_t load(const uint8_t *p, int64_t n, const uint8_t *end)
{
    static const uint8_t ones[16] = {255, 255, 255, 255, 255, 255, 255, 255};
    uint64_t value = 0, mask;
    if (end - p < 8) {
        memcpy(&value, p, (size_t)n);
        return value;
    }
    memcpy(&value, p, 8);
    memcpy(&mask, ones + 8 - n, 8);
    return value & mask;
}

/* end: as far as memory may be read. */
static uint64_t hash_word(const bb_table *t, const uint8_t *p, int64_t n, const uint8_t *end)
{
    uint64_t hash = t->seed[0], length = (uint64_t)n;
    for (; n > 16; n -= 16, p += 16)
        hash = fold(hash ^ load(p, 8, end), t->seed[1] ^ load(p + 8, 8, end)) ^ t->seed[0];
    uint64_t a = load(p, n < 8 ? n : 8, end), b = n > 8 ? load(p + 8, n - 8, end) : 0;
    return fold(hash ^ a, t->seed[1] ^ b ^ length << 56);
}

static bb_entry *find(const bb_table *t, uint64_t hash, const uint8_t *word, int64_t length)
{
    for (int64_t i = (int64_t)hash & t->mask;; i = (i + 1) & t->mask) {
        bb_slot slot = t->slots[i];
        if (!slot.entry)
            return NULL;
        if (slot.tag == hash >> 32) {
            bb_entry *e = t->entries + (slot.entry - 1);
            if (e->length == length && !memcmp(t->arena + e->at, word, (size_t)length))
                return e;
        }
    }
}

static void put(bb_slot *slots, int64_t mask, uint64_t hash, int64_t index)
{
    int64_t i = (int64_t)hash & mask;
    while (slots[i].entry)
        i = (i + 1) & mask;
    slots[i].tag = (uint32_t)(hash >> 32);
    slots[i].entry = (uint32_t)(index + 1);
}

int bb_table_init(bb_table *t, uint64_t seed0, uint64_t seed1)
{
    memset(t, 0, sizeof *t);
    t->seed[0] = seed0;
    t->seed[1] = seed1;
    t->mask = 1023;
    t->slots = calloc((size_t)t->mask + 1, sizeof *t->slots);
    return t->slots ? BB_OK : BB_NO_MEMORY;
}

void bb_table_free(bb_table *t)
{
    free(t->slots);
    free(t->entries);
    free(t->arena);
    memset(t, 0, sizeof *t);
}

/* Make room for one more word. Should memory run out, the table is as it was. */
static int grow(bb_table *t, int64_t length)
{
    if (t->size == INT32_MAX)
        return BB_NO_MEMORY;
    if (t->size == t->room) {
        int64_t room = t->room ? 2 * t->room : 512;
        bb_entry *entries = realloc(t->entries, (size_t)room * sizeof *entries);
        if (!entries)
            return BB_NO_MEMORY;
        t->entries = entries;
        t->room = room;
    }
    if (t->used + length >= t->arena_room) {
        int64_t room = 2 * (t->used + length) + 4096;
        uint8_t *arena = realloc(t->arena, (size_t)room);
        if (!arena)
            return BB_NO_MEMORY;
        t->arena = arena;
        t->arena_room = room;
    }
    if (2 * t->size > t->mask) {
        int64_t mask = 4 * t->mask + 3;
        bb_slot *slots = calloc((size_t)mask + 1, sizeof *slots);
        if (!slots)
            return BB_NO_MEMORY;
        for (int64_t i = 0; i < t->size; i++) {
            const uint8_t *word = t->arena + t->entries[i].at;
            put(slots, mask, hash_word(t, word, t->entries[i].length, t->arena + t->used), i);
        }
        free(t->slots);
        t->slots = slots;
        t->mask = mask;
    }
    return BB_OK;
}

static int add(bb_table *t, uint64_t hash, const uint8_t *word, int64_t length, int64_t count,
               int64_t mark)
{
    bb_entry *e = find(t, hash, word, length);
    if (e) {
        e->count += count;
        if (mark < e->mark)
            e->mark = mark;
        return BB_OK;
    }
    if (grow(t, length))
        return BB_NO_MEMORY;
    bb_entry entry = {t->used, length, count, mark};
    if (length)
        memcpy(t->arena + t->used, word, (size_t)length);
    t->used += length;
    t->entries[t->size] = entry;
    put(t->slots, t->mask, hash, t->size++);
    return BB_OK;
}

int bb_table_add(bb_table *t, const uint8_t *word, int64_t length, int64_t count, int64_t mark)
{
    return add(t, hash_word(t, word, length, word + length), word, length, count, mark);
}

int bb_table_merge(bb_table *t, const bb_table *other)
{
    for (int64_t i = 0; i < other->size; i++) {
        const bb_entry *e = other->entries + i;
        if (bb_table_add(t, other->arena + e->at, e->length, e->count, e->mark))
            return BB_NO_MEMORY;
    }
    return BB_OK;
}

/* Hash a batch of words and call for their entries, so that the waits for memory overlap. */
static void hash_words(const bb_table *t, const scanner *s, const word_span *words, int64_t n,
                       uint64_t *hashes)
{
    for (int64_t i = 0; i < n; i++) {
        hashes[i] = hash_word(t, s->text + words[i].start, words[i].length, s->text + s->length);
        PREFETCH(t->slots + ((int64_t)hashes[i] & t->mask));
    }
    for (int64_t i = 0; i < n; i++) {
        bb_slot slot = t->slots[(int64_t)hashes[i] & t->mask];
        if (slot.entry)
            PREFETCH(t->entries + (slot.entry - 1));
    }
}

int bb_count(bb_table *t, const uint8_t *text, int64_t length, int64_t base, bb_tally *tally)
{
    word_span words[BATCH];
    uint64_t hashes[BATCH];
    scanner s = scan(text, length);
    int64_t n;
    memset(tally, 0, sizeof *tally);
    while ((n = next_words(&s, words)) > 0) {
        hash_words(t, &s, words, n, hashes);
        for (int64_t i = 0; i < n; i++)
            if (add(t, hashes[i], text + words[i].start, words[i].length, 1,
                    base + words[i].start))
                return BB_NO_MEMORY;
        tally->words += n;
    }
    tally->known = tally->words;
    tally->lines = s.line + (length && text[length - 1] != '\n');
    return n < 0 ? BB_NOT_UTF8 : BB_OK;
}

int bb_encode(const bb_table *t, const uint8_t *text, int64_t length, int32_t *ids,
              int64_t *known, uint8_t *blank, bb_tally *tally)
{
    word_span words[BATCH];
    uint64_t hashes[BATCH];
    scanner s = scan(text, length);
    int64_t n, lines = bb_lines(text, length);
    memset(tally, 0, sizeof *tally);
    memset(known, 0, (size_t)lines * sizeof *known);
    memset(blank, 1, (size_t)lines);
    while ((n = next_words(&s, words)) > 0) {
        hash_words(t, &s, words, n, hashes);
        for (int64_t i = 0; i < n; i++) {
            blank[words[i].line] = 0;
            const bb_entry *e = find(t, hashes[i], text + words[i].start, words[i].length);
            if (e) {
                known[words[i].line]++;
                ids[tally->known++] = (int32_t)e->mark;
            }
        }
        tally->words += n;
    }
    tally->lines = lines;
    return n < 0 ? BB_NOT_UTF8 : BB_OK;
}

int bb_number(bb_table *t, const uint8_t *text, int64_t length, int32_t *ids, int64_t *counts,
              bb_tally *tally)
{
    word_span words[BATCH];
    uint64_t hashes[BATCH];
    scanner s = scan(text, length);
    int64_t n, lines = bb_lines(text, length);
    memset(tally, 0, sizeof *tally);
    memset(counts, 0, (size_t)lines * sizeof *counts);
    while ((n = next_words(&s, words)) > 0) {
        hash_words(t, &s, words, n, hashes);
        for (int64_t i = 0; i < n; i++) {
            const uint8_t *word = text + words[i].start;
            bb_entry *e = find(t, hashes[i], word, words[i].length);
            if (!e && add(t, hashes[i], word, words[i].length, 1, t->size))
                return BB_NO_MEMORY;
            counts[words[i].line]++;
            ids[tally->words++] = (int32_t)(e ? e - t->entries : t->size - 1);
        }
    }
    tally->known = tally->words;
    tally->lines = lines;
    return n < 0 ? BB_NOT_UTF8 : BB_OK;
}
