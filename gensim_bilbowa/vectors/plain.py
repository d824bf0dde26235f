"""gensim objects with abilities of ours, that save and pickle as the plain gensim objects."""

from __future__ import annotations

import os
from typing import Any, ClassVar

from gensim_bilbowa.errors import FormatError
from gensim_bilbowa.files.staging import staged
from gensim_bilbowa.files.storage import is_pickle
from gensim_bilbowa.formats.pickled import read_pickle, refuse_pickle
from gensim_bilbowa.formats.word2vec import read_head

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

    @classmethod
    def load(
        cls, fname: str | os.PathLike[str], mmap: str | None = None, *, trusted: bool = False
    ) -> Any:
        """Load what :meth:`save`, or gensim's method of this name, has written.

        Parameters
        ----------
        fname : str or path-like
        mmap : {None, "r", "c"}
            As in gensim's :meth:`~gensim.utils.SaveLoad.load`.
        trusted : bool
            Whether to load it. Such a file is a pickle: loading it **runs any code that is in
            it**. Give True only for files that you, or people whom you trust, have made.

        Returns
        -------
        gensim object
            A plain one, as gensim's ``load`` returns it: without the other languages.

        Raises
        ------
        FormatError
            If it is not `trusted`, or is no file of this class of gensim's.

        See Also
        --------
        gensim_bilbowa.BilBOWA.save, gensim_bilbowa.CrossLingualVectors.save :
            What they write holds no code, and all languages.
        """
        name, head = os.fspath(fname), read_head(fname)
        if not is_pickle(head):
            raise FormatError(f"{name} is no file that gensim's save wrote: it begins {head[:9]!r}")
        if not trusted:
            refuse_pickle(name, head)
        loaded = read_pickle(name, mmap=mmap)
        if not isinstance(loaded, cls._plain):
            wanted = cls._plain.__name__
            raise FormatError(f"{name} is a {type(loaded).__name__}; a {wanted} is wanted")
        return loaded

    def _as_plain(self) -> Any:
        """Return an object of the plain class that shares the arrays."""
        plain: Any = object.__new__(self._plain)
        for name, value in vars(self).items():
            if name not in self._ours:
                vars(plain)[name] = value._as_plain() if isinstance(value, PlainGensim) else value
        return plain
