# cmake -S . -B build/windows --toolchain cmake/windows.cmake   Build for Windows on another system, by mingw-w64.
# -DTERRANE_WINDOWS_LIBRARIES=FOLDER names a folder with libraries for Windows, in include/ and lib/.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(mingw x86_64-w64-mingw32)
find_program(CMAKE_C_COMPILER NAMES ${mingw}-gcc-posix ${mingw}-gcc REQUIRED)
find_program(CMAKE_RC_COMPILER NAMES ${mingw}-windres REQUIRED)

# Nothing of the system that builds may be found, by CMake or by pkg-config.
set(CMAKE_FIND_ROOT_PATH ${TERRANE_WINDOWS_LIBRARIES} /usr/${mingw})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} "${TERRANE_WINDOWS_LIBRARIES}/lib/pkgconfig")
set(PKG_CONFIG_ARGN --static)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TERRANE_WINDOWS_LIBRARIES)
