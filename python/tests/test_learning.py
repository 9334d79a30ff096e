"""The examples that learn: what they train on, how they score, and a tiny run of each. The runs need PyTorch; that of
rivers also needs pyflwdir."""

import importlib.util
import json
import sys

import numpy as np
import pytest


def load(source, name):
    spec = importlib.util.spec_from_file_location(name, source / "examples/python" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(module, monkeypatch, capsys, folder, *words):
    """What an example prints."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", ["example", *words])
    module.main()
    return capsys.readouterr().out


@pytest.fixture(scope="module")
def rivers(source):
    return load(source, "16_rivers")


@pytest.fixture(scope="module")
def rover(source):
    return load(source, "17_rover")


def test_scores_of_rivers(rivers):
    """Cells up to two columns or rows from a river are right, and rivers up to two from a marked cell are found."""
    river, marked = np.zeros((2, 20, 20), bool)
    river[:, 5] = True
    marked[:10, 7] = True
    assert rivers.scores(marked, river) == pytest.approx((1, 12 / 20, 0.75))
    assert rivers.scores(marked, river, 1) == (0, 0, 0)
    marked[:10, 15] = True
    assert rivers.scores(marked, river)[0] == 0.5
    assert rivers.best_threshold([(np.where(river, 0.6, 0.2), river)]) > 0.2


def test_noise_of_rivers(rivers):
    """The noise has the relief of the land, and its spectrum falls."""
    land = np.random.default_rng(1).normal(300, 40, (64, 64))
    noise = rivers.noise_like(land, np.random.default_rng(2))
    assert noise.shape == land.shape and noise.std() == pytest.approx(land.std(), rel=1e-6)
    power = np.abs(np.fft.rfft(noise - noise.mean(), axis=1)) ** 2
    assert power[:, 1:4].mean() > 100 * power[:, 20:].mean()


def test_windows_of_rivers(rivers):
    """Windows cover a side, also one that is shorter than a window."""
    assert rivers.starts(200) == [0] and rivers.starts(256) == [0]
    assert rivers.starts(600) == [0, 128, 256, 344]


def test_rivers(rivers, monkeypatch, capsys, tmp_path):
    pytest.importorskip("pyflwdir", reason="pyflwdir is missing")
    pytest.importorskip("torch", reason="PyTorch is missing")
    monkeypatch.setattr(rivers, "CROP", 64)
    run(rivers, monkeypatch, capsys, tmp_path, "data", ".", "--patches", "3", "--size", "64")
    pieces = list(rivers.read_pieces(tmp_path / "terrane.npz"))
    assert [step for *_, step in pieces] == [32, 64, 128] and pieces[0][1].shape == (64, 64)
    assert 0 < np.mean([found.mean() for _, _, found, _ in pieces]) < 0.2
    words = ("--steps", "2", "--batch", "2", "--width", "2", "--report", "scores.json")
    printed = run(rivers, monkeypatch, capsys, tmp_path, "train", "terrane.npz", "noise.npz", *words)
    assert "0002" in printed and "F1" in printed
    scores = json.loads((tmp_path / "scores.json").read_text())["pieces"]
    assert len(scores) == 3 and all(0 <= s <= 1 for by in scores.values() for s in by["cells"])


def test_grounds_of_the_rover(rover, tmp_path):
    """Noise has steps of up to 0.3 m, pyramids slopes of up to 0.4, and real squares keep their samples."""
    random = np.random.default_rng(3)
    for share in (0.0, 0.5, 1.0):
        assert rover.noise(share, random).min() >= 0 and rover.noise(share, random).max() <= 0.3 * share
        slope = np.abs(np.diff(rover.pyramid(share, random), axis=1)) / rover.STEP_M
        assert slope.max() == pytest.approx(0.4 * share)
    coarse = random.normal(size=(33, 33))
    fine = rover.rough(coarse, random)
    assert fine.shape == (rover.SAMPLES, rover.SAMPLES) and np.array_equal(fine[::4, ::4], coarse)
    middle = fine[2::4, ::4] - (coarse[1:] + coarse[:-1]) / 2
    assert middle.std() == pytest.approx(0.03, rel=0.1)
    np.save(tmp_path / "hill.npy", np.add.outer(np.zeros(40), 0.2 * np.arange(40)))
    rover.write_real(tmp_path, [tmp_path / "hill.npy"], 2, 1)
    with np.load(tmp_path / "real.npz") as made:
        assert made["heights"].shape == (2, 129, 129) and 0.2 < made["gradient"].mean() < 0.4


def test_rover(rover, monkeypatch, capsys, tmp_path):
    """A rover stands on level ground and drives ahead; policies of two grounds are trained and judged."""
    torch = pytest.importorskip("torch", reason="PyTorch is missing")
    level = [np.zeros((rover.SAMPLES, rover.SAMPLES))] * 2
    for name in ("flat", "level"):
        rover.write_ground(tmp_path / f"{name}.npz", level)
    cpu = torch.device("cpu")
    rovers = rover.Rovers(torch, rover.Ground(torch, [tmp_path / "flat.npz"], cpu), torch.zeros(4, dtype=int), cpu, 1)
    start = rovers.p.clone()
    for n in range(40):
        rovers.step(torch.tensor([[0.0, 0.0], [1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]]))
    moved = rovers.p - start
    assert moved[0, :2].norm() < 0.05 and abs(float(rovers.p[0, 2]) - 0.43) < 0.03
    ahead = rover.rotations(torch, rovers.q)[:, :2, 0]
    along = (moved[:, :2] * ahead).sum(1)
    assert 2 < along[1] < 5 and -5 < along[2] < -2 and moved[3, :2].norm() < 1
    monkeypatch.setattr(rover, "STEPS", 5)
    words = ("--on", "flat", "level", "--test", "flat", "--policies", "1", "--rovers", "4", "--iterations", "1")
    printed = run(rover, monkeypatch, capsys, tmp_path, "train", ".", *words)
    assert printed.count("of the goals reached") == 2
