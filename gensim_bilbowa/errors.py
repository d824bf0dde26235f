"""The errors of this package. Each one is also the builtin that a caller would expect."""

__all__ = [
    "AlreadyTrainingError",
    "BilBOWAError",
    "ConfigError",
    "CorpusError",
    "CorpusFileError",
    "CorpusNotFoundError",
    "FormatError",
    "OutOfMemoryError",
    "ParallelDataError",
    "TeamError",
    "ThreadError",
    "TokenError",
    "TrainingDivergedError",
    "UnknownLanguageError",
    "UnknownWordError",
]


class BilBOWAError(Exception):
    """Base class of this package's errors."""


class ConfigError(BilBOWAError, ValueError):
    """A parameter, or a combination of them, that cannot work."""


class CorpusError(BilBOWAError, ValueError):
    """Text that cannot be used as given."""


class TokenError(CorpusError, TypeError):
    """A sentence that is not a list of strings."""


class ParallelDataError(CorpusError):
    """Sides of a parallel corpus that do not belong together line by line."""


class CorpusFileError(BilBOWAError, OSError):
    """A corpus file that cannot be read to its end."""


class CorpusNotFoundError(CorpusFileError, FileNotFoundError):
    """A corpus file that is not there."""


class FormatError(BilBOWAError, ValueError):
    """A file that is not what its format says, or text that a format cannot hold."""


class AlreadyTrainingError(BilBOWAError, RuntimeError):
    """A second training of a model that is being trained."""


class OutOfMemoryError(BilBOWAError, MemoryError):
    """A model or a plan of its training that the memory does not hold."""


class TeamError(BilBOWAError, RuntimeError):
    """Ranks of a team that do not come to the same places."""


class ThreadError(BilBOWAError, RuntimeError):
    """Threads that the system does not start."""


class TrainingDivergedError(BilBOWAError, ArithmeticError):
    """Parameters that left the range of finite numbers."""


class _LookupMessage(KeyError):
    """A KeyError whose text is its message, not the repr of it."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class UnknownWordError(BilBOWAError, _LookupMessage):
    """A word that is not in a language's vocabulary."""


class UnknownLanguageError(BilBOWAError, _LookupMessage):
    """A language that the model does not have."""
