"""What can go wrong. Every exception carries the library's sentence: what was wrong, and what was expected."""

__all__ = ["BackendError", "DeviceError", "Error", "FileError", "InvalidArgumentError", "OutOfMemoryError"]


class Error(Exception):
    """Base of all exceptions of this package."""


class InvalidArgumentError(Error, ValueError):
    """An argument, a parameter or a world file is wrong."""


class OutOfMemoryError(Error, MemoryError):
    """Memory of the host or of the device does not suffice."""


class BackendError(Error, RuntimeError):
    """The backend or the device that was asked for cannot run here."""


class DeviceError(Error, RuntimeError):
    """The device has failed."""


class FileError(Error, OSError):
    """A file cannot be read or written."""
