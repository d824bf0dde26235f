from libc.stdint cimport int32_t, int64_t, uint8_t

from gensim_bilbowa.kernels._spelling cimport bb_alike

cdef extern from "align.h" nogil:
    ctypedef struct bb_place:
        int32_t from_ "from"

    ctypedef struct bb_bitext:
        const int32_t *source
        const int64_t *source_offsets
        const int32_t *target
        const int64_t *target_offsets
        int64_t pairs
        int64_t source_words
        int64_t target_words
        const float *positions
        const int64_t *row_of
        const int64_t *starts
        const bb_place *places

    ctypedef struct bb_both:
        float forth
        float back

    ctypedef struct bb_cell:
        bb_both t
        bb_both count

    ctypedef struct bb_rows:
        int64_t first
        int64_t rows
        const int64_t *starts
        const int32_t *columns
        const bb_both *values

    ctypedef struct bb_classes:
        const int32_t *source
        const int32_t *target
        bb_rows rows
        const double *sums

    ctypedef struct bb_align_step:
        const bb_rows *before
        const double *sums
        const bb_classes *classes
        const bb_alike *alike
        double least
        float floor
        int t

    ctypedef struct bb_align_scratch:
        bb_cell *cells
        int32_t *list
        bb_both *classes
        uint8_t *pieces

    void bb_align_positions(int64_t, float, float *)
    void bb_align_index(const bb_bitext *, int64_t *, bb_place *, int64_t *, int64_t *)
    void bb_align_reorder(const bb_bitext *, int64_t *, const float *, int, float *)
    void bb_align_copy(const bb_bitext *, int64_t, int64_t, float *, float *, int)
    void bb_align_norms(const bb_bitext *, int64_t, int64_t, float *)
    void bb_align_begin(const bb_bitext *, int64_t, int64_t, float, float *)
    void bb_align_sum(const bb_bitext *, int64_t, int64_t, const bb_rows *, const double *, float,
                      const float *, float *, float *, double *, bb_both *,
                      const volatile int32_t *)
    double bb_align_gains(const int32_t *, int64_t, const float *, float, const float *, int,
                          float *, double *)
    void bb_align_rows(const bb_bitext *, int64_t, int64_t, const bb_align_step *, const float *,
                       const float *, int64_t *, int32_t *, bb_both *, double *,
                       const bb_align_scratch *, const volatile int32_t *)
