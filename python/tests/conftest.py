"""Fixtures for the tests of the installed package. scripts/test-python sets these environment variables; a test that
needs a variable is skipped where it is not set:

    TERRANE_PROGRAM    the program, whose output the package is compared with
    TERRANE_WHEEL      the built wheel
    TERRANE_SOURCE     root of the sources
    TERRANE_FAULTS     the library that makes requests for memory fail
    TERRANE_SANITIZED  folder with the package that was built with the thread sanitizer
"""

import os
import pathlib
import signal
import subprocess

import pytest

import terrane


def pytest_report_header():
    folder, devices = os.path.dirname(terrane.__file__), terrane.devices() or "none"
    return f"terrane {terrane.__version__} from {folder}; devices: {devices}"


def pytest_configure():
    """Make the programs that tests start react to SIGINT. A shell that starts the tests in the background ignores
    SIGINT."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def path_in(variable):
    if variable not in os.environ:
        pytest.skip(f"{variable} is not set")
    return pathlib.Path(os.environ[variable])


@pytest.fixture(scope="session")
def source():
    """Root of the sources."""
    return path_in("TERRANE_SOURCE")


@pytest.fixture(scope="session")
def wheel():
    """The built wheel."""
    return path_in("TERRANE_WHEEL")


@pytest.fixture(scope="session")
def program():
    """Runs the program and returns what it prints."""
    path = path_in("TERRANE_PROGRAM")

    def run(*words, text=""):
        return subprocess.run([path, *map(str, words)], input=text, capture_output=True, text=True, check=True).stdout

    return run


@pytest.fixture(scope="session")
def faults():
    """The library of tests/tools/fault_injection.c."""
    return path_in("TERRANE_FAULTS")


@pytest.fixture(scope="session")
def sanitized():
    """A folder with the package whose module was built with the thread sanitizer."""
    return path_in("TERRANE_SANITIZED")


@pytest.fixture
def alps():
    return terrane.World("alps")


@pytest.fixture
def device():
    """The first CUDA device."""
    if not terrane.devices():
        pytest.skip("no CUDA device: " + terrane._core.why_no_devices())
    return 0
