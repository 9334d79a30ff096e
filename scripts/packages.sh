# packages.sh - the Debian and Ubuntu packages the program and its tests need; sourced by scripts/fly and scripts/test.
program_packages="gcc libc6-dev cmake ninja-build pkg-config libgl-dev libopengl-dev libegl-dev libegl1 libegl-mesa0
  libgl1-mesa-dri libglew-dev libglfw3-dev libcglm-dev libpng-dev zlib1g-dev libstb-dev libcjson-dev libinih-dev libtiff-dev libgeotiff-dev
  libopenexr-dev libxxhash-dev"
test_packages="git ccache g++ clang clang-tidy cppcheck clang-format-14 libcmocka-dev xvfb xauth xdotool gdal-bin ffmpeg glslang-tools
  imagemagick python3-dev python3-venv locales python3-numpy python3-tifffile python3-pyte pngcheck openexr xxhash gltfpack
  dpkg-dev openmpi-bin man-db mandoc fish zsh libxml2-utils valgrind gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user"
# nvcc, where the CUDA toolkit is installed but not on the path
if ! command -v nvcc >/dev/null && [ -x /usr/local/cuda/bin/nvcc ]; then
  PATH=$PATH:/usr/local/cuda/bin
fi
