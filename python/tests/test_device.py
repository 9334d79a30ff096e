"""Arrays in the memory of a CUDA device, shared by DLPack and __cuda_array_interface__. Tests of arrays are skipped
where there is no device."""

import numpy as np
import pytest

import terrane

X, Z = 44224, 17920


def test_stream_handles():
    class Torch:
        cuda_stream = 11

    class Cupy:
        ptr = 12

    class CudaCore:
        def __cuda_stream__(self):
            return (0, 13)

    from terrane.device import stream_handle

    assert [stream_handle(s) for s in (None, 7, Torch(), Cupy(), CudaCore())] == [0, 7, 11, 12, 13]
    with pytest.raises(terrane.InvalidArgumentError, match="stream is 'x'"):
        stream_handle("x")


def test_device_names():
    from terrane.device import device_number

    assert [device_number(d) for d in ("cpu", "cuda", "cuda:3")] == [None, 0, 3]
    for wrong in ("cuda:", "cuda:x", "gpu", "cpu:0"):
        with pytest.raises(terrane.InvalidArgumentError):
            device_number(wrong)


def test_no_such_device(alps, device):
    with pytest.raises(terrane.BackendError):
        alps.heights(0, 0, 8, 8, device=f"cuda:{len(terrane.devices())}")


def test_host_and_device_are_the_same(device):
    cpu, gpu = terrane.World("alps", backend="cpu"), terrane.World("alps", backend="cuda")
    assert gpu.backend == "cuda"
    assert np.array_equal(cpu.heights(X, Z, 1000, 1000), gpu.heights(X, Z, 1000, 1000))


def test_copies_to_the_host(alps, device):
    made = alps.heights(X, Z, 300, 200, 1, device=f"cuda:{device}")
    host = np.from_dlpack(made, device="cpu")
    assert host.shape == (200, 300) and np.array_equal(host, alps.heights(X, Z, 300, 200, 1))
    with pytest.raises(BufferError, match="as a copy to the host"):
        made.__dlpack__(dl_device=(1, 0), copy=False)


def test_torch(alps, device):
    torch = pytest.importorskip("torch", reason="PyTorch is missing")
    wanted = torch.from_numpy(alps.heights(X, Z, 1024, 768, 2))
    made = alps.heights(X, Z, 1024, 768, 2, device="cuda")
    tensor = torch.from_dlpack(made)
    assert tensor.data_ptr() == made.__cuda_array_interface__["data"][0]
    assert tensor.device.type == "cuda" and torch.equal(tensor.cpu(), wanted)
    del made
    assert torch.equal(tensor.cpu(), wanted)  # the tensor keeps the memory


def test_torch_on_a_stream(alps, device):
    torch = pytest.importorskip("torch", reason="PyTorch is missing")
    wanted = torch.from_numpy(alps.heights(X, Z, 4096, 4096))
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        out = torch.empty(4096, 4096, device="cuda")
        assert alps.heights(X, Z, 4096, 4096, out=out, stream=stream) is out
        doubled = out * 2
        made = torch.from_dlpack(alps.heights(X, Z, 4096, 4096, device="cuda", stream=stream)) * 2
    stream.synchronize()
    assert torch.equal(doubled.cpu(), wanted * 2) and torch.equal(made.cpu(), wanted * 2)


def test_torch_tiles(alps, device):
    torch = pytest.importorskip("torch", reason="PyTorch is missing")
    places = [(X, Z, 0), (X, Z, 4), (0, 0, 13)]
    wanted = torch.from_numpy(alps.tiles(places, 67, 67))
    assert torch.equal(torch.from_dlpack(alps.tiles(places, 67, 67, device="cuda")).cpu(), wanted)
    out = torch.empty(3, 67, 128, device="cuda")[:, :, :67]
    alps.tiles(places, 67, 67, out=out)
    torch.cuda.synchronize()
    assert torch.equal(out.cpu(), wanted)


def test_cupy(alps, device):
    cupy = pytest.importorskip("cupy", reason="CuPy is missing")
    wanted = alps.heights(X, Z, 1024, 768)
    made = alps.heights(X, Z, 1024, 768, device="cuda")
    for array in (cupy.from_dlpack(made), cupy.asarray(made)):
        assert array.data.ptr == made.__cuda_array_interface__["data"][0]
        assert np.array_equal(cupy.asnumpy(array), wanted)


def test_the_host_does_not_wait(alps, device):
    """A call that fills device memory returns when the work is queued on the stream, before earlier work is done."""
    torch = pytest.importorskip("torch", reason="PyTorch is missing")
    stream = torch.cuda.Stream()
    out = torch.empty(1024, 1024, device="cuda")
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(2_000_000_000)
        alps.heights(0, 0, 1024, 1024, out=out, stream=stream)
    assert not stream.query()
    stream.synchronize()
    assert torch.equal(out.cpu(), torch.from_numpy(alps.heights(0, 0, 1024, 1024)))
