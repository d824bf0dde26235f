/* A hash table of words, and texts that are counted and looked up by one. */
#include "words.h"

#include <stdlib.h>
#include <string.h>

#include "splitting.h"

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

/* Find up to BB_BATCH further words as bb_next_words does, hash them, and call for their entries, so
 * that the waits for memory overlap. */
static int64_t next_hashed(const bb_table *t, bb_scanner *s, bb_word *words, uint64_t *hashes)
{
    int64_t n = bb_next_words(s, words);
    for (int64_t i = 0; i < n; i++) {
        hashes[i] = hash_word(t, s->text + words[i].start, words[i].length, s->text + s->length);
        __builtin_prefetch(t->slots + ((int64_t)hashes[i] & t->mask));
    }
    for (int64_t i = 0; i < n; i++) {
        bb_slot slot = t->slots[(int64_t)hashes[i] & t->mask];
        if (slot.entry)
            __builtin_prefetch(t->entries + (slot.entry - 1));
    }
    return n;
}

int bb_count(bb_table *t, const uint8_t *text, int64_t length, int64_t base, bb_tally *tally)
{
    bb_word words[BB_BATCH];
    uint64_t hashes[BB_BATCH];
    bb_scanner s = bb_scan(text, length);
    int64_t n;
    tally->words = 0;
    while ((n = next_hashed(t, &s, words, hashes)) > 0) {
        for (int64_t i = 0; i < n; i++)
            if (add(t, hashes[i], text + words[i].start, words[i].length, 1,
                    base + words[i].start))
                return BB_NO_MEMORY;
        tally->words += n;
    }
    tally->lines = s.line + (length && text[length - 1] != '\n');
    return n < 0 ? BB_NOT_UTF8 : BB_OK;
}

int bb_encode(const bb_table *t, const uint8_t *text, int64_t length, int32_t *ids,
              int64_t *known, uint8_t *blank, bb_tally *tally)
{
    bb_word words[BB_BATCH];
    uint64_t hashes[BB_BATCH];
    bb_scanner s = bb_scan(text, length);
    int64_t n;
    tally->words = tally->known = 0;
    while ((n = next_hashed(t, &s, words, hashes)) > 0) {
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
    return n < 0 ? BB_NOT_UTF8 : BB_OK;
}

int bb_number(bb_table *t, const uint8_t *text, int64_t length, int32_t *ids, int64_t *counts,
              bb_tally *tally)
{
    bb_word words[BB_BATCH];
    uint64_t hashes[BB_BATCH];
    bb_scanner s = bb_scan(text, length);
    int64_t n;
    tally->words = 0;
    while ((n = next_hashed(t, &s, words, hashes)) > 0) {
        for (int64_t i = 0; i < n; i++) {
            const uint8_t *word = text + words[i].start;
            bb_entry *e = find(t, hashes[i], word, words[i].length);
            if (!e && add(t, hashes[i], word, words[i].length, 1, t->size))
                return BB_NO_MEMORY;
            counts[words[i].line]++;
            ids[tally->words++] = (int32_t)(e ? e - t->entries : t->size - 1);
        }
    }
    return n < 0 ? BB_NOT_UTF8 : BB_OK;
}
