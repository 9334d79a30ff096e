"""build_parts.py - says which parts a build of the program lacks, for tests that need them."""

import functools
import subprocess


@functools.cache
def left_out(program):
    """The lines of `terrane info` about parts that were left out. The exit status is not checked: under a sanitizer
    leaks of drivers are errors."""
    said = subprocess.run(
        [program, "info"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    ).stdout
    return [line for line in said.splitlines() if "left out of this build" in line]


def lacks(program, part):
    """Whether a build lacks a part, named as in `terrane info`."""
    return any(part in line for line in left_out(program))
