from gensim_bilbowa.kernels.bilbowa cimport bb_level

cdef const bb_level *in_use
