"""The errors of the package."""


class EvictionError(Exception):
    """A failure that the library or `evict` reports: one line that says what is wrong and what to do."""


class ArgumentError(EvictionError, ValueError):
    """An argument that the library does not take, such as a policy that there is not. It is a ValueError, too."""


class MissingFileError(EvictionError, FileNotFoundError):
    """A file that there is not, of a trace or of a plug-in. It is a FileNotFoundError, too."""


class ClosedError(EvictionError, ValueError):
    """A trace or a cache that was closed before it was used. It is a ValueError, too."""


class LibraryError(EvictionError, ImportError):
    """A library that is missing, that this machine cannot load, or whose version is another. It is an ImportError, too."""
