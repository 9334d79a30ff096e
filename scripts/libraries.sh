# libraries.sh - builds static libraries from Debian's source packages, whose signatures apt checks; sourced by scripts
# that build for machines without Debian's shared libraries. The caller sets
#   libraries   folder of sources, of their versions and of lists of packages
#   prefix      folder of the built libraries: include, lib, lib/pkgconfig; objects and messages of the compiler
#   cc, ar      compiler and archiver of the target
#   flags       options of the compiler
# The caller may define build_NAME for libraries that only it needs. A source may also be put into
# $libraries/sources/NAME; $libraries/sources/NAME.version has the name and the version of its package.
# shellcheck shell=sh disable=SC2154

# lists_of own|stable   set $apt to a folder with lists of source packages: of this machine's release, or of Debian's
# newest one, for sources that the server of the own release lacks. The system's lists stay as they are.
lists_of() {
  apt=$libraries/apt-$1 keys=/usr/share/keyrings/debian-archive-keyring.gpg
  [ ! -d "$apt" ] || return 0
  mkdir -p "$apt/parts" "$apt/lists/partial" "$apt/cache/archives/partial"
  if [ "$1" = stable ]; then
    echo "deb-src [signed-by=$keys] http://deb.debian.org/debian stable main" >"$apt/parts/stable.list"
  else
    for list in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list.d/ubuntu.sources; do
      [ ! -e "$list" ] || sed 's/^Types:.*/Types: deb-src/' "$list" >"$apt/parts/${list##*/}"
    done
    [ ! -s /etc/apt/sources.list ] || sed -n 's/^deb /deb-src /p' /etc/apt/sources.list >"$apt/parts/sources.list"
  fi
  apt_with get -o APT::Update::Error-Mode=any update || { rm -rf "$apt"; return 1; }
}

# apt_with get|cache WORDS...   apt-get or apt-cache with these lists
apt_with() {
  tool=apt-$1
  shift
  "$tool" -qq -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$apt/parts" -o Dir::Cache="$apt/cache" \
    -o Dir::State::Lists="$apt/lists" -o APT::Sandbox::User=root "$@"
}

package_of() {
  case $1 in
    png) echo libpng1.6 ;;
    inih | deflate | geotiff | microhttpd) echo "lib$1" ;;
    glfw) echo glfw3 ;;
    *) echo "$1" ;;
  esac
}

# versions_of PACKAGE   print the versions in the lists, newest first: the server may lack some of them
versions_of() {
  apt_with cache showsrc "$1" | sed -n 's/^Version: *//p' | sort -Vru
}

# source_of NAME   unpack the source package in sources/NAME, and note its name and version; fail if it cannot be had
source_of() {
  [ ! -d "$libraries/sources/$1" ] || return 0
  mkdir -p "$libraries/sources"
  : >"$libraries/$1.log"
  for release in own stable; do
    lists_of $release >>"$libraries/$1.log" 2>&1 || continue
    for candidate in $(versions_of "$(package_of "$1")" 2>>"$libraries/$1.log"); do
      rm -rf "$libraries/unpacked"
      mkdir "$libraries/unpacked"
      (cd "$libraries/unpacked" && apt_with get source "$(package_of "$1")=$candidate") >>"$libraries/$1.log" 2>&1 ||
        continue
      echo "$(package_of "$1") $candidate" >"$libraries/sources/$1.version"
      mv "$libraries/unpacked"/*/ "$libraries/sources/$1"
      return 0
    done
    rm -rf "$apt" # old lists name packages that the server has no more
  done
  return 1
}

# archive NAME MODULE VERSION FLAGS FILE...   make lib/libNAME.a and MODULE.pc from files of the folder
archive() {
  name=$1 module=$2 of_module=$3 options=$4
  shift 4
  mkdir -p "$prefix/objects" "$prefix/lib/pkgconfig" "$prefix/include"
  for file in "$@"; do
    # shellcheck disable=SC2086
    $cc $flags $options -c "$file" -o "$prefix/objects/$(echo "$file" | tr / -).o" || return 1
  done
  rm -f "$prefix/lib/lib$name.a"
  $ar rcsD "$prefix/lib/lib$name.a" "$prefix"/objects/*.o
  describe "$module" "$of_module" "-l$name"
}

# describe MODULE VERSION LIBRARIES [FLAGS]   write MODULE.pc, for pkg-config
describe() {
  printf 'Name: %s\nDescription: %s\nVersion: %s\nLibs: -L%s %s\nCflags: -I%s %s\n' "$1" "$1" "$2" "$prefix/lib" \
    "$3" "$prefix/include" "${4:-}" >"$prefix/lib/pkgconfig/$1.pc"
}

build_cjson() {
  archive cjson libcjson 1.7 "" cJSON.c && install -m 644 cJSON.h "$prefix/include"
}

build_inih() {
  archive inih inih 55 "" ini.c && install -m 644 ini.h "$prefix/include"
}

build_xxhash() {
  archive xxhash libxxhash 0.8 "" xxhash.c && install -m 644 xxhash.h "$prefix/include"
}

build_zlib() {
  archive z zlib 1.2 "-DHAVE_UNISTD_H -DHAVE_STDARG_H" adler32.c compress.c crc32.c deflate.c gzclose.c gzlib.c \
    gzread.c gzwrite.c infback.c inffast.c inflate.c inftrees.c trees.c uncompr.c zutil.c &&
    install -m 644 zlib.h zconf.h "$prefix/include"
}

build_png() {
  cp scripts/pnglibconf.h.prebuilt pnglibconf.h
  archive png libpng 1.6 "-I$prefix/include -DPNG_INTEL_SSE_OPT=0" png.c pngerror.c pngget.c pngmem.c pngpread.c \
    pngread.c pngrio.c pngrtran.c pngrutil.c pngset.c pngtrans.c pngwio.c pngwrite.c pngwtran.c pngwutil.c &&
    install -m 644 png.h pngconf.h pnglibconf.h "$prefix/include" && describe libpng 1.6 "-lpng -lz"
}

# library NAME   build a library unless that has been done; fail with a sentence
library() {
  [ ! -e "$prefix/$1.done" ] || return 0
  echo "${0##*/}: $1" >&2
  source_of "$1" || {
    echo "${0##*/}: the source package $(package_of "$1") cannot be had:" \
      "$(grep '^E:' "$libraries/$1.log" | head -n 1)" >&2
    return 1
  }
  rm -rf "$prefix/objects"
  (cd "$libraries/sources/$1" && "build_$1") >"$prefix/$1.log" 2>&1 || {
    echo "${0##*/}: $1 cannot be built: $prefix/$1.log says why" >&2
    return 1
  }
  touch "$prefix/$1.done"
}
