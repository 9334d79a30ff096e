"""The exceptions of this package. Each has a sentence that says what was wrong and what was expected."""

__all__ = [
    "BackendError",
    "DeviceError",
    "Error",
    "FileError",
    "InvalidArgumentError",
    "OutOfMemoryError",
    "OutOfRangeError",
]


class Error(Exception):
    """Base of all exceptions of this package."""


class InvalidArgumentError(Error, ValueError):
    """An argument, a parameter or a world file is wrong."""


class OutOfRangeError(InvalidArgumentError, IndexError):
    """An index does not exist."""


class OutOfMemoryError(Error, MemoryError):
    """Not enough memory on the host or the device."""


class BackendError(Error, RuntimeError):
    """The requested backend or device cannot run here."""


class DeviceError(Error, RuntimeError):
    """The device has failed."""


class FileError(Error, OSError):
    """A file cannot be read or written."""
