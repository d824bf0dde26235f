/* Words predicted from the words around them: skip-gram and CBOW, with negative sampling, with
 * hierarchical softmax, or with both (Mikolov et al. 2013).
 *
 * The rows that predict a word share the window's targets: in skip-gram each context word's own,
 * in CBOW one row, their mean or sum. window.h has the arithmetic. In word2vec's own update of
 * skip-gram each context word draws its own noise words, and moves by itself.
 */
#include "inputs.h"
#include "level.h"
#include "random.h"
#include "subsample.h"
#include "vectors.h"
#include "window.h"

typedef struct {
    bb_windows windows;                  /* skip_gram_unshared(): `empty` is the gradient */
    bb_inputs inputs;
    int32_t *tokens;                     /* of the longest sentence */
    float *mean, *move;                  /* CBOW: the row that predicts, and how far it moves */
} bb_workspace;

/* What a sentence, or a piece of one, is trained with. */
typedef struct {
    const bb_params *params;
    const bb_text_settings *settings;
    const int32_t *tokens;
    int64_t n;
    float alpha;
    uint64_t *random;
    bb_loss *loss;
    const volatile int32_t *stop;
} bb_sentence;

static int64_t carve_workspace(bb_workspace *w, uintptr_t start, const bb_params *params,
                               const bb_text *text, const bb_text_settings *settings)
{
    uintptr_t at = (start + 63) / 64 * 64;
    int64_t longest = text->longest, window = settings->window;
    int64_t contexts = longest < 2 * window ? longest : 2 * window;
    if (contexts > BB_CONTEXTS)
        contexts = BB_CONTEXTS;
    carve_windows(&w->windows, &at, !start, params, settings->negative, contexts);
    carve_inputs(&w->inputs, &at, !start, params, longest < BB_COMPOSED ? longest : BB_COMPOSED);
    w->tokens = carve(&at, 4 * (longest + 1));
    w->mean = carve(&at, 4 * params->stride);
    w->move = carve(&at, 4 * params->stride);
    if (start && !settings->sg)          /* one row predicts, and its move is kept apart */
        for (int i = 0; i < 2; i++) {
            bb_window *window = w->windows.windows + i;
            window->contexts = 1;
            window->context[0] = w->mean;
            window->moved = &w->move;
            window->lock[0] = 1.0f;
        }
    return (int64_t)(at - start);
}

int64_t BB_NAME(bb_text_scratch)(const bb_params *params, const bb_text *text,
                                 const bb_text_settings *settings)
{
    bb_workspace workspace;
    return carve_workspace(&workspace, 0, params, text, settings) + 64;
}

/* How far the window of token i reaches. */
BB_INLINE void reach(bb_window *window, const bb_sentence *s, int64_t i, uint64_t random)
{
    int64_t away = s->settings->window;
    if (s->settings->shrink_windows)
        away = 1 + bb_random_below(random, (uint32_t)s->settings->window);
    window->centre = i;
    window->first = window->next = i > away ? i - away : 0;
    window->last = i + away < s->n ? i + away : s->n - 1;
}

/* ---- skip-gram */

/* Lay out those context words that are taken next. */
BB_INLINE void surround(const bb_inputs *inputs, bb_window *window, const bb_sentence *s)
{
    const bb_params *params = s->params;
    const int32_t *tokens = s->tokens;
    int64_t j = window->next, last = window->last, centre = window->centre;
    /* The nodes near the root are on the way to most words: if all of a window's context words moved
     * them from where they stood at its start, they would overshoot. */
    const int most = params->nodes ? 1 : BB_CONTEXTS;
    int contexts = 0;
    for (; j <= last && contexts < most; j++) {
        window->context[contexts] = inputs->rows + inputs->places[j] * params->stride;
        window->lock[contexts] = lock_of(params, tokens[j]);
        contexts += j != centre;
    }
    window->next = j;
    window->moved = window->context;
    window->contexts = contexts;
}

/* ---- CBOW */

BB_INLINE void gather_columns(const bb_workspace *w, const bb_window *window,
                              const bb_sentence *s, int64_t d, float share, const int columns)
{
    int64_t stride = s->params->stride;
    vec sum[COLUMNS_AT_ONCE];
    BB_UNROLL
    for (int j = 0; j < columns; j++)
        sum[j] = spread(0.0f);
    sum_columns(&w->inputs, stride, window->first, window->centre, d, sum, columns);
    sum_columns(&w->inputs, stride, window->centre + 1, window->last + 1, d, sum, columns);
    BB_UNROLL
    for (int j = 0; j < columns; j++) {
        store(w->mean + d + j * BB_LANES, sum[j] * share);
        store(w->move + d + j * BB_LANES, spread(0.0f));
    }
}

/* Make the row that predicts: the mean of the context words' rows, or their sum. */
static void gather(const bb_workspace *w, const bb_window *window, const bb_sentence *s)
{
    float share = s->settings->cbow_mean ? 1.0f / (float)(window->last - window->first) : 1.0f;
    int64_t d = 0, stride = s->params->stride;
    for (; d + COLUMNS_AT_ONCE * BB_LANES <= stride; d += COLUMNS_AT_ONCE * BB_LANES)
        gather_columns(w, window, s, d, share, COLUMNS_AT_ONCE);
    for (; d < stride; d += BB_LANES)
        gather_columns(w, window, s, d, share, 1);
}

BB_INLINE void hand_out_columns(const bb_workspace *w, const bb_window *window,
                                const bb_sentence *s, int64_t d, float share, const int columns)
{
    vec move[COLUMNS_AT_ONCE];
    BB_UNROLL
    for (int j = 0; j < columns; j++)
        move[j] = load(w->move + d + j * BB_LANES) * share;
    const bb_inputs *in = &w->inputs;
    move_columns(in, s->params, s->tokens, window->first, window->centre, d, move, columns);
    move_columns(in, s->params, s->tokens, window->centre + 1, window->last + 1, d, move, columns);
}

/* Move each context word as the mean was, or by its part of how the sum was. */
static void hand_out(const bb_workspace *w, const bb_window *window, const bb_sentence *s)
{
    float share = s->settings->cbow_mean ? 1.0f : 1.0f / (float)(window->last - window->first);
    int64_t d = 0, stride = s->params->stride;
    for (; d + COLUMNS_AT_ONCE * BB_LANES <= stride; d += COLUMNS_AT_ONCE * BB_LANES)
        hand_out_columns(w, window, s, d, share, COLUMNS_AT_ONCE);
    for (; d < stride; d += BB_LANES)
        hand_out_columns(w, window, s, d, share, 1);
}

/* ---- both, window by window */

BB_INLINE int64_t window_by_window(bb_workspace *workspace, const bb_sentence *s, const int sg)
{
    bb_windows *w = &workspace->windows;
    const bb_inputs *inputs = &workspace->inputs;
    const int window = s->settings->window;
    int64_t examples = 0, fetched = 0, n = s->n;
    /* The next window is laid out while the dot products of this one are on their way. */
    for (int64_t i = -1; i < n && !*s->stop; i++) {
        bb_window *now = w->windows + (i & 1), *next = w->windows + ((i + 1) & 1);
        if (i >= 0) {
            if (!sg)
                gather(workspace, now, s);
            dots(w, now);
        }
        int64_t j = i + 1;
        if (j < n) {
            int64_t c = j % DRAWS * w->draws;
            if (c == 0)
                draw(w, s->params, s->tokens + j, (int)(n - j < DRAWS ? n - j : DRAWS), s->random);
            for (; fetched < n && fetched <= j + window + 1; fetched++)
                fetch_row(inputs->rows + inputs->places[fetched] * w->stride, w->stride);
            aim(w, next, s->params, w->drawn + c);
            reach(next, s, j, w->random[c]);
            if (sg)
                surround(inputs, next, s);
        }
        if (i < 0)
            continue;
        errors(w, now, s->alpha, s->loss);
        update(w, now);
        examples += now->contexts;
        if (!sg)
            hand_out(workspace, now, s);
        else
            while (now->next <= now->last && !*s->stop) {
                surround(inputs, now, s);
                dots(w, now);
                errors(w, now, s->alpha, s->loss);
                update(w, now);
                examples += now->contexts;
            }
    }
    return examples;
}

static int64_t skip_gram(bb_workspace *workspace, const bb_sentence *s)
{
    return window_by_window(workspace, s, 1);
}

static int64_t cbow(bb_workspace *workspace, const bb_sentence *s)
{
    return window_by_window(workspace, s, 0);
}

/* ---- word2vec's own update of skip-gram */

/* One context word and one target: the error, added to the target and to the gradient. */
BB_INLINE void step(const float *x, float *target, float *gradient, int64_t stride, float sign,
                 float alpha, bb_loss *loss)
{
    vec dot = spread(0.0f);
    for (int64_t d = 0; d < stride; d += BB_LANES)
        dot += load(x + d) * load(target + d);
    ivec one = {-1};                     /* the same in all lanes, counted once */
    vec size = error_and_loss(spread(sum(dot) * sign), one, &loss->product, &loss->linear);
    float e = alpha * sign * size[0];
    count_factors(1, &loss->product, &loss->linear, &loss->factors, &loss->total);
    for (int64_t d = 0; d < stride; d += BB_LANES) {
        vec t = load(target + d);
        store(gradient + d, load(gradient + d) + t * e);
        store(target + d, t + load(x + d) * e);
    }
}

static int64_t skip_gram_unshared(bb_workspace *w, const bb_sentence *s)
{
    const bb_params *params = s->params;
    int64_t examples = 0, stride = params->stride;
    float *gradient = w->windows.empty, alpha = s->alpha;
    bb_loss *loss = s->loss;
    for (int64_t i = 0; i < s->n; i++) {
        bb_window around;
        reach(&around, s, i, s->settings->shrink_windows ? bb_random(s->random) : 0);
        int32_t centre = s->tokens[i];
        for (int64_t j = around.first; j <= around.last; j++) {
            if (*s->stop)
                return examples;
            if (j == i)
                continue;
            float *x = w->inputs.rows + w->inputs.places[j] * stride;
            memset(gradient, 0, 4 * (size_t)stride);
            for (int k = 0; k < w->windows.targets; k++) {
                int32_t word = k ? bb_random_noise(bb_random(s->random), params->noise,
                                                   (uint32_t)params->rows) : centre;
                if (k == 0 || word != centre)
                    step(x, params->outputs + word * stride, gradient, stride, k ? -1.0f : 1.0f,
                         alpha, loss);
            }
            if (params->nodes)
                for (int64_t p = params->paths[centre]; p < params->paths[centre + 1]; p++)
                    step(x, params->nodes + params->path_nodes[p] * stride, gradient, stride,
                         params->path_signs[p], alpha, loss);
            examples++;
            float lock = lock_of(params, s->tokens[j]);
            if (lock == 0.0f)
                continue;
            for (int64_t d = 0; d < stride; d += BB_LANES)
                store(x + d, load(x + d) + load(gradient + d) * lock);
        }
    }
    return examples;
}

bb_text_result BB_NAME(bb_text_step)(const bb_params *params, const bb_text *text,
                                     const bb_text_settings *settings, int64_t first, int64_t last,
                                     float alpha, uint64_t seed, void *scratch,
                                     const volatile int32_t *stop)
{
    bb_text_result result = {0, 0, 0.0};
    bb_loss loss = {spread(1.0f), spread(0.0f), 0, 0.0};
    uint64_t random = seed;
    bb_workspace workspace;
    carve_workspace(&workspace, (uintptr_t)scratch, params, text, settings);
    int64_t (*train)(bb_workspace *, const bb_sentence *) =
        !settings->sg ? cbow : settings->shared_negatives ? skip_gram : skip_gram_unshared;
    for (int64_t s = first; s < last && !*stop; s++) {
        int64_t n = bb_subsample(text, s, workspace.tokens, &random);
        result.words += n;
        for (int64_t at = 0, length; at < n; at += length) {
            length = params->ngrams && n - at > BB_COMPOSED ? BB_COMPOSED : n - at;
            if (length < 2)
                continue;
            bb_sentence sentence = {params, settings, workspace.tokens + at, length, alpha,
                                    &random, &loss, stop};
            compose(&workspace.inputs, params, sentence.tokens, length);
            result.examples += train(&workspace, &sentence);
            scatter(&workspace.inputs, params);
        }
    }
    result.loss = loss.total + loss_of(loss.product, loss.linear);
    return result;
}
