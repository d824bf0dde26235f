from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

cdef extern from "bilbowa.h" nogil:
    const int BB_ROW

    ctypedef struct bb_params:
        float *vectors
        float *outputs
        const float *lockf
        int64_t lockf_len
        const uint32_t *noise
        int64_t rows
        int64_t stride
        float *nodes
        const int64_t *paths
        const int32_t *path_nodes
        const float *path_signs
        int64_t longest_path
        float *ngrams
        const int64_t *parts
        const int32_t *ngram_ids
        const float *own_lockf
        int64_t own_lockf_len
        const float *ngrams_lockf
        int64_t ngrams_lockf_len

    ctypedef struct bb_text:
        const int32_t *ids
        const int64_t *offsets
        const uint32_t *keep
        int64_t longest

    ctypedef struct bb_text_settings:
        int window
        int shrink_windows
        int negative
        int shared_negatives
        int sg
        int cbow_mean

    ctypedef struct bb_text_result:
        int64_t words
        int64_t examples
        double loss

    ctypedef struct bb_pairs_settings:
        float weight_a, weight_b
        float clip
        int exact

    ctypedef struct bb_pairs_result:
        int64_t pairs
        int64_t emptied
        int64_t words
        double loss

    ctypedef struct bb_level:
        const char *name
        int64_t (*text_scratch)(const bb_params *, const bb_text *,
                                const bb_text_settings *) noexcept nogil
        bb_text_result (*text)(const bb_params *, const bb_text *, const bb_text_settings *,
                               int64_t, int64_t, float, uint64_t, void *,
                               const volatile int32_t *) noexcept nogil
        int64_t (*pairs_scratch)(const bb_params *, const bb_text *, const bb_params *,
                                 const bb_text *) noexcept nogil
        bb_pairs_result (*pairs)(const bb_params *, const bb_text *, const bb_params *,
                                 const bb_text *, const bb_pairs_settings *, const int64_t *,
                                 int64_t, float, uint64_t, void *,
                                 const volatile int32_t *) noexcept nogil
        void (*best)(const float *, int64_t, int64_t, int64_t, int64_t, int64_t *,
                     float *) noexcept nogil
        void (*largest)(const float *, int64_t, int64_t, int64_t, float *, int64_t,
                        float *) noexcept nogil

    const bb_level *const *bb_levels()
