"""Does Terrane's land help a net to learn? A small U-Net finds rivers in elevation models. It is trained on patches of
Terrane or on fractal noise with the same relief, and tested on land that it has not seen.

    python 16_rivers.py data FOLDER                            writes terrane.npz and noise.npz
    python 16_rivers.py train TRAIN.npz TEST.npz [--seed N]    trains, and prints precision, recall and F1 by piece

Rivers are the cells through which at least 500 cells drain, as pyflwdir finds. A cell that the net marks is right if a
river is at most two cells away. A river is found if a marked cell is at most two cells away. Heights are whole metres,
as in files of real elevation models. A file of pieces has the arrays NAME/heights, NAME/rivers and NAME/step for each
piece. The part `data` needs numpy and pyflwdir, the part `train` needs PyTorch."""

import argparse
import json

import numpy as np

AREA_CELLS = 500
STEPS_M = (32, 64, 128)  # distances between the samples of patches, which are levels of detail 5 to 7
CROP = 256  # samples a side of what the net sees at once


# ---- data ----


def rivers_of(heights, step):
    """Where pyflwdir finds rivers. heights: metres; NaN is no land"""
    import pyflwdir

    dem = np.where(np.isfinite(heights), heights, -9999).astype(np.float32)
    flow = pyflwdir.from_dem(dem, nodata=-9999, transform=(step, 0, 0, 0, -step, 0), latlon=False)
    return flow.upstream_area("cell") >= AREA_CELLS


def terrane_patches(count, size, seed):
    """Patches of sixteen worlds, equally many of each class of provinces and each distance. Heights are those of the
    water, or of the ground where it is dry."""
    import terrane

    for step in STEPS_M:
        patches = terrane.Patches(
            {},
            size=size,
            lod=int(step).bit_length() - 1,
            layers=["height", "water"],
            seed=seed,
            strata={"province": terrane.PROVINCES, "land": [1, 1.1]},
        )
        own = range(count * STEPS_M.index(step) // 3, count * (STEPS_M.index(step) + 1) // 3)
        for first in range(own.start, own.stop, 16):
            made = patches.batch(range(first, min(first + 16, own.stop)))
            yield from zip(np.fmax(made["height"], made["water"]), [step] * 16)


def noise_like(heights, random):
    """Fractal noise with the standard deviation of some heights: a Gaussian field with the spectrum of a surface of
    dimension 2.1 to 2.5, which is the range of real land."""
    size = len(heights)
    side = 2 * size  # twice as large, because the field repeats
    fx, fy = np.fft.fftfreq(side)[:, None], np.fft.rfftfreq(side)[None, :]
    frequency = np.hypot(fx, fy)
    frequency[0, 0] = np.inf
    hurst = random.uniform(0.5, 0.9)
    phases = random.normal(size=frequency.shape) + 1j * random.normal(size=frequency.shape)
    field = np.fft.irfft2(phases * frequency ** -(1 + hurst), s=(side, side))[:size, :size]
    return (field - field.mean()) * (heights.std() / field.std()) + heights.mean()


def write_pieces(path, pieces):
    """Write pieces: names, heights and distances between samples. Rivers are found before heights are rounded."""
    arrays = {}
    for name, heights, step in pieces:
        whole = np.where(np.isfinite(heights), np.rint(heights), -32768).astype(np.int16)
        arrays[f"{name}/heights"] = whole
        arrays[f"{name}/rivers"] = np.packbits(rivers_of(heights, step), axis=1)
        arrays[f"{name}/step"] = np.float32(step)
    np.savez_compressed(path, **arrays)


def read_pieces(path):
    """The pieces of a file: name, heights with NaN for no land, rivers, distance between samples."""
    with np.load(path) as file:
        for name in [key[: -len("/heights")] for key in file.files if key.endswith("/heights")]:
            whole = file[f"{name}/heights"]
            heights = np.where(whole == -32768, np.nan, whole.astype(np.float32))
            rivers = np.unpackbits(file[f"{name}/rivers"], axis=1, count=whole.shape[1]).astype(bool)
            yield name, heights, rivers, float(file[f"{name}/step"])


def write_data(folder, count, size, seed):
    land = list(terrane_patches(count, size, seed))
    random = np.random.default_rng(seed)
    write_pieces(f"{folder}/terrane.npz", ((f"{n:04d}", h, step) for n, (h, step) in enumerate(land)))
    noise = ((f"{n:04d}", noise_like(h, random), step) for n, (h, step) in enumerate(land))
    write_pieces(f"{folder}/noise.npz", noise)
    for name in ("terrane", "noise"):
        found = [rivers.mean() for _, _, rivers, _ in read_pieces(f"{folder}/{name}.npz")]
        print(f"{name}: {len(found)} patches, {100 * np.mean(found):.1f} % of the cells are rivers")


# ---- scores ----


def near(cells, distance):
    """Cells that are at most `distance` columns and rows away from one of some cells."""
    rows, columns = cells.shape
    wide = np.pad(cells, distance)
    shifts = [(j, i) for j in range(2 * distance + 1) for i in range(2 * distance + 1)]
    return np.logical_or.reduce([wide[j : j + rows, i : i + columns] for j, i in shifts])


def scores(marked, rivers, distance=2):
    """Precision, recall and F1 of marked cells."""
    right = (marked & near(rivers, distance)).sum() / max(marked.sum(), 1)
    found = (rivers & near(marked, distance)).sum() / max(rivers.sum(), 1)
    return right, found, 2 * right * found / max(right + found, 1e-9)


# ---- the net ----


def input_of(torch, heights):
    """Heights less their mean, in units of 16 times the mean difference of neighbours: shape (n, 1, rows, columns)."""
    rough = (heights[:, :, 1:] - heights[:, :, :-1]).abs().mean((1, 2)) + 0.05
    level = heights - heights.mean((1, 2), keepdim=True)
    return (level / (16 * rough[:, None, None]))[:, None].clamp(-8, 8)


def make_net(torch, width):
    """A U-Net of five levels."""
    nn = torch.nn

    def block(a, b):
        layers = [[nn.Conv2d(n, b, 3, padding=1, bias=False), nn.BatchNorm2d(b), nn.ReLU(True)] for n in (a, b)]
        return nn.Sequential(*layers[0], *layers[1])

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            sides = [width << n for n in range(5)]
            self.down = nn.ModuleList(block(a, b) for a, b in zip([1, *sides[:-1]], sides))
            self.up = nn.ModuleList(nn.ConvTranspose2d(2 * a, a, 2, 2) for a in sides[-2::-1])
            self.join = nn.ModuleList(block(2 * a, a) for a in sides[-2::-1])
            self.last = nn.Conv2d(width, 1, 1)

        def forward(self, x):
            kept = []
            for n, part in enumerate(self.down):
                x = part(x if n == 0 else nn.functional.max_pool2d(x, 2))
                kept.append(x)
            for n, (up, join) in enumerate(zip(self.up, self.join)):
                x = join(torch.cat([up(x), kept[-2 - n]], 1))
            return self.last(x)[:, 0]

    return Net()


def loss_of(torch, logits, rivers):
    """Cross entropy, plus 1 minus the overlap (Dice)."""
    entropy = torch.nn.functional.binary_cross_entropy_with_logits(logits, rivers)
    chance = torch.sigmoid(logits)
    return entropy + 1 - (2 * (chance * rivers).sum() + 1) / (chance.sum() + rivers.sum() + 1)


def crops(torch, heights, rivers, batch, side, random):
    """Random crops, turned and mirrored at random."""
    n = torch.randint(len(heights), (batch,), generator=random)
    j, i = (torch.randint(heights.shape[d] - side + 1, (batch,), generator=random) for d in (1, 2))
    parts = [(k, slice(a, a + side), slice(b, b + side)) for k, a, b in zip(n.tolist(), j.tolist(), i.tolist())]
    h, r = torch.stack([heights[p] for p in parts]), torch.stack([rivers[p] for p in parts])
    turns, mirror = torch.randint(4, (2,), generator=random).tolist()
    h, r = torch.rot90(h, turns, (1, 2)), torch.rot90(r, turns, (1, 2))
    return (h.flip(1), r.flip(1)) if mirror % 2 else (h, r)


def train(torch, pieces, options, device):
    """A net trained on pieces of one size."""
    torch.manual_seed(options.seed)
    random = torch.Generator().manual_seed(options.seed)
    heights = torch.tensor(np.stack([np.nan_to_num(h) for _, h, _, _ in pieces]), device=device)
    rivers = torch.tensor(np.stack([r for _, _, r, _ in pieces]), device=device, dtype=torch.float32)
    net = make_net(torch, options.width).to(device)
    steps = torch.optim.AdamW(net.parameters(), 1e-3, weight_decay=1e-4)
    rate = torch.optim.lr_scheduler.OneCycleLR(steps, 2e-3, options.steps)
    for n in range(options.steps):
        h, r = crops(torch, heights, rivers, options.batch, min(CROP, heights.shape[1]), random)
        with torch.autocast(device.type, torch.bfloat16):
            logits = net(input_of(torch, h))
        loss = loss_of(torch, logits.float(), r)
        steps.zero_grad()
        loss.backward()
        steps.step()
        rate.step()
        if n % 250 == 0 or n == options.steps - 1:
            print(f"step {n}: loss {loss.item():.3f}", flush=True)
    return net.eval()


def starts(length):
    """Where the windows of CROP samples begin that cover a side. Each overlaps half of its neighbour or more."""
    last = max(length - CROP, 0)
    return sorted({*range(0, last, CROP // 2), last})


def chances(torch, net, heights, device):
    """The chance that the net gives each cell of a piece: the mean over windows of CROP samples a side."""
    rows, columns = heights.shape
    filled = np.where(np.isfinite(heights), heights, np.nanmean(heights))
    padded = np.pad(filled, ((0, max(CROP - rows, 0)), (0, max(CROP - columns, 0))), mode="reflect")
    total, times = np.zeros(padded.shape, np.float32), np.zeros(padded.shape, np.float32)
    for j in starts(rows):
        for i in starts(columns):
            part = slice(j, j + CROP), slice(i, i + CROP)
            h = torch.tensor(padded[part], dtype=torch.float32, device=device)[None]
            with torch.no_grad():
                total[part] += torch.sigmoid(net(input_of(torch, h)).float())[0].cpu().numpy()
            times[part] += 1
    return (total / times)[:rows, :columns]


def best_threshold(found):
    """The threshold with the best mean F1. found: pairs of chances and rivers"""
    tried = np.arange(1, 20) / 20
    means = [np.mean([scores(c >= t, r)[2] for c, r in found]) for t in tried]
    return float(tried[int(np.argmax(means))])


def test(torch, net, pieces, threshold, device):
    """Scores by name of the piece."""
    made = {}
    for name, heights, rivers, _ in pieces:
        land = np.isfinite(heights)
        marked = (chances(torch, net, heights, device) >= threshold) & land
        made[name] = {"cells": scores(marked, rivers & land), "one": scores(marked, rivers & land, 1)}
    return made


def learn(options):
    """Train, choose the threshold on patches that were held back, and test."""
    import torch

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    pieces = list(read_pieces(options.train))
    kept = max(len(pieces) // 10, 1)
    order = np.random.default_rng(0).permutation(len(pieces))
    held = [pieces[n] for n in order[:kept]]
    net = train(torch, [pieces[n] for n in order[kept:]], options, device)
    threshold = best_threshold([(chances(torch, net, h, device), r) for _, h, r, _ in held])
    own = np.mean([s["cells"][2] for s in test(torch, net, held, threshold, device).values()])
    print(f"{options.train}: seed {options.seed}, threshold {threshold:.2f}, F1 {own:.3f} on {kept} patches held back")
    found = test(torch, net, read_pieces(options.test), threshold, device)
    for name, by in found.items():
        print("%-16s precision %.3f recall %.3f F1 %.3f" % (name, *by["cells"]))
    mean = np.mean([by["cells"] for by in found.values()], 0)
    print("mean             precision %.3f recall %.3f F1 %.3f" % tuple(mean))
    if options.report:
        facts = {"train": options.train, "seed": options.seed, "threshold": threshold, "own": own, "pieces": found}
        with open(options.report, "w", encoding="utf-8") as file:
            json.dump(facts, file, default=float)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parts = parser.add_subparsers(dest="part", required=True)
    data = parts.add_parser("data")
    data.add_argument("folder")
    data.add_argument("--patches", type=int, default=240)
    data.add_argument("--size", type=int, default=320, help="samples of a side")
    data.add_argument("--seed", type=int, default=1)
    learning = parts.add_parser("train")
    learning.add_argument("train")
    learning.add_argument("test")
    learning.add_argument("--seed", type=int, default=0)
    learning.add_argument("--steps", type=int, default=1000)
    learning.add_argument("--batch", type=int, default=16)
    learning.add_argument("--width", type=int, default=32, help="channels of the finest level of the net")
    learning.add_argument("--report", help="a file for the scores, JSON")
    options = parser.parse_args()
    if options.part == "data":
        write_data(options.folder, options.patches, options.size, options.seed)
    else:
        learn(options)


if __name__ == "__main__":
    main()
