# python_environment.sh - a virtual environment for tests, with packages from PyPI; sourced after shell.sh. It is kept
# in a cache (TERRANE_TEST_PYTHON, else ~/.cache/terrane/python), so that packages are fetched once. A test is skipped
# if it cannot get them. A test whose packages conflict with those of others names its own environment in
# $environment_of.
environment=${TERRANE_TEST_PYTHON:-${XDG_CACHE_HOME:-$HOME/.cache}/terrane/python}${environment_of:+-$environment_of}
python=$environment/bin/python

# need_packages NAME...   make sure that $python can import these packages; NAME=PACKAGE if PyPI has another name
need_packages() {
  mkdir -p "$environment" 2>/dev/null ||
    { echo "skipped: no folder '$environment' for Python's packages" >&2; exit 77; }
  (
    flock 9
    [ -x "$python" ] || /usr/bin/python3 -m venv "$environment" >"$folder/venv.log" 2>&1 || exit 1
    for package in "$@"; do
      "$python" -c "import ${package%=*}" 2>/dev/null && continue
      "$python" -m pip install --quiet --disable-pip-version-check "${package#*=}" >>"$folder/venv.log" 2>&1 &&
        "$python" -c "import ${package%=*}" 2>>"$folder/venv.log" || exit 1
    done
  ) 9>"$environment/lock" || { echo "skipped: Python's packages $* cannot be had: $(tail -1 "$folder/venv.log")" >&2; \
    exit 77; }
}
