# Finds the libraries that the project uses, except Threads and those of the Python module, and sets
# TERRANE_HAVE_<OPTION>.
include(CheckLanguage)
find_package(PkgConfig QUIET)

# terrane_pkg(TARGET module)   Make an imported target from a module of pkg-config, if the module is found.
function(terrane_pkg target module)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(${target} QUIET IMPORTED_TARGET GLOBAL ${module})
  endif()
  set(${target}_FOUND ${${target}_FOUND} PARENT_SCOPE)
endfunction()

set(and_pkg_config "") # added to messages about libraries that only pkg-config can find
if(NOT PKG_CONFIG_FOUND)
  set(and_pkg_config ", pkg-config")
endif()

terrane_pkg(CJSON libcjson)
terrane_found(JSON CJSON_FOUND "cJSON is missing: libcjson-dev${and_pkg_config}")
terrane_pkg(INIH inih)
terrane_found(INI INIH_FOUND "inih is missing: libinih-dev${and_pkg_config}")

# Libraries for formats of exports.
find_package(PNG QUIET)
terrane_found(PNG PNG_FOUND "libpng is missing: libpng-dev")
terrane_pkg(TIFF_PKG libtiff-4>=4.5)
find_path(GEOTIFF_INCLUDE_DIR geotiff.h PATH_SUFFIXES geotiff libgeotiff)
find_library(GEOTIFF_LIBRARY geotiff)
set(have_tiff OFF)
if(TIFF_PKG_FOUND AND GEOTIFF_INCLUDE_DIR AND GEOTIFF_LIBRARY)
  set(have_tiff ON)
endif()
terrane_found(TIFF have_tiff "libtiff 4.5 or libgeotiff is missing: libtiff-dev, libgeotiff-dev${and_pkg_config}")
terrane_pkg(EXR_PKG OpenEXR>=3.1)
find_library(EXR_CORE_LIBRARY OpenEXRCore)
set(have_exr OFF)
if(EXR_PKG_FOUND AND EXR_CORE_LIBRARY)
  set(have_exr ON)
endif()
terrane_found(EXR have_exr "OpenEXR 3.1 is missing: libopenexr-dev${and_pkg_config}")
terrane_pkg(XXHASH libxxhash>=0.8)
terrane_found(CHECKSUM XXHASH_FOUND "libxxhash is missing: libxxhash-dev${and_pkg_config}")
terrane_pkg(GDAL_PKG gdal>=3.0)
terrane_found(GDAL GDAL_PKG_FOUND "GDAL 3.0 is missing: libgdal-dev${and_pkg_config}")

set(OpenGL_GL_PREFERENCE GLVND)
if(APPLE)
  find_package(OpenGL QUIET) # the framework, which has neither EGL nor libOpenGL
elseif(WIN32)
  find_path(OPENGL_INCLUDE_DIR GL/gl.h) # FindOpenGL looks for no headers here; opengl32 has only OpenGL 1.1 and WGL
else()
  find_package(OpenGL COMPONENTS OpenGL EGL QUIET)
endif()
if(NOT TERRANE_CUDA STREQUAL "OFF")
  check_language(CUDA)
endif()
set(have_cuda OFF)
set(missing "nvcc or the OpenGL headers are missing: CUDA toolkit, libgl-dev")
if(CMAKE_CUDA_COMPILER AND OPENGL_INCLUDE_DIR)
  set(have_cuda ON)
endif()
# The Python package is mostly installed on the machine that builds it. Then it needs kernels for the devices of this
# machine alone, which compile in a third of the time of all architectures.
if(have_cuda AND TERRANE_PYTHON_MODULE AND TERRANE_CUDA STREQUAL "AUTO" AND NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader OUTPUT_VARIABLE capabilities
    ERROR_QUIET RESULT_VARIABLE failed)
  string(REGEX MATCHALL "[0-9]+\\.[0-9]+" capabilities "${capabilities}")
  if(failed OR NOT capabilities)
    set(have_cuda OFF)
    set(missing "there is no CUDA device here: TERRANE_CUDA=ON compiles it for other machines")
  else()
    string(REPLACE "." "" capabilities "${capabilities}")
    list(REMOVE_DUPLICATES capabilities)
    list(TRANSFORM capabilities APPEND "-real")
    set(CMAKE_CUDA_ARCHITECTURES ${capabilities})
  endif()
endif()
terrane_found(CUDA have_cuda "${missing}")
if(TERRANE_HAVE_CUDA)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 75-real 80-real 86-real 89-real 90)
  endif()
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)
  set(CMAKE_CUDA_STANDARD 17)
endif()

# Libraries of the viewer: EGL (without a window), GLFW (windows), GLEW or libOpenGL (functions of OpenGL), libpng
# (pictures), cglm (matrices), stb (text).
terrane_pkg(GLEW_PKG glew)
terrane_found(GLEW GLEW_PKG_FOUND "GLEW is missing: libglew-dev${and_pkg_config}")
find_package(glfw3 3.3 QUIET)
find_path(CGLM_INCLUDE_DIR cglm/cglm.h)
find_path(STB_INCLUDE_DIR stb_truetype.h PATH_SUFFIXES stb)
set(missing "")
foreach(need "PNG_FOUND;libpng-dev" "CGLM_INCLUDE_DIR;libcglm-dev" "STB_INCLUDE_DIR;libstb-dev"
  "OPENGL_INCLUDE_DIR;libgl-dev")
  list(GET need 0 variable)
  list(GET need 1 package)
  if(NOT ${variable})
    string(APPEND missing " ${package}")
  endif()
endforeach()
if(NOT TERRANE_HAVE_GLEW AND NOT OpenGL_OpenGL_FOUND)
  string(APPEND missing " libglew-dev")
endif()
string(COMPARE EQUAL "${missing}" "" have_fly)
terrane_found(FLY have_fly "missing:${missing}")
if(NOT WIN32) # Windows has WGL in place of EGL, whenever it has a viewer
  set(have_egl OFF)
  if(TERRANE_HAVE_FLY AND OpenGL_EGL_FOUND)
    set(have_egl ON)
  endif()
  terrane_found(EGL have_egl "EGL is missing (libegl-dev), or the viewer is left out")
endif()
set(have_window OFF)
if(TERRANE_HAVE_FLY AND glfw3_FOUND)
  set(have_window ON)
endif()
terrane_found(WINDOW have_window "GLFW is missing (libglfw3-dev), or the viewer is left out")

# The server draws maps, with code that is built only together with the viewer.
terrane_pkg(MICROHTTPD libmicrohttpd>=0.9.71)
find_package(ZLIB QUIET)
set(have_serve OFF)
if(MICROHTTPD_FOUND AND ZLIB_FOUND AND TERRANE_HAVE_FLY)
  set(have_serve ON)
endif()
terrane_found(SERVE have_serve
  "libmicrohttpd or zlib is missing (libmicrohttpd-dev, zlib1g-dev${and_pkg_config}), or the viewer is left out")

# Tests.
terrane_pkg(CMOCKA cmocka)

# A program of this build prints manual pages and completions, so it must run on the machine that builds.
set(have_documents ON)
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  set(have_documents OFF)
endif()
terrane_found(DOCUMENTS have_documents
  "this build is for another machine, and CMAKE_CROSSCOMPILING_EMULATOR is not set")
