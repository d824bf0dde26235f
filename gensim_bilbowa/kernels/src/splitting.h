/* Words of UTF-8 text: splitting, in C without Python.
 *
 * A text is a run of whole lines. Lines end at \n; words are what Python's str.split() yields, so
 * all of Unicode's white space parts them. UTF-8 is checked on the way, as strictly as Python does.
 */
#ifndef BILBOWA_SPLITTING_H
#define BILBOWA_SPLITTING_H

#include <stdint.h>

#define BB_BATCH 256

enum { BB_OK = 0, BB_NOT_UTF8 = -1, BB_NO_MEMORY = -2 };

/* Of a text of less than 4 GiB. */
typedef struct {
    uint32_t start, length, line;
} bb_word;

typedef struct {
    const uint8_t *text;
    int64_t length;
    int64_t at;               /* the next chunk */
    int64_t start;            /* of the word that the last chunk ended in, or -1 */
    int64_t line;
    int64_t checked;          /* characters that begin before here are good */
    uint64_t white;           /* white space that began in the last chunk, as bits of the next */
} bb_scanner;

bb_scanner bb_scan(const uint8_t *text, int64_t length);

/* Find up to BB_BATCH further words: their number, 0 at the end, BB_NOT_UTF8. */
int64_t bb_next_words(bb_scanner *scanner, bb_word *words);

/* Number of lines, a last one without \n included. */
int64_t bb_lines(const uint8_t *text, int64_t length);

/* Copy one of the tab-separated cells of each line to out, \n after each; return the bytes written.
 *
 * out: room for length + 1. A line of white space becomes an empty one. At a line with less than
 * `wanted` cells (column < wanted) it stops and returns -1 - the number of lines before that one.
 */
int64_t bb_column(const uint8_t *text, int64_t length, int64_t column, int64_t wanted,
                  uint8_t *out);

#endif
