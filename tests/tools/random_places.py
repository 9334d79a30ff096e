#!/usr/bin/env python3
"""random_places.py TERRANE FOLDER [--seed S] [--places N] [--altitudes M,M...] [--size WxH] [--quality Q] [OPTION...] -
draws worlds, places and hours at random by a seed, and writes pictures of each place from several altitudes into
FOLDER/placeNN.

Nobody chooses the places, so the pictures show the land as people meet it. Places under water are drawn again. About
half of the places lie in the default world, the others in named worlds. Further options go to `terrane fly`, whose
commands are printed. The same seed gives the same places for any number of places and any altitudes."""

import argparse
import pathlib
import random
import shlex
import subprocess

WORLDS = ("alps", "archipelago", "badlands", "dunes", "fjords", "steppe")


def ground_at(terrane, world, x, z):
    """Altitude of dry ground, m; None under water."""
    probed = subprocess.run(
        [terrane, "probe", *world, "--layer", "height,water", f"{x},{z}"], check=True, capture_output=True, text=True
    ).stdout.split()
    return float(probed[2]) if probed[4] == "nan" else None


def draw_world(draw):
    """Options of a world."""
    name = draw.choice(WORLDS) if draw.random() < 0.5 else None
    return [*(["--world", name] if name else []), "--seed", str(draw.randrange(1_000_000))]


def draw_ground(terrane, world, draw):
    """A place on dry ground: x, z, and its altitude in metres."""
    while True:
        x, z = draw.randrange(-4_000_000, 4_000_000), draw.randrange(-4_000_000, 4_000_000)
        ground = ground_at(terrane, world, x, z)
        if ground is not None:
            return x, z, ground


def write_path(file, place, heading, altitudes):
    """A path that shows a place from each altitude, one a second."""
    x, z, ground = place
    with open(file, "w", encoding="utf-8") as path:
        # the first frame shows second 1, and a flight ends with its path
        for second, altitude in enumerate([altitudes[0], *altitudes, altitudes[-1]]):
            pitch = -2 if altitude < 10 else -5 if altitude < 100 else -9
            path.write(f"{second} {x} {z} {ground + altitude:.1f} {heading} {pitch}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("terrane")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--places", type=int, default=12)
    parser.add_argument("--altitudes", default="3,25,150,400")
    parser.add_argument("--size", default="640x360")
    parser.add_argument("--quality", default="high")
    arguments, more = parser.parse_known_args()
    altitudes = [float(altitude) for altitude in arguments.altitudes.split(",")]
    draws = random.Random(arguments.seed)
    for n in range(arguments.places):
        draw = random.Random(draws.random())
        folder = arguments.folder / f"place{n + 1:02}"
        folder.mkdir(parents=True, exist_ok=True)
        world = draw_world(draw)
        place = draw_ground(arguments.terrane, world, draw)
        write_path(folder / "path.txt", place, draw.randrange(360), altitudes)
        command = [arguments.terrane, "fly", "--headless", *world, "--path", str(folder / "path.txt"), "--fps", "1"]
        command += ["--frames", str(len(altitudes)), "--time", f"{draw.uniform(7.0, 18.0):.1f}"]
        command += ["--quality", arguments.quality, "--size", arguments.size, "--frames-dir", str(folder), *more]
        print(shlex.join(command), flush=True)
        subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
