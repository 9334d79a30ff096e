#!/usr/bin/env python3
"""table.py [--check TESTS.txt] - makes the table of all tests, TABLE.md, from the heads of the tests and their
CMakeLists.txt files.

The description of a test is the first sentence at its head. With --check the table is compared instead: it must be
up to date and must have every test of TESTS.txt, which CMake writes for a build, with its labels."""

import pathlib
import re
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent
ROOT = TESTS.parent
FOLDERS = {
    "library": "The library",
    "program": "Layers of the program",
    "viewer": "The viewer",
    "cli": "The command line, sources and documents",
    "windows": "The program for Windows",
    "tools": "Tools of tests",
}
HEAD = """# All tests

Made by `tests/tools/table.py` from the head of each test and from the CMakeLists.txt files; the test `table`
fails when it is stale. A build has the tests that it can run: [README.md](README.md) says what the labels mean.
"""
CALL = re.compile(r"terrane_((?:\w+_)?)test\((\w+) (\"[\w;]+\"|\w+)([^)]*)\)")


def description_of(path):
    """The first sentence of the comment at the head of a file, without the file name at its beginning."""
    text = path.read_text()
    found = re.match(r'(?:#![^\n]*\n)?\s*(?:/\*(.*?)\*/|"""(.*?)"""|((?:#[^\n]*\n)+))', text, re.S)
    if not found:
        sys.exit(f"{path.relative_to(ROOT)}: expected a comment at its head that says what it is for")
    comment = found.group(1) or found.group(2) or found.group(3)
    comment = re.split(r"\n\s*(?:[*#]\s*)?\n", comment)[0]
    words = " ".join(re.sub(r"^\s*[*#]?\s?", "", line) for line in comment.strip().splitlines())
    words = (
        re.sub(r"^[\w.-]+ (?:[^-]|-(?! ))*?- ", "", words, count=1) if re.match(r"[\w-]+\.\w+|check-", words) else words
    )
    sentence = re.match(r"(.*?[^.])(?:\.(?= [A-Z])|\.?$)", words).group(1).strip()
    return sentence[0].upper() + sentence[1:]


def source_of(folder, kind, name, rest):
    """The source file of a test."""
    if kind in ("library", "program"):
        return folder / f"test_{name}.c"
    if kind.startswith("script"):
        return folder / f"test_{name}.sh"
    for place, word in re.findall(r"\$\{(PROJECT_SOURCE_DIR|CMAKE_CURRENT_SOURCE_DIR)\}/([\w./-]+)", rest):
        path = (ROOT if place == "PROJECT_SOURCE_DIR" else folder) / word
        if path.is_file():
            return path
    word = (re.search(r"\btest_\w+", rest) or [f"test_{name}"])[0]
    found = [path for path in (folder / f"{word}.c", folder / f"{word}.cu") if path.is_file()]
    return found[0] if found else sys.exit(f"{folder.name}/CMakeLists.txt: test {name}: there is no {word}.c")


def registered(folder):
    """(test, labels, file) for each test of a folder's CMakeLists.txt, in its order."""
    for kind, name, labels, rest in CALL.findall((folder / "CMakeLists.txt").read_text()):
        kind, labels = kind.rstrip("_"), labels.strip('"').split(";")
        source = source_of(folder, kind, name, rest)
        if kind.endswith("backends") or rest.strip() == "BACKENDS":
            yield f"{name}_cpu", labels, source
            yield f"{name}_cuda", ["gpu"], source
        else:
            yield name, labels, source


def fuzz_targets():
    for source in sorted((TESTS / "fuzz").glob("fuzz_*.c")):
        yield source.stem.replace("fuzz_", "corpus_"), ["unit"], source
        yield source.stem, ["fuzz"], source


def rows(tests):
    """A row for each file: its tests, their description and their labels."""
    by_source = {}
    for name, labels, source in tests:
        by_source.setdefault(source, []).append((name, labels))
    for source, entries in by_source.items():
        labels = list(dict.fromkeys(label for _, of_test in entries for label in of_test))
        link = f"[{', '.join(f'`{name}`' for name, _ in entries)}]({pathlib.PurePath(*relative(source))})"
        yield f"| {link} | {description_of(source)} | {', '.join(labels)} |"


def relative(source):
    return source.relative_to(TESTS).parts if TESTS in source.parents else ("..", *source.relative_to(ROOT).parts)


def section(title, tests):
    return f"\n## {title}\n\n| test | what holds | labels |\n|---|---|---|\n" + "\n".join(rows(tests)) + "\n"


def python_tests():
    for source in sorted((ROOT / "python/tests").glob("test_*.py")):
        yield source.name, ["python"], source


def main():
    tests = {folder: list(registered(TESTS / folder)) for folder in FOLDERS}
    tests["fuzz"] = list(fuzz_targets())
    parts = [section(title, tests[folder]) for folder, title in FOLDERS.items() if tests[folder]]
    parts += [section("Fuzzing", tests["fuzz"]), section("The Python package, by scripts/test-python", python_tests())]
    text, path = HEAD + "".join(parts), TESTS / "TABLE.md"
    if len(sys.argv) == 1:
        path.write_text(text)
        return 0
    faults = [] if path.read_text() == text else [f"{path.relative_to(ROOT)} is stale: run tests/tools/table.py"]
    known = {name: labels for of_folder in tests.values() for name, labels, _ in of_folder}
    for line in pathlib.Path(sys.argv[2]).read_text().splitlines():
        name, *labels = line.split()
        if known.get(name) != labels:
            faults.append(f"test {name} has the labels {labels} in this build, in the table {known.get(name)}")
    print("\n".join(faults) or f"{len(known)} tests")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
