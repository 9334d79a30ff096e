"""Datasets are written to Zarr one row of chunks after another, and resumed after a fault. The folder says that it is
incomplete until all rows are written."""

import json
import os
import signal
import subprocess
import sys
import time
import warnings

import numpy as np
import pytest

import terrane
from terrane import _core

xr = pytest.importorskip("xarray", reason="xarray is missing")
pytest.importorskip("dask.array", reason="Dask is missing")
zarr = pytest.importorskip("zarr", reason="zarr is missing")

MARK = "incomplete_after_rows"
HERE = os.path.dirname(__file__)


def land(side=600, chunks=128, layers=("height", "water")):
    whole = terrane.open_world("alps", lod=2, layers=list(layers), chunks=chunks)
    return whole.sel(x=slice(1024, 1024 + 4 * side - 1), y=slice(-1024, -1024 - 4 * side + 1))


def opened(path):
    return xr.open_zarr(path, consolidated=False, decode_coords="all")


def assert_complete(path, part):
    stored = opened(path)
    assert MARK not in stored.attrs
    xr.testing.assert_identical(stored.load().drop_encoding(), part.compute().drop_encoding())


def quick(side=40, chunks=16):
    """A dataset that takes little time to compute."""
    whole = terrane.open_world(terrane.World(basis="midpoint"), chunks=chunks)
    return whole.sel(x=slice(0, side - 1), y=slice(side - 1, 0))


def write_rows(dataset, path, count):
    """Interrupt a call once it has finished `count` rows of chunks."""
    from terrane.record import Record

    def add(self, row, files):
        known(self, row, files)
        if row + 1 == count:
            raise KeyboardInterrupt

    known = Record.add
    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Record, "add", add)
        terrane.write_zarr(dataset, path)
    assert MARK in opened(path).attrs


def change_byte(path, place=-9):
    content = bytearray(path.read_bytes())
    content[place] ^= 16
    path.write_bytes(content)


def files(folder):
    return {file: file.stat().st_mtime_ns for file in folder.rglob("*") if file.is_file()}


def test_written_whole(tmp_path):
    part = land()
    terrane.write_zarr(part, tmp_path / "a.zarr")
    assert_complete(tmp_path / "a.zarr", part)
    assert json.loads(opened(tmp_path / "a.zarr").attrs["world"])["basis"] == "fluvial"
    terrane.write_zarr(part, tmp_path / "a.zarr", resume=True)  # a complete folder is accepted
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # Zarr warns about files that are not arrays
        group = zarr.open_group(tmp_path / "a.zarr", mode="r")
        assert {name for name, _ in group.members(max_depth=None)} == set(part.variables)
        assert group["height"].nchunks_initialized == 25


def test_interrupted_and_resumed(tmp_path):
    """A killed process leaves the attribute MARK, and the number of finished rows that MARK states. The next call makes
    only the missing rows."""
    code = "import sys, test_store, terrane\nprint('ready', flush=True)\n"
    code += "terrane.write_zarr(test_store.land(2400, 200), sys.argv[1])"
    path = tmp_path / "a.zarr"
    process = subprocess.Popen([sys.executable, "-c", code, path], cwd=HERE, stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"ready\n"

    def has_rows():
        return (path / "zarr.json").exists() and zarr.open_group(path, mode="r").attrs.get(MARK, 0) > 0

    while process.poll() is None and not has_rows():
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    part, rows = land(2400, 200), opened(path).attrs[MARK]
    assert 0 < rows < 2400 and rows % 200 == 0
    np.testing.assert_array_equal(opened(path).height[:rows], part.height[:rows])
    with pytest.raises(terrane.FileError, match="exists already; resume=True"):
        terrane.write_zarr(part, path)
    before = {file: file.stat().st_mtime_ns for file in (path / "height" / "c" / "0").iterdir()}
    terrane.write_zarr(part, path, resume=True)
    assert before == {file: file.stat().st_mtime_ns for file in before}
    assert MARK not in opened(path).attrs
    np.testing.assert_array_equal(opened(path).height, part.height)


def test_earlier_world_format(tmp_path):
    """A folder of an earlier world format is refused and not changed. The error names both formats."""
    now = f"world format {_core.WORLD_FORMAT}"
    earlier = quick().assign_attrs(source=quick().attrs["source"].replace(now, "world format 2"))
    write_rows(earlier, tmp_path / "a.zarr", 1)
    before = files(tmp_path)
    with pytest.raises(terrane.FileError, match=f"a.zarr' is of world format 2, expected {_core.WORLD_FORMAT}"):
        terrane.write_zarr(quick(), tmp_path / "a.zarr", resume=True)
    assert before == files(tmp_path)


def test_other_folders_are_not_changed(tmp_path):
    """Folders with other files, another dataset or other chunks are refused and not changed."""
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


# ---- faults ----


def test_faults_while_it_is_written(tmp_path):
    """A dataset can be resumed after a kill, a full disk or Ctrl-C at one file operation after another, while it is
    written or resumed."""
    # least numbers of faults that must have occurred before the folder has its name, and after it
    least = {"kill": (12, 1), "full": (3, 0), "interrupt": (4, 0), "mend": (0, 3)}
    strides = ["kill=5", "full=16", "interrupt=16", "mend=8"]
    command = [sys.executable, "-W", "ignore", os.path.join(HERE, "store_faults.py"), tmp_path, *strides]
    done = subprocess.run(command, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stdout + done.stderr
    met = dict(line.split(": ") for line in done.stdout.splitlines())
    for kind, (early, late) in least.items():
        n_met, n_early = (int(word) for word in met[kind].split() if word.isdigit())
        assert n_early >= early and n_met - n_early >= late, done.stdout


def test_another_computation_is_refused(tmp_path):
    """Another dataset of the same shape, type and attributes is refused."""
    part, path = quick(), tmp_path / "a.zarr"
    doubled = (part * 2).assign_attrs(part.attrs)
    write_rows(doubled, path, 1)
    before = files(path)
    others = {
        "'height' has other values, or another computation": [part, doubled.clip(0, keep_attrs=True), doubled + 0],
        "the attribute 'lod'": [doubled.assign_attrs(lod=1)],
        "'height' has other chunks": [quick(chunks=8) * 2],
        "'x' has other values": [doubled.assign_coords(x=doubled.x + 1)],
        "'height' has other attributes": [doubled.assign(height=doubled.height.assign_attrs(units="ft"))],
        "variables are": [doubled.rename(height="depth"), doubled.assign(two=doubled.height)],
    }
    for why, datasets in others.items():
        for other in datasets:
            with pytest.raises(terrane.FileError, match="holds another dataset.*" + why):
                terrane.write_zarr(other.assign_attrs({**part.attrs, **other.attrs}), path, resume=True)
    assert files(path) == before
    terrane.write_zarr((quick() * 2).assign_attrs(part.attrs), path, resume=True)
    assert np.array_equal(opened(path).height, 2 * part.height.values)


@pytest.mark.parametrize("rows", [2, None])
def test_lost_and_changed_files_are_made_again(tmp_path, rows):
    """Chunks of finished rows, coordinates and metadata are written again, in an incomplete folder and in a complete
    one."""
    part, path = quick().assign_coords(name=("x", np.arange(40.0))), tmp_path / "a.zarr"
    if rows is None:
        terrane.write_zarr(part, path)
    else:
        write_rows(part, path, rows)
    before = files(path)
    change_byte(path / "height/c/1/0")
    (path / "height/c/1/2").unlink()
    change_byte(path / "x/c/0")
    (path / "spatial_ref/zarr.json").unlink()
    change_byte(path / "zarr.json", 40)
    (path / "height/c/1/0.0123456789abcdef0123456789abcdef.partial").write_text("torn")
    (path / "zarr.json.part-0123456789abc").write_text("torn")
    terrane.write_zarr(part, path, resume=True)
    assert_complete(path, part)
    after = files(path)
    for good in ("height/c/0/0", "y/c/0"):
        assert after[path / good] == before[path / good]
    assert {file.relative_to(path) for file in after} >= {file.relative_to(path) for file in before}
    assert not [file for file in after if "part" in file.name]


def test_torn_record(tmp_path):
    """A row whose entry in the record is torn or has changed is made again. If the record's first line has changed, the
    folder is refused."""
    part, path = quick(), tmp_path / "a.zarr"
    write_rows(part, path, 2)
    record = path / "height/.finished-chunks"
    first, *rows = record.read_bytes().splitlines(keepends=True)
    record.write_bytes(first + rows[0].replace(b"height", b"heighT") + rows[1][:-9])
    terrane.write_zarr(part, path, resume=True)
    assert_complete(path, part)
    assert record.read_bytes() == first + b"".join(rows) + record.read_bytes().splitlines(keepends=True)[-1]
    change_byte(record, 30)
    with pytest.raises(terrane.FileError, match="its first line, which describes the folder, has changed"):
        terrane.write_zarr(part, path, resume=True)


GOOD = {
    "tuple": lambda part: part.assign_attrs(a=(1, (2.5, "b")), b={"c": (1,)}),
    "nan": lambda part: part.assign_attrs(a=np.nan, b=np.float32(2), c=np.arange(3), d=None),
    "nan of a layer": lambda part: part.assign(height=part.height.assign_attrs(a=np.nan, b=(0, 1))),
    "rows cut": lambda part: part.isel(y=slice(10, 39)),
    "columns cut": lambda part: part.isel(x=slice(10, 30)),
    "strides": lambda part: part.isel(x=slice(None, None, 3), y=slice(5, None, 2)),
    "north last": lambda part: part.isel(y=slice(None, None, -1)),
    "any chunks": lambda part: part.chunk(x=(10, 25, 5), y=(3, 20, 17)),
    "chunks of each": lambda part: part.assign(other=part.height.chunk(x=7, y=11) + 1),
    "array of numpy": lambda part: part.assign(mask=(("y", "x"), np.eye(40, dtype=np.uint8))),
    "profiles": lambda part: part.assign(row=part.height.mean("y"), rim=part.height.mean("x"), one=part.height.max()),
    "coordinates of Dask": lambda part: part.assign_coords(lat=part.height / 1e5, lon=part.x.chunk(9) / 1e5),
    "a band": lambda part: xr.concat([part, part + 1], "band").transpose("x", "y", "band"),
    "layout of a file": lambda p: p.assign(height=xr.Variable(("y", "x"), p.height.data, {}, {"chunks": (3, 3)})),
    "no rows": lambda part: part.isel(y=slice(0, 0)),
}


@pytest.mark.parametrize("change", GOOD.values(), ids=GOOD.keys())
def test_good_datasets(tmp_path, change):
    part, path = change(quick()), tmp_path / "a.zarr"
    terrane.write_zarr(part, path)
    stored = opened(path)
    given = json.dumps(part.attrs, default=lambda value: value.tolist())
    assert json.dumps(stored.attrs).replace('"NaN"', "NaN") == given  # some versions of Zarr write NaN as a string
    xr.testing.assert_equal(stored.compute(), part.compute())
    before = files(path)
    terrane.write_zarr(change(quick()), path, resume=True)
    assert files(path) == before


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda part: part.assign_attrs(a={1}), "the attribute 'a' of the dataset is .1., expected"),
        (lambda part: part.assign(height=part.height.assign_attrs(a=print)), "the attribute 'a' of 'height' is .*"),
        (lambda part: part.assign(height=part.height.astype(object)), "'height' has Python objects as values"),
        (lambda part: part.assign(t=part.height.astype("M8[s]").assign_attrs(units="m")), "cannot be written as Zarr"),
        (lambda part: part.compute(), "no chunks along y"),
    ],
)
def test_what_zarr_cannot_hold_leaves_nothing(tmp_path, change, sentence):
    with pytest.raises(terrane.InvalidArgumentError, match=sentence):
        terrane.write_zarr(change(quick()), tmp_path / "a.zarr")
    assert list(tmp_path.iterdir()) == []


def test_paths(tmp_path):
    """Missing folders are created. URLs are refused."""
    terrane.write_zarr(quick(), os.fsencode(tmp_path / "new/folder" / ("é" * 120 + ".zarr")))
    assert [file.name for file in (tmp_path / "new/folder").iterdir()] == ["é" * 120 + ".zarr"]
    with pytest.raises(terrane.InvalidArgumentError, match="expected a folder of this machine"):
        terrane.write_zarr(quick(), "s3://bucket/a.zarr")
    (tmp_path / "file").write_text("mine")
    for path in (tmp_path / "file", tmp_path / "file/a.zarr"):
        with pytest.raises(terrane.FileError):
            terrane.write_zarr(quick(), path, resume=True)


def test_one_call_at_a_time(tmp_path):
    """A call is refused while another call writes the folder. Temporary folders of killed calls are removed, but no
    other folders."""
    from terrane import folder

    path = tmp_path / "a.zarr"
    left, others = tmp_path / "a.zarr.part-0123456789abc", tmp_path / "a.zarr.part-mine"
    left.mkdir()
    others.mkdir()
    with folder.scratch_folder(str(path)) as alive:
        assert not left.exists() and others.exists()
        terrane.write_zarr(quick(), path)
        assert os.path.exists(alive)
    lock = folder.lock_folder(str(path))
    with pytest.raises(terrane.FileError, match="is being written by another call"):
        terrane.write_zarr(quick(), path, resume=True)
    os.close(lock)
    terrane.write_zarr(quick(), path, resume=True)


@pytest.mark.parametrize("name", ["height", "height/c", "height/c/0", "height/c/2/0", "x"])
def test_links_are_not_followed(tmp_path, name):
    path, elsewhere = tmp_path / "a.zarr", tmp_path / "elsewhere"
    write_rows(quick(), path, 1)
    (path / "height/c/2").mkdir()
    if (path / name).exists():
        (path / name).rename(elsewhere)
    (path / name).symlink_to(elsewhere)
    before = files(elsewhere) if elsewhere.is_dir() else {}
    with pytest.raises(terrane.FileError, match="is a symbolic link"):
        terrane.write_zarr(quick(), path, resume=True)
    assert not elsewhere.exists() if not before else files(elsewhere) == before


def test_fsync(tmp_path, monkeypatch):
    """fsync is called for every file and folder: for those that the folder begins with before it gets its name, and
    for the chunks of a row before the record gets this row."""
    seen, path = [], tmp_path / "a.zarr"

    def fsync(descriptor):
        seen.append(os.fstat(descriptor).st_ino)

    def rename(old, new):
        for place, _, names in os.walk(old):
            assert {os.stat(os.path.join(place, name)).st_ino for name in (".", *names)} <= set(seen)
        moved(old, new)

    moved = os.rename
    monkeypatch.setattr(os, "rename", rename)
    monkeypatch.setattr(os, "fsync", fsync)
    terrane.write_zarr(quick(), path)
    order = {inode: n for n, inode in enumerate(seen)}
    record = (path / "height/.finished-chunks").stat().st_ino
    for file in path.rglob("*"):
        assert order[file.stat().st_ino] <= order[record] or file == path / "zarr.json", file
    assert tmp_path.stat().st_ino in order
