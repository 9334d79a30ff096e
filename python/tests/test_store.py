"""Zarr that is written row of chunks by row of chunks says while it is incomplete, and is gone on with."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import terrane

xr = pytest.importorskip("xarray", reason="xarray is missing")
pytest.importorskip("dask.array", reason="Dask is missing")
zarr = pytest.importorskip("zarr", reason="zarr is missing")

MARK = "incomplete_after_rows"


def land(side=600, chunks=128, layers=("height", "water")):
    whole = terrane.open_world("alps", lod=2, layers=list(layers), chunks=chunks)
    return whole.sel(x=slice(1024, 1024 + 4 * side - 1), y=slice(-1024, -1024 - 4 * side + 1))


def opened(path):
    return xr.open_zarr(path, consolidated=False, decode_coords="all")


def assert_complete(path, part):
    stored = opened(path)
    assert MARK not in stored.attrs
    xr.testing.assert_identical(stored.load().drop_encoding(), part.compute().drop_encoding())


def test_written_whole(tmp_path):
    part = land()
    terrane.write_zarr(part, tmp_path / "a.zarr")
    assert_complete(tmp_path / "a.zarr", part)
    assert json.loads(opened(tmp_path / "a.zarr").attrs["world"])["basis"] == "fluvial"
    terrane.write_zarr(part, tmp_path / "a.zarr", resume=True)  # nothing is left to do


def test_interrupted_and_resumed(tmp_path):
    """A process that is killed while it writes leaves a mark, and the rows that it names; the next call makes the others alone."""
    code = "import sys, test_store, terrane\nprint('ready', flush=True)\nterrane.write_zarr(test_store.land(8000, 250), sys.argv[1])"
    path = tmp_path / "a.zarr"
    here = os.path.dirname(__file__)
    process = subprocess.Popen([sys.executable, "-c", code, path], cwd=here, stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"ready\n"
    while process.poll() is None and not ((path / "zarr.json").exists() and zarr.open_group(path, mode="r").attrs.get(MARK, 0) > 0):
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    part, rows = land(8000, 250), opened(path).attrs[MARK]
    assert 0 < rows < 8000 and rows % 250 == 0
    np.testing.assert_array_equal(opened(path).height[:rows], part.height[:rows])
    with pytest.raises(terrane.FileError, match="exists already; resume=True"):
        terrane.write_zarr(part, path)
    before = {file: file.stat().st_mtime_ns for file in (path / "height" / "c" / "0").iterdir()}
    terrane.write_zarr(part, path, resume=True)
    assert before == {file: file.stat().st_mtime_ns for file in before}
    assert MARK not in opened(path).attrs
    np.testing.assert_array_equal(opened(path).height, part.height)


def test_what_is_not_ours_stays(tmp_path):
    """Files of others, other lands and other chunks are refused, and nothing of them changes."""
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "keep.txt").write_text("mine")
    with pytest.raises(terrane.FileError, match="exists already"):
        terrane.write_zarr(land(), folder)
    with pytest.raises(terrane.FileError, match="no Zarr group"):
        terrane.write_zarr(land(), folder, resume=True)
    assert [file.name for file in folder.iterdir()] == ["keep.txt"]
    terrane.write_zarr(land(), tmp_path / "a.zarr")
    for other in (land(side=500), land(chunks=256), land(layers=["height"])):
        with pytest.raises(terrane.FileError, match="holds another dataset"):
            terrane.write_zarr(other, tmp_path / "a.zarr", resume=True)
    assert_complete(tmp_path / "a.zarr", land())


def test_whole_world_is_refused(tmp_path):
    with pytest.raises(terrane.InvalidArgumentError, match="expected a selected part"):
        terrane.write_zarr(terrane.open_world("alps").isel(y=0), tmp_path / "a.zarr")
    assert not (tmp_path / "a.zarr").exists()
