#!/bin/bash
# test_installed.sh BUILD SOURCE CMAKE [BACKEND] - an installation in a new folder works: CMake's package offers the
# shared and the static library, pkg-config offers the shared one for C and C++, the shared library exports only symbols
# ter_..., and the program finds its worlds.
# With BACKEND cuda only the examples are built and run, with the one that fills device memory.
set -eu
build=$1 source=$2 cmake=$3 backend=${4:-cpu}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
[ -x "$cmake" ] || cmake=$(command -v cmake) || { echo "skipped: $cmake is missing" >&2; exit 77; }
command -v nvcc >/dev/null || PATH=$PATH:/usr/local/cuda/bin
if [ "$backend" = cuda ]; then
  command -v nvcc >/dev/null || { echo "skipped: nvcc is missing" >&2; exit 77; }
  "$build/terrane" probe 0,0 --backend cuda >/dev/null 2>&1 ||
    { echo "skipped: backend cuda cannot run here" >&2; exit 77; }
fi
"$cmake" --install "$build" --prefix "$folder/usr" >"$folder/log"
library=$(dirname "$(find "$folder/usr" -name libterrane.so)")
sanitize=
nm -D "$library/libterrane.so" | grep -q __asan_init && sanitize=-fsanitize=address,undefined

# ---- CMake's package ----
cuda=OFF
[ "$backend" = cuda ] && cuda=ON
"$cmake" -S "$source/examples" -B "$folder/examples" -DCMAKE_PREFIX_PATH="$folder/usr" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_C_FLAGS="$sanitize" -DEXAMPLES_CUDA=$cuda >>"$folder/log" || { cat "$folder/log"; exit 1; }
"$cmake" --build "$folder/examples" >>"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
"$folder/examples/fill_array" | tee "$folder/said"
grep -q 'highest 571.184 m' "$folder/said" || { echo "fill_array: expected highest 571.184 m" >&2; exit 1; }
if [ "$backend" = cuda ]; then
  "$folder/examples/fill_device" | tee "$folder/said"
  grep -q 'cuda: highest 571.18 m' "$folder/said" || { echo "fill_device: expected highest 571.18 m" >&2; exit 1; }
  exit 0
fi
cat >"$folder/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.22)
project(consumer C)
find_package(terrane 0.1 REQUIRED COMPONENTS static)
add_executable(consumer ${SOURCE})
target_link_libraries(consumer PRIVATE terrane::static)
END
"$cmake" -S "$folder" -B "$folder/static" -DCMAKE_PREFIX_PATH="$folder/usr" -DCMAKE_C_FLAGS="$sanitize" \
  -DSOURCE="$source/tests/cli/installed/consumer.c" >>"$folder/log" || { cat "$folder/log"; exit 1; }
"$cmake" --build "$folder/static" >>"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
"$folder/static/consumer"

# ---- pkg-config ----
export LD_LIBRARY_PATH=$library${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} PKG_CONFIG_PATH=$library/pkgconfig
for compiler in "${CC:-cc} -std=c17 -x c" "${CXX:-c++} -std=c++17 -x c++"; do
  # shellcheck disable=SC2046,SC2086
  $compiler -Wall -Wextra -Werror $sanitize "$source/tests/cli/installed/consumer.c" \
    -x none $(pkg-config --cflags --libs terrane) -o "$folder/consumer"
  "$folder/consumer"
done

if nm -D --defined-only "$library/libterrane.so" | awk '$2 ~ /[TDBR]/ {print $3}' | grep -vE '^(ter_|\.)'; then
  echo "the shared library exports the names above, expected ter_... only" >&2
  exit 1
fi
cd "$folder"
bash "$source/tests/cli/test_cli.sh" "$folder/usr/bin/terrane" cpu
