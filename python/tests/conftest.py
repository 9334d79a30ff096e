"""Tests of the installed package. The program beside which it is compared is named by TERRANE_PROGRAM, the built wheel by
TERRANE_WHEEL, the sources by TERRANE_SOURCE, the library that lets memory fail by TERRANE_FAULTS, the package with the thread sanitizer
by TERRANE_SANITIZED (scripts/test-python sets them all); what needs one of them is skipped without it."""

import os
import pathlib
import signal
import subprocess

import pytest

import terrane


def pytest_report_header():
    return f"terrane {terrane.__version__} from {os.path.dirname(terrane.__file__)}; devices: {terrane.devices() or 'none'}"


def pytest_configure():
    """Programs that tests start can be interrupted, also where a shell has started the tests in the background: it ignores SIGINT."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def named(variable):
    if variable not in os.environ:
        pytest.skip(f"{variable} is not set")
    return pathlib.Path(os.environ[variable])


@pytest.fixture(scope="session")
def source():
    """Root of the sources."""
    return named("TERRANE_SOURCE")


@pytest.fixture(scope="session")
def wheel():
    """The built wheel."""
    return named("TERRANE_WHEEL")


@pytest.fixture(scope="session")
def program():
    """Runs the program and returns what it prints."""
    path = named("TERRANE_PROGRAM")

    def run(*words, text=""):
        return subprocess.run([path, *map(str, words)], input=text, capture_output=True, text=True, check=True).stdout

    return run


@pytest.fixture(scope="session")
def faults():
    """The library of tests/tools/fault_injection.c."""
    return named("TERRANE_FAULTS")


@pytest.fixture(scope="session")
def sanitized():
    """A folder with the package whose module was built with the thread sanitizer."""
    return named("TERRANE_SANITIZED")


@pytest.fixture
def alps():
    return terrane.World("alps")


@pytest.fixture
def device():
    """The first CUDA device."""
    if not terrane.devices():
        pytest.skip("no CUDA device: " + terrane._core.why_no_devices())
    return 0
