"""Patches: what an index means, strata, batches, routed layers against a plain reference, shards, workers, errors."""

import hashlib
import io
import json
import pickle
import subprocess
import sys
import tarfile
import textwrap

import numpy as np
import pytest

import terrane
from terrane import placement

# SHA-256 of the heights of indices 0 to 9, first 12 digits. They never change: an index means the same patch for ever.
HASHES = """
bde32058dbf5 911a1cde0722 971c709aca71 e4563fc9fe5e 2a0178fcbcf4
6f8dde524589 7732423e403d 6646d4c29519 3d3695ccd1b8 d52c69013f50
""".split()
SIDES = [(1, 1, 0), (2, 1, 1), (4, 0, 1), (8, -1, 1), (16, -1, 0), (32, -1, -1), (64, 0, -1), (128, 1, -1)]


@pytest.fixture(scope="module")
def alpine():
    return terrane.World("alps")


@pytest.fixture(scope="module")
def small(alpine):
    return terrane.Patches(alpine, size=32)


def test_hashes_of_ten_indices(small):
    heights = small.batch(range(10))["height"]
    assert heights.shape == (10, 32, 32) and heights.dtype == np.float32
    assert [hashlib.sha256(h.tobytes()).hexdigest()[:12] for h in heights] == HASHES


def test_places_follow_their_definition(small):
    """The place of an index equals the one computed here from the random words, as terrane/placement.py defines it."""
    side = 2**33 // 16 - 31 + 1
    for index, place in zip((0, 7), small.places([0, 7]), strict=True):
        for t in range(100):
            w = np.random.Philox(key=[0, 1], counter=[t, index, 0, 0]).random_raw(2)
            at = [(-(2**32) // 16 + (int(word) * side >> 64)) * 16 for word in w]
            if at == [place.x, place.z]:
                break
            heights = small._world(0).heights(at[0] // 64 * 64, at[1] // 64 * 64, 9, 9, 6)
            assert (heights >= 0).mean() < 0.5, "a patch over land was passed over"
        assert at == [place.x, place.z]


def test_batches_patches_and_order(small, alpine):
    """A patch is the same alone, in any batch and in any order, and is the land of its place."""
    made = small.batch([5, 3, 5])["height"]
    assert np.array_equal(made[0], made[2]) and np.array_equal(made[1], small[3]["height"])
    assert np.array_equal(small[3:6]["height"][2], made[0])
    place = small.places(5)[0]
    assert np.array_equal(made[0], alpine.heights(place.x, place.z, 32, 32, 4))
    again = pickle.loads(pickle.dumps(small))
    assert again.identity() == small.identity() and np.array_equal(again[3]["height"], made[1])
    assert small.batch([])["height"].shape == (0, 32, 32) and len(small) == 1_000_000
    fine = terrane.Patches(alpine, size=16, lod=-3)
    assert fine[0]["height"].shape == (16, 16) and fine.places(0)[0].x % 0.125 == 0


def test_known_places(small, monkeypatch):
    patches = pickle.loads(pickle.dumps(small))
    made = []
    search = terrane.patches.first_try_inside

    def counted(grid, worlds, strata, seed, indices, device):
        made.extend(indices)
        return search(grid, worlds, strata, seed, indices, device)

    monkeypatch.setattr(terrane.patches, "first_try_inside", counted)
    first = patches.places([3, 5000, 7])
    assert patches.places([5000, 3, 8]) == [first[1], first[0], *small.places([8])]
    assert made[:4] == [3, 5000, 7, 8]
    again = pickle.loads(pickle.dumps(patches)).places([3])
    assert again[0][:2] == first[0][:2] and made.count(3) == 2


def test_forgotten_places(monkeypatch):
    monkeypatch.setattr(placement, "_KNOWN_MOST", 2)
    known = placement.KnownPlaces()
    places = {0: (-5, 2**40), 1: (1, 1), 4096: (2, 2), 8192: (3, 3)}
    known.keep(places)
    assert known.find([0, 1, 2, 4096, 8192]) == {4096: (2, 2), 8192: (3, 3)}
    known.keep({0: places[0]})
    assert known.find([0, 1, 8192]) == {0: places[0], 8192: (3, 3)}


def test_strata():
    w = terrane.World()
    ds = terrane.Patches(w, size=32, lod=2, strata={"gradient": [0, 0.15, 5], "province": ["plain", "mountains"]})
    assert len(ds.strata) == 4
    ds = terrane.Patches(w, size=32, lod=2, strata={"gradient": [0, 0.15, 5]})
    places = ds.places(range(8))
    assert [place.stratum for place in places] == [0, 1] * 4
    for n, h in enumerate(ds.batch_at(places)["height"][:, ::4, ::4].astype(float)):
        steep = np.hypot(h[:-1, 1:] - h[:-1, :-1], h[1:, :-1] - h[:-1, :-1]).mean() / 16
        assert steep < 0.2 if n % 2 == 0 else steep > 0.1, (n, steep)
    ds = terrane.Patches(w, size=32, lod=2, strata={"province": ["plain", "mountains"]})
    for n, place in enumerate(ds.places(range(4))):
        middle = w.layers(["plain", "relief"], place.x + 64, place.z + 64, 1, 1, 2)
        assert middle["plain"] >= 0.45 if n % 2 == 0 else middle["relief"] > 1, n


def test_distribution():
    given = {"name": ["alps", "fjords"], "relief": (0.5, 1.5), "seed": (1, 2)}
    ds = terrane.Patches(given, size=8, worlds=3)
    worlds = [ds._world(n) for n in range(3)]
    assert len(set(worlds)) == 3
    assert all(0.5 <= w.parameters["relief"] <= 1.5 and w.parameters["seed"] in (1, 2) for w in worlds)
    places = ds.places(range(12))
    assert len({id(p.world) for p in places}) == 3
    made = ds.batch(range(12))["height"]
    assert all(np.array_equal(made[n], p.world.heights(p.x, p.z, 8, 8, 4)) for n, p in enumerate(places))
    assert np.array_equal(made, terrane.Patches(given, size=8, worlds=3).batch(range(12))["height"])


# ---- routed layers ----


def followed(direction, start):
    """The cells that the water of a cell passes."""
    way = [start]
    codes = {code: (y, x) for code, x, y in SIDES}
    while direction[way[-1]]:
        dy, dx = codes[int(direction[way[-1]])]
        way.append((way[-1][0] + dy, way[-1][1] + dx))
        assert len(way) <= direction.size, "water flows in a circle"
    return way


@pytest.fixture(scope="module")
def routed(alpine):
    names = ["height", "water", "direction", "accumulation", "catchment", "hand", "water-distance", "wet", "sea"]
    return terrane.Patches(alpine, size=40, layers=names, water="any", strata={"water": [0.01, 1]})


def test_routed_layers(routed):
    """Areas, catchments and paths to water equal those that are found here by following the directions from each
    cell."""
    made = routed[4]
    height, water, direction = made["height"], made["water"], made["direction"]
    surface = np.where(np.isnan(water), height, water)
    assert np.array_equal(made["wet"], np.isfinite(water)) and made["wet"].any() and not made["sea"].any()
    area = np.zeros(height.shape)
    for start in np.ndindex(*height.shape):
        way = followed(direction, start)
        assert way[-1][0] in (0, 39) or way[-1][1] in (0, 39)
        assert made["catchment"][start] == way[-1][0] * 40 + way[-1][1]
        for cell in way:
            area[cell] += 256
        wet = [n for n, cell in enumerate(way) if made["wet"][cell]]
        if not wet:
            assert np.isnan(made["hand"][start]) and np.isnan(made["water-distance"][start])
            continue
        steps = np.abs(np.diff(np.array(way[: wet[0] + 1]), axis=0)).sum(axis=1)
        assert made["water-distance"][start] == pytest.approx(16 * np.sqrt(steps).sum(), rel=1e-5)
        assert made["hand"][start] == (np.float32(height[start] - water[way[wet[0]]]) if wet[0] else 0)
    assert np.array_equal(made["accumulation"], area)
    for cell in np.ndindex(38, 38):  # a cell with a lower neighbour drains to the steepest one
        y, x = cell[0] + 1, cell[1] + 1
        falls = [(surface[y, x] - surface[y + dy, x + dx]) / np.hypot(dx, dy) for _, dx, dy in SIDES]
        if direction[y, x] and max(falls) > 0 and surface[y, x] > surface[followed(direction, (y, x))[1]]:
            chosen = [code for code, *_ in SIDES].index(direction[y, x])
            assert falls[chosen] == pytest.approx(max(falls), rel=1e-5)


def test_rivers_gather_water(routed):
    """The rivers of the world agree with the flow over the grid: the median area that drains through a wet cell is more
    than three times that of a dry cell."""
    made = routed.batch(range(4))
    shares = [np.median(a[w > 0]) / np.median(a[w == 0]) for a, w in zip(made["accumulation"], made["wet"])]
    assert np.median(shares) > 3


def test_worlds_with_a_guide():
    """Patches lie on the pixels of the guide."""
    guide = np.add.outer(np.linspace(0, 900, 30), np.linspace(50, 500, 40)).astype(np.float32)
    ds = terrane.Patches(terrane.World(guide=guide, guide_spacing=400, guide_at=(1000, -2000)), size=32, lod=3)
    assert ds.area == (1000, -2000, 1000 + 39 * 400, -2000 + 29 * 400)
    for place in ds.places(range(20)):
        assert 1000 <= place.x <= 16600 - 31 * 8 and -2000 <= place.z <= 9600 - 31 * 8


def test_worlds_without_water_and_sea():
    ds = terrane.Patches(
        terrane.World(basis="midpoint", seed=3),
        size=24,
        layers=["direction", "sea", "wet"],
        strata={"land": [0.3, 0.7]},
    )
    made = ds[0]
    assert 0 < made["sea"].mean() < 1 and np.array_equal(made["sea"], made["wet"])
    assert not made["direction"][made["sea"] == 1].any()


# ---- shards, Dask, workers ----


def test_tar_shards(small, tmp_path):
    small.write(tmp_path / "a.tar", range(3))
    small.write(tmp_path / "b.tar", range(3))
    assert (tmp_path / "a.tar").read_bytes() == (tmp_path / "b.tar").read_bytes()
    with tarfile.open(tmp_path / "a.tar") as tar:
        names = tar.getnames()
        heights = np.load(io.BytesIO(tar.extractfile("000000000002.height.npy").read()))
        assert json.load(tar.extractfile("__patches__/patches.json")) == small.identity()
        facts = json.load(tar.extractfile("000000000002.json"))
    assert len(names) == 7 and np.array_equal(heights, small[2]["height"])
    assert (facts["x"], facts["z"]) == small.places(2)[0][:2]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.tar", "b.tar"]
    with pytest.raises(terrane.FileError, match="exists"):
        small.write(tmp_path / "a.tar", [1])
    with pytest.raises(terrane.InvalidArgumentError, match="ends in .tar or .zarr"):
        small.write(tmp_path / "a.zip", [1])
    with pytest.raises(terrane.FileError, match="cannot write"):
        small.write(tmp_path / "no" / "a.tar", [1])


def test_zarr_shards(small, tmp_path):
    zarr = pytest.importorskip("zarr")
    for _ in range(2):
        small.write(tmp_path / "a.zarr", [4, 2], replace=True)
    group = zarr.open_group(tmp_path / "a.zarr", mode="r")
    assert dict(group.attrs)["patches"] == small.identity() and list(group["index"]) == [4, 2]
    assert np.array_equal(group["height"][1], small[2]["height"]) and group["x"][1] == small.places(2)[0].x
    assert [p.name for p in tmp_path.iterdir()] == ["a.zarr"]


def test_delayed(small):
    dask = pytest.importorskip("dask")
    one, two = (small.delayed(indices) for indices in ([1], [2, 1]))
    assert one.key == small.delayed([1]).key != two.key
    made = dask.compute(one, two, scheduler="threads")
    assert np.array_equal(made[0]["height"][0], made[1]["height"][1])


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_workers(start):
    """Processes that are forked after their parent has made patches make the same patches as their parent. So do
    processes that are started anew."""
    program = f"""
        import multiprocessing, hashlib, terrane
        ds = terrane.Patches("alps", size=8, layers=["slope", "direction"])
        def digest(n):
            return hashlib.sha256(ds[n]["slope"].tobytes() + ds[n]["direction"].tobytes()).hexdigest()
        if __name__ == "__main__":
            own = [digest(n) for n in range(2)]
            with multiprocessing.get_context({start!r}).Pool(2) as pool:
                print(pool.map(digest, range(2)) == own)
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONWARNINGS", "ignore")
        done = run_file(program)
    assert done.stdout == "True\n", done.stderr


def run_file(program):
    """Run a program that new processes import, so it must be a file."""
    import tempfile

    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(textwrap.dedent(program))
        file.flush()
        return subprocess.run([sys.executable, file.name], capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("workers", [0, 2])
def test_torch(small, workers):
    torch = pytest.importorskip("torch")
    from terrane.patch_stream import PatchStream

    data = torch.utils.data
    batch = next(iter(data.DataLoader(small, batch_size=3, num_workers=workers)))["height"]
    assert np.array_equal(batch.numpy(), small.batch(range(3))["height"])
    stream = PatchStream(small, range(5), batch=2)
    made = [b["height"].numpy() for b in data.DataLoader(stream, batch_size=None, num_workers=workers)]
    assert [len(b) for b in made] == [2, 2, 1] and np.array_equal(np.concatenate(made), small[:5]["height"])


def test_device(small, device):
    made = np.from_dlpack(small.batch(range(10), device="cuda")["height"], device="cpu")
    assert [hashlib.sha256(h.tobytes()).hexdigest()[:12] for h in made] == HASHES


# ---- wrong arguments ----


def wrong(w):
    return {
        "size is 1, expected 2 to": lambda: terrane.Patches(w, size=1),
        "size is 9000, expected 2 to 8192": lambda: terrane.Patches(w, size=9000),
        "lod is -5, expected -4 to 20": lambda: terrane.Patches(w, lod=-5),
        "layer is 'snw', expected some of: height": lambda: terrane.Patches(w, layers=["snw"]),
        "layers is 'height', expected a list": lambda: terrane.Patches(w, layers="height"),
        "seed is -1, expected an integer": lambda: terrane.Patches(w, seed=-1),
        "count is 0, expected 1 or more": lambda: terrane.Patches(w, count=0),
        "index is 1000000, expected 0 to 999999": lambda: terrane.Patches(w)[1_000_000],
        "index is -1, expected 0 to": lambda: terrane.Patches(w)[-1],
        "index is 0.5, expected an integer": lambda: terrane.Patches(w).batch([0.5]),
        "strata has 'steepness', expected some of: land": lambda: terrane.Patches(w, strata={"steepness": [0, 1]}),
        "stratum land is .1, 0., expected two or more": lambda: terrane.Patches(w, strata={"land": [1, 0]}),
        "stratum province has 'hill'": lambda: terrane.Patches(w, strata={"province": ["hill"]}),
        "expected a world of basis fluvial": lambda: terrane.Patches("talk", strata={"province": ["hills"]}),
        "area is .0, 0, 10, 10., expected one as large": lambda: terrane.Patches(w, area=(0, 0, 10, 10)),
        "area is .10, 0, 0, 10., expected west < east": lambda: terrane.Patches(w, area=(10, 0, 0, 10)),
        "distribution of relief is .2, 1.": lambda: terrane.Patches({"relief": (2, 1)}),
        "distribution of name is an empty": lambda: terrane.Patches({"name": []}),
        "unknown parameter 'rleief'": lambda: terrane.Patches({"rleief": (1, 2)}),
        "water is 'all', expected": lambda: terrane.Patches(w, water="all"),
        "device is 'gpu'": lambda: terrane.Patches(w).batch([0], device="gpu"),
        "layer direction is made in host memory": lambda: terrane.Patches(w, layers=["direction"]).batch(
            [0], device="cuda"
        ),
    }


@pytest.mark.parametrize("sentence", wrong(None))
def test_wrong_arguments(alpine, sentence):
    with pytest.raises(terrane.InvalidArgumentError, match=sentence):
        wrong(alpine)[sentence]()


def test_index_error(small):
    with pytest.raises(IndexError):
        small[len(small)]


def test_no_land(monkeypatch):
    monkeypatch.setattr("terrane.placement.TRIES", 20)
    with pytest.raises(terrane.Error, match="index 0 has no patch: none of .* places .* has land from 0.5 to 1"):
        terrane.Patches(terrane.World(basis="midpoint", base=-30000.0), size=8)[0]


def test_ctrl_c():
    """Ctrl-C after a second ends a search that finds nothing. The search has then used less than 6 s of processor
    time."""
    program = """
        import os, signal, threading, time, terrane
        ds = terrane.Patches(terrane.World(basis="fluvial"), size=64, strata={"height": [20000, 30000]})
        threading.Timer(1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        begun = time.process_time()
        try:
            ds.batch(range(100))
        except KeyboardInterrupt:
            print(time.process_time() - begun < 6)
    """
    assert subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=120
    ).stdout.startswith("True")
