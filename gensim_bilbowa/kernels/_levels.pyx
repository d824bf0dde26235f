# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The instruction set whose kernels are in use."""

from gensim_bilbowa.kernels.bilbowa cimport bb_level, bb_levels

in_use = bb_levels()[0]


def level():
    """Name of the instruction set whose kernels are in use."""
    return in_use.name.decode()


def levels():
    """Names of the instruction sets that this processor can run, best first."""
    cdef const bb_level *const *at = bb_levels()
    names = []
    while at[0] != NULL:
        names.append(at[0].name.decode())
        at += 1
    return names


def use_level(str name):
    """Use the kernels of one of `levels`; not while a step runs."""
    global in_use
    cdef const bb_level *const *at = bb_levels()
    while at[0] != NULL:
        if at[0].name.decode() == name:
            in_use = at[0]
            return
        at += 1
    raise ValueError(f"no kernels for {name!r} on this processor, which has {levels()}")
