"""gensim objects with abilities of ours, that save and pickle as the plain gensim objects."""

from __future__ import annotations

import os
from typing import Any, ClassVar

from gensim_bilbowa.storage import staged

__all__ = ["PlainGensim"]


class PlainGensim:
    """Mixin before a gensim class: whoever reads what it writes needs gensim alone.

    Pickling, copying and saving yield an object of the gensim class, without the attributes named
    in `_ours`. Saving takes paths of any kind and replaces the old files only when the new ones
    are complete.
    """

    _plain: ClassVar[type]
    _ours: ClassVar[frozenset[str]]

    def __reduce_ex__(self, protocol: Any) -> Any:
        state = {name: value for name, value in vars(self).items() if name not in self._ours}
        return object.__new__, (self._plain,), state

    def save(self, fname_or_handle: Any, *args: Any, **kwargs: Any) -> None:
        """Save in gensim's format, readable by the plain gensim class's ``load``.

        Parameters
        ----------
        fname_or_handle : str, path-like, URL or binary file
            Arrays of more than `sep_limit` elements go to files of their own beside it. Local
            files that exist are replaced only after all has been written.
        *args, **kwargs
            As gensim's :meth:`~gensim.utils.SaveLoad.save`.
        """
        # gensim takes arrays off the object while it saves, and loses them if that fails.
        plain = self._as_plain()
        if not isinstance(fname_or_handle, str | os.PathLike):
            plain.save(fname_or_handle, *args, **kwargs)
            return
        path = os.fspath(fname_or_handle)
        if "://" in path:
            plain.save(path, *args, **kwargs)
            return
        with staged(path) as (temporary,):
            plain.save(str(temporary), *args, **kwargs)

    def _as_plain(self) -> Any:
        """Return an object of the plain class that shares the arrays."""
        plain: Any = object.__new__(self._plain)
        for name, value in vars(self).items():
            if name not in self._ours:
                vars(plain)[name] = value._as_plain() if isinstance(value, PlainGensim) else value
        return plain
