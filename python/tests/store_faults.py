"""Interrupts write_zarr() at one file operation after another, and resumes it each time. test_store.py runs it.

    python store_faults.py FOLDER kill=STRIDE interrupt=STRIDE full=STRIDE mend=STRIDE

Each time a child process writes a small dataset, and a fault happens at file operation N: the child is killed, it gets
a SIGINT, or the disk is full from operation N on. With `mend` the child resumes a folder that has lost files, and is
killed. N grows by STRIDE, and by 4 * STRIDE once the folder has its final name.

After the fault there is no folder with the final name, or the folder has all coordinates, units and attributes and says
how many rows are complete. A call with resume=True then completes the dataset and leaves no other file.

The children are forked by a process that has written such a dataset before, because importing the modules would take
most of a child's time. Zarr and Terrane start new threads after a fork."""

import contextlib
import errno
import os
import pathlib
import shutil
import signal
import sys
import traceback

import dask
import numpy as np
import test_store

import terrane

CHANGES = {"os.mkdir", "os.rename", "os.link", "os.remove", "os.rmdir"}
NEED_SPACE = {"open", "os.mkdir", "os.link"}


class Faults:
    """Counts calls of fsync and the operations that change files below a folder. Makes the fault happen at operation
    number `at`."""

    def __init__(self, kind, folder, at):
        self.kind, self.folder, self.at, self.count = kind, str(folder), at, 0
        sys.addaudithook(self.see)
        fsync = os.fsync
        os.fsync = lambda descriptor: (self.meet("fsync"), fsync(descriptor))[1]

    def see(self, event, arguments):
        is_change = event in CHANGES
        if event == "open":
            is_change = isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)
        if is_change and str(arguments[0]).startswith(self.folder):
            self.meet(event)

    def meet(self, event):
        self.count += 1
        if self.kind == "full" and self.at <= self.count and event in NEED_SPACE:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if self.count == self.at and self.kind != "full":
            os.kill(os.getpid(), signal.SIGINT if self.kind == "interrupt" else signal.SIGKILL)


def in_child(work):
    """Call `work` in a child process. Returns the child's exit status."""
    child = os.fork()
    if child == 0:
        try:
            status = work() or 0
        except BaseException:
            traceback.print_exc()
            status = 99
        os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def land():
    """A dataset with two rows of chunks, which takes little time to compute. Half of the chunks of `east` are NaN, and
    Zarr writes no files for them."""
    part = terrane.open_world(terrane.World(basis="midpoint"), chunks=16).sel(x=slice(0, 31), y=slice(31, 0))
    return part.assign(east=part.height.where(part.x > 15))


def check_unfinished(path):
    """Check what a reader finds in a folder that is not complete."""
    stored, part = test_store.opened(path), land()
    rows = stored.attrs.pop(test_store.MARK, 32)
    assert stored.attrs == part.attrs
    assert stored.x.equals(part.x) and stored.y.equals(part.y)
    for name in part.variables:
        assert stored[name].attrs == part[name].attrs, name
    np.testing.assert_array_equal(stored.height[:rows], part.height[:rows])


def write(kind, folder, at):
    """The work of a child that meets the fault. Returns 1 if the fault ended the call, else 0."""
    faults = Faults(kind, folder, at)
    with contextlib.suppress(KeyboardInterrupt, terrane.FileError):
        terrane.write_zarr(land(), folder / "a.zarr", resume=kind == "mend")
        return 0
    faults.at = 1 << 60
    return 1


def resume_and_check(kind, folder):
    """The work of the next child: check the folder, and resume."""
    path = folder / "a.zarr"
    if path.exists() and kind != "mend":
        check_unfinished(path)
    terrane.write_zarr(land(), path, resume=True)
    test_store.assert_complete(path, land())
    left = [file for _, _, files in os.walk(path) for file in files if "part" in file]
    assert os.listdir(folder) == ["a.zarr"] and not left, (os.listdir(folder), left)


def damaged(folder):
    """A complete dataset of which some files are deleted."""
    folder.mkdir()
    resume_and_check("", folder)
    for file in ("height/c/0/1", "east/c/1/1", "x/c/0", "spatial_ref/zarr.json"):
        (folder / "a.zarr" / file).unlink()
    return folder / "a.zarr"


def meet_all(kind, base, stride, start):
    """Let faults of one kind happen at later and later operations, until a child ends without a fault. `mend` begins
    with a copy of `start`."""
    met = -signal.SIGKILL if kind in ("kill", "mend") else 1
    at, n_met, n_early = 1, 0, 0
    while True:
        folder = base / f"{kind}-{at}"
        folder.mkdir()
        if kind == "mend":
            shutil.copytree(start, folder / "a.zarr")
        status = in_child(lambda: write(kind, folder, at))
        assert status in (met, 0), (at, status)
        if status == 0:
            break
        is_early = not (folder / "a.zarr").exists()
        if kind == "full" and is_early:
            assert os.listdir(folder) == [], os.listdir(folder)
        assert in_child(lambda: resume_and_check(kind, folder)) == 0, at
        n_met, n_early = n_met + 1, n_early + is_early
        at += stride if is_early else 4 * stride
    print(f"{kind}: {n_met} faults, {n_early} before the folder had its name")


def main(base, *kinds):
    dask.config.set(scheduler="synchronous")
    start = damaged(base / "start")
    for word in kinds:
        kind, stride = word.split("=")
        meet_all(kind, base, int(stride), start)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), *sys.argv[2:])
