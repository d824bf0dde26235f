/* A level's entry in the table of levels. */
#include "level.h"

#define BB_QUOTE_(text) #text
#define BB_QUOTE(text) BB_QUOTE_(text)

extern const bb_level BB_NAME(bb_level);
const bb_level BB_NAME(bb_level) = {
    .name = BB_QUOTE(BB_LEVEL),
    .text_scratch = BB_NAME(bb_text_scratch),
    .text = BB_NAME(bb_text_step),
    .pairs_scratch = BB_NAME(bb_pairs_scratch),
    .pairs = BB_NAME(bb_pairs),
    .best = BB_NAME(bb_best),
    .largest = BB_NAME(bb_largest),
};
