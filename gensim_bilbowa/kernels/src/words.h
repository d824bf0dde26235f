/* Words of UTF-8 text: counting and looking up, in C without Python. */
#ifndef BILBOWA_WORDS_H
#define BILBOWA_WORDS_H

#include <stdint.h>

#include "splitting.h"

/* A word in a table. */
typedef struct {
    int64_t at, length;       /* its bytes, in the arena */
    int64_t count;
    int64_t mark;             /* where it was met first; in a vocabulary its id */
} bb_entry;

typedef struct {
    uint32_t tag;             /* upper half of the hash, so that most others need no second look */
    uint32_t entry;           /* 1 + its index; 0: free */
} bb_slot;

/* A hash table with open addressing; entries stay in the order in which they were added. */
typedef struct {
    uint64_t seed[2];
    bb_slot *slots;
    int64_t mask;             /* number of slots, a power of two, less one */
    bb_entry *entries;
    int64_t size, room;
    uint8_t *arena;
    int64_t used, arena_room;
} bb_table;

typedef struct {
    int64_t lines;            /* of bb_count */
    int64_t words;
    int64_t known;            /* of bb_encode: words that the table has */
} bb_tally;

/* seed: two random numbers, without which words could be made up that all collide. */
int bb_table_init(bb_table *table, uint64_t seed0, uint64_t seed1);
void bb_table_free(bb_table *table);

/* Add to the count of a word and lower its mark; a new word is copied into the table. */
int bb_table_add(bb_table *table, const uint8_t *word, int64_t length, int64_t count, int64_t mark);

/* Add all of another table. */
int bb_table_merge(bb_table *table, const bb_table *other);

/* Count the words of a text of less than 4 GiB; the mark of a word is base + its offset. */
int bb_count(bb_table *table, const uint8_t *text, int64_t length, int64_t base, bb_tally *tally);

/* Look up the words of a text of less than 4 GiB: the marks of known words go to ids, in order.
 *
 * ids: room for length / 2 + 1. known: zeros, to which for each line the number of its known words
 * is added; blank: ones, which become 0 for each line that has a word. Several threads may look up
 * in one table at once. */
int bb_encode(const bb_table *table, const uint8_t *text, int64_t length, int32_t *ids,
              int64_t *known, uint8_t *blank, bb_tally *tally);

/* Number the words of a text of less than 4 GiB, in the order in which the table met them first; new
 * ones are added. ids: room for length / 2 + 1. counts: zeros, to which the words of each line are
 * added. */
int bb_number(bb_table *table, const uint8_t *text, int64_t length, int32_t *ids, int64_t *counts,
              bb_tally *tally);

#endif
