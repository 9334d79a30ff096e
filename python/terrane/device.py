"""Arrays in the memory of a CUDA device, which other libraries use without a copy, and streams of these libraries."""

from __future__ import annotations

import math
import operator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _core
from .errors import InvalidArgumentError, OutOfMemoryError

__all__ = ["Device", "DeviceArray", "device_number", "devices", "is_on_device", "stream_handle"]

_CUDA = 2  # kDLCUDA of dlpack.h
_HOST = (1, 0)  # kDLCPU
_LEGACY_STREAM = 1  # number of the default stream in DLPack and CUDA


class Device(NamedTuple):
    """Facts about a CUDA device."""

    name: str
    compute_major: int
    compute_minor: int
    multiprocessors: int
    memory_bytes: int


def devices() -> list[Device]:
    """The usable CUDA devices; an empty list in a build without CUDA."""
    return [Device(*words) for words in _core.devices()]


def device_number(device: str) -> int | None:
    """The number of a device: N for "cuda:N", 0 for "cuda", None for "cpu"."""
    if device == "cpu":
        return None
    kind, _, number = str(device).partition(":")
    if kind != "cuda" or not (number.isdecimal() and number.isascii() or device == "cuda"):
        raise InvalidArgumentError(f"device is {device!r}, expected 'cpu', 'cuda' or 'cuda:N'")
    if len(number) > 9:
        raise InvalidArgumentError(f"device is {device!r}, expected the number of a device")
    return int(number or 0)


def is_on_device(array: Any) -> bool:
    """Whether an array lies in the memory of a CUDA device."""
    if hasattr(array, "__dlpack_device__"):
        return int(array.__dlpack_device__()[0]) == _CUDA
    return hasattr(array, "__cuda_array_interface__")


def array_device(array: Any) -> int:
    """The number of the device that an array lies on; 0 for an array that has no __dlpack_device__()."""
    return int(array.__dlpack_device__()[1]) if hasattr(array, "__dlpack_device__") else 0


def stream_handle(stream: Any) -> int:
    """The cudaStream_t of a stream, as an integer. A stream is an integer, a stream of PyTorch, CuPy or cuda.core, or
    None: the default stream."""
    if stream is None:
        return 0
    if hasattr(stream, "__cuda_stream__"):
        return int(stream.__cuda_stream__()[1])
    for attribute in ("cuda_stream", "ptr"):  # PyTorch, CuPy
        if hasattr(stream, attribute):
            return int(getattr(stream, attribute))
    try:
        handle = operator.index(stream)
    except TypeError:
        handle = -1
    if not 0 <= handle < 2**64:
        raise InvalidArgumentError(
            f"stream is {stream!r}, expected an integer or a stream of PyTorch, CuPy or cuda.core"
        )
    return handle


class DeviceArray:
    """32-bit floats, C-contiguous, in the memory of a CUDA device.

    torch.from_dlpack(), cupy.from_dlpack() and all other readers of DLPack or __cuda_array_interface__ use the memory
    without a copy. The memory stays valid as long as a reader uses it. The samples are made on `stream`. A reader lets
    its own stream wait for `stream`; the host does not wait. numpy.from_dlpack(array, device="cpu") copies the array to
    host memory."""

    def __init__(self, memory: _core.DeviceMemory, shape: tuple[int, ...], device: int, stream: int) -> None:
        self._memory = memory
        self.shape = shape
        self.device = device
        """Number of the CUDA device."""
        self.stream = stream
        """The cudaStream_t that the samples are made on."""

    @classmethod
    def empty(cls, shape: tuple[int, ...], device: int, stream: int) -> DeviceArray:
        """Allocate memory without initialising it. Raises OutOfMemoryError, BackendError."""
        n_bytes = 4 * math.prod(shape)
        if n_bytes >= 2**63:
            raise OutOfMemoryError(f"no memory for an array of shape {shape}, which has {n_bytes / 2**30:.1f} GiB")
        return cls(_core.DeviceMemory(list(shape), device, stream), shape, device, stream)

    @property
    def dtype(self) -> str:
        """'float32'."""
        return "float32"

    @property
    def nbytes(self) -> int:
        """Bytes of the samples."""
        return 4 * math.prod(self.shape)

    def to_host(self) -> NDArray[np.float32]:
        """A copy in host memory. The call returns when the copy is complete."""
        return np.asarray(np.from_dlpack(self._memory.copy()), np.float32)

    def __dlpack_device__(self) -> tuple[int, int]:
        return _CUDA, self.device

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        if dl_device == _HOST and copy is not False:
            return self._memory.copy().__dlpack__(max_version=max_version)
        if copy or (dl_device is not None and dl_device != self.__dlpack_device__()):
            raise BufferError(
                "an array of terrane can be exported without a copy on its own device, or as a copy to the host"
            )
        if stream != -1:  # -1: the reader takes care of the order
            self._memory.order_before(0 if stream is None else stream)
        return self._memory.view().__dlpack__(max_version=max_version)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "shape": self.shape,
            "typestr": "<f4",
            "data": (self._memory.pointer, False),
            "strides": None,
            "stream": self.stream or _LEGACY_STREAM,
            "version": 3,
        }

    def __repr__(self) -> str:
        return f"<terrane.DeviceArray: shape {self.shape}, float32, cuda:{self.device}>"
