#!/bin/bash
# test_package.sh BUILD SOURCE CMAKE - installed files and their removal, the .deb and its dependencies, and a
# configuration with only a compiler and CMake.
set -u
build=$1 source=$2 cmake=$3
backend=cpu terrane=$build/terrane
. "$(dirname "$0")/../tools/shell.sh"
[ -x "$cmake" ] || cmake=$(command -v cmake) || { echo "skipped: cmake is missing" >&2; exit 77; }

# ---- only a compiler and CMake: everything else is left out, and the build says so ----
bare=""
for package in PkgConfig PNG OpenGL glfw3; do bare="$bare -DCMAKE_DISABLE_FIND_PACKAGE_$package=ON"; done
# shellcheck disable=SC2086
"$cmake" -S "$source" -B bare -DCMAKE_CUDA_COMPILER=NOTFOUND -DTERRANE_CUDA=OFF $bare >bare.log 2>&1 ||
  fail "a bare configuration: $(tail -5 bare.log)"
grep 'left out of this build' bare.log >left
for what in 'the tests (cmocka, for those in C, is missing: libcmocka-dev, pkg-config)' \
  'world files (inih is missing: libinih-dev, pkg-config)' 'the viewer'; do
  grep -qF "$what" left || fail "the bare build does not say it lacks $what: $(cat left)"
done
"$cmake" --build bare --target help >log 2>&1 && grep -q all log || fail "a bare configuration cannot be built"
(cd bare && "$(dirname "$cmake")/ctest" -R '^philox$') >log 2>&1
grep -q 'philox.*Skipped' log || fail "a test in C without cmocka: $(cat log)"
# shellcheck disable=SC2086
"$cmake" -S "$source" -B bare -DTERRANE_TESTS=ON >bare.log 2>&1 && fail "TERRANE_TESTS=ON passes without cmocka"
tr '\n' ' ' <bare.log | tr -s ' ' | grep -q 'TERRANE_TESTS is ON, but cmocka, for those in C, is missing' ||
  fail "TERRANE_TESTS=ON: $(cat bare.log)"

# ---- presets ----
if [ "$("$cmake" --version | sed -n '1s/.* 3\.\([0-9]*\)\..*/\1/p')" -ge 25 ]; then
  for kind in configure build test package workflow; do
    (cd "$source" && "$cmake" --list-presets=$kind) >presets 2>&1 || fail "presets of $kind: $(cat presets)"
    [ $kind = test ] || grep -q '"release"' presets || fail "there is no $kind preset release: $(cat presets)"
  done
fi

# ---- install and uninstall ----
"$cmake" --install "$build" --prefix "$PWD/usr" >log 2>&1 || fail "install: $(tail -3 log)"
for file in bin/terrane include/terrane/terrane.h share/terrane/worlds/alps.ini share/man/man1/terrane.1 \
  share/man/man1/terrane-export.1 \
  share/bash-completion/completions/terrane share/zsh/vendor-completions/_terrane \
    share/fish/vendor_completions.d/terrane.fish; do
  [ -s "usr/$file" ] || fail "$file is not installed"
done
mkdir -p usr/share/man/man1
echo "of another" >usr/share/man/man1/other.1
"$cmake" --build "$build" --target uninstall >log 2>&1 || fail "uninstall: $(tail -3 log)"
left=$(find usr ! -type d)
[ "$left" = usr/share/man/man1/other.1 ] || fail "uninstall leaves $left"
[ ! -e usr/share/terrane ] && [ -d usr/share/man/man1 ] || fail "folders after uninstall: $(find usr -type d)"
"$cmake" --build "$build" --target uninstall >log 2>&1 && fail "a second uninstall is no error"

# ---- the package ----
command -v dpkg-deb >/dev/null && command -v dpkg-shlibdeps >/dev/null || { finish; exit; }
cpack=$(dirname "$cmake")/cpack
[ -x "$cpack" ] || cpack=$(command -v cpack) || { finish; exit; }
if nm -D "$terrane" 2>/dev/null | grep -q __asan_init; then
  finish # a build with sanitizers makes no package
  exit
fi
"$cpack" -G DEB --config "$build/CPackConfig.cmake" -B "$PWD/packages" >log 2>&1 || fail "cpack: $(tail -5 log)"
deb=$(ls packages/*.deb)
dpkg-deb -f "$deb" Depends >depends
grep -qE '\blibc6 \(>= ' depends || fail "the package does not depend on libc6: $(cat depends)"
# every library that the program is linked to is in a package on which the .deb depends
for library in $(readelf -d "$terrane" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
  path=$(ldd "$terrane" | sed -n "s|.*$library => \([^ ]*\) .*|\1|p")
  owner=$(dpkg -S "$path" 2>/dev/null || dpkg -S "$(realpath "${path:-/}")" 2>/dev/null ||
    dpkg -S "${path#/usr}" 2>/dev/null)
  owner=${owner%%:*}
  [ -z "$path" ] || [ -z "$owner" ] || sed 's/([^)]*)//g' depends | tr -s ' ,|' '\n' | grep -qxF "$owner" ||
    fail "$library of package $owner is no dependency: $(cat depends)"
done
dpkg-deb -x "$deb" root
for file in usr/bin/terrane usr/share/doc/terrane/copyright usr/share/man/man1/terrane-export.1 \
  usr/share/zsh/vendor-completions/_terrane; do
  [ -s root/$file ] || fail "$file is not in the package"
done
pkg_config=$(command -v pkg-config) && for variable in libdir includedir; do
  got=$(PKG_CONFIG_PATH=root/usr/lib/pkgconfig "$pkg_config" --variable=$variable terrane)
  [ -e "$got/terrane/terrane.h" ] || [ -e "$got/libterrane.so" ] ||
    fail "terrane.pc of the package says $variable is $got"
done
expect_from_package() { (cd / && "$folder/root/usr/bin/terrane" "$@") >out 2>err ||
  fail "terrane $* from the package: $(cat err)"; }
expect_from_package info
lacks 'world files' || expect_from_package probe --backend cpu --world alps 0,0
expect_from_package export --backend cpu --size 64x64 -o "$folder/packaged.r32"
[ "$(stat -c %s packaged.r32)" -eq 16384 ] ||
  fail "an export of the packaged program has $(stat -c %s packaged.r32) bytes"
finish
