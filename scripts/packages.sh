# packages.sh - the Debian and Ubuntu packages that the program and its tests need; sourced by scripts/fly and
# scripts/test. Those of first_packages are also in the other lists.
# shellcheck disable=SC2034
program_packages="gcc libc6-dev cmake ninja-build pkg-config libgl-dev libopengl-dev libegl-dev libegl1 libegl-mesa0
  libgl1-mesa-dri libglew-dev libglfw3-dev libcglm-dev libpng-dev zlib1g-dev libstb-dev libcjson-dev libinih-dev
  libtiff-dev libgeotiff-dev libopenexr-dev libxxhash-dev libgdal-dev libmicrohttpd-dev"
first_packages="git gcc libc6-dev cmake ninja-build pkg-config ccache libcmocka-dev python3" # of the build minimal
test_packages="git ccache g++ clang clang-tidy cppcheck clang-format-14 libcmocka-dev xvfb xauth xdotool gdal-bin
  ffmpeg glslang-tools imagemagick python3-dev python3-venv locales python3-numpy python3-tifffile python3-pyte
  pngcheck openexr xxhash gltfpack dpkg-dev openmpi-bin man-db mandoc fish zsh libxml2-utils valgrind python3
  gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user"
# left_out PACKAGE   print what scripts/test --quick leaves out if this package is missing; nothing if it is not needed
left_out() {
  case $1 in
    libc6-dev | pkg-config) echo "most libraries" ;;
    libgl-dev | libopengl-dev | libegl-dev | libcglm-dev | libstb-dev) echo "the viewer" ;;
    libglew-dev) echo "the viewer with GLEW" ;;
    libglfw3-dev) echo "windows" ;;
    libpng-dev | zlib1g-dev) echo "the viewer and PNG files" ;;
    libcjson-dev) echo "sidecars" ;;
    libinih-dev) echo "world files" ;;
    libtiff-dev | libgeotiff-dev) echo "TIFF files" ;;
    libopenexr-dev) echo "OpenEXR files" ;;
    libxxhash-dev) echo "checksums" ;;
    libgdal-dev) echo "guides in most formats, vector features" ;;
    libmicrohttpd-dev) echo "web maps" ;;
    libcmocka-dev) echo "tests in C" ;;
    git | clang-format-14) echo "the check of formatting" ;;
    glslang-tools) echo "the check of shaders" ;;
    python3) echo "tests in Python" ;;
    python3-pyte) echo "tests of progress bars" ;;
    gdal-bin | libxml2-utils) echo "what other programs read" ;;
    man-db | mandoc) echo "manual pages as they are shown" ;;
    fish | zsh) echo "completions of $1" ;;
  esac
}
# quick_packages   print the packages without which scripts/test --quick leaves something out
quick_packages() {
  for package in $program_packages $test_packages; do
    [ -z "$(left_out "$package")" ] || echo "$package"
  done
}
# find nvcc if the CUDA toolkit is installed but not on the path
if ! command -v nvcc >/dev/null && [ -x /usr/local/cuda/bin/nvcc ]; then
  PATH=$PATH:/usr/local/cuda/bin
fi
