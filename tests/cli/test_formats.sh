#!/bin/bash
# test_formats.sh TERRANE [BACKEND] - other programs read every format of arrays that --help lists, and find the samples
# of a raw export. Random samples of the raw export are compared with `terrane probe`. --verify accepts the files, too.
set -u
terrane=$1
backend=${2:-cpu}
. "$(dirname "$0")/../tools/shell.sh"
w=301 h=277 x=1913248 z=2535840 lod=2 low=-100 high=300
python=/usr/bin/python3
write() { "$terrane" export --backend "$backend" --at $x,$z --basis smooth --size ${w}x$h --lod $lod "$@" 2>err ||
  fail "export $*: $(cat err)"; }
same() { cmp -s "$1" "$2" || fail "$3: samples differ from $2"; }
has() { ! lacks "$1"; }
# Whether all programs that read the files are installed. Without them the test of the CPU is skipped. With backend
# cuda it is enough to compare the files with those that the CPU makes.
readers=1
for program in gdal_translate gdalinfo pngcheck convert identify ffmpeg exrheader xxhsum; do command \
  -v $program >/dev/null || readers=; done
"$python" -c 'import numpy, tifffile' 2>/dev/null || readers=
[ -n "$readers" ] || [ "$backend" = cuda ] ||
  { echo "skipped: of GDAL, ImageMagick, ffmpeg, pngcheck, openexr, xxhash, numpy and tifffile something is missing" \
    >&2; exit 77; }

# ---- the reference: raw files, compared with probe ----
write -o a.r32
write -o a.r16 --range $low,$high
step=$((1 << lod))
RANDOM=7
: >points; : >got; : >got16
for n in $(seq 40); do
  column=$((RANDOM % w)) row=$((RANDOM % h))
  echo "$((x + step * column)),$((z + step * row))" >>points
  od -An -tx4 -j $(((row * w + column) * 4)) -N4 --endian=little a.r32 | tr -d ' ' >>got
  od -An -tu2 -j $(((row * w + column) * 2)) -N2 --endian=little a.r16 | tr -d ' ' >>got16
done
"$terrane" probe --basis smooth --backend "$backend" <points 2>/dev/null >heights
awk '{print $4}' heights | cmp -s - got || fail "r32 differs from probe"
awk -v lo=$low -v hi=$high '{
  v = ($3 - lo) / (hi - lo) * 65535
  printf "%.6f\n", (v < 0 ? 0 : v > 65535 ? 65535 : v)
}' heights | paste - got16 |
  awk '{ d = $1 - $2; if (d > 0.52 || d < -0.52) exit 1 }' || fail "r16 differs from probe"

# ---- every format ----
# read_back FORMAT FILE   let at least one other program read FILE, and store its samples in the file x, raw and little
# endian; of a map check only the size
read_back() {
  case $1 in
    r32 | r16 | asc) gdal_translate -q -of ENVI "$2" x ;;
    tiff | cog)
      gdal_translate -q -of ENVI "$2" x
      $python -c "import sys, numpy, tifffile; tifffile.imread(sys.argv[1]).astype('<f4').tofile('y')" "$2" 2>err ||
        { fail "tifffile: $(cat err)"; return; }
      same y a.r32 "$1 by tifffile" ;;
    tiff16)
      gdal_translate -q -of ENVI "$2" x
      $python -c "import sys, numpy, tifffile; tifffile.imread(sys.argv[1]).astype('<u2').tofile('y')" "$2" 2>err ||
        { fail "tifffile: $(cat err)"; return; }
      same y a.r16 "tiff16 by tifffile" ;;
    png16)
      gdal_translate -q -of ENVI "$2" x
      pngcheck -q "$2" >log || fail "pngcheck: $(cat log)"
      convert "$2" -depth 16 -endian LSB gray:y
      same y a.r16 "png16 by ImageMagick" ;;
    pgm)
      gdal_translate -q -of ENVI "$2" x
      convert "$2" -depth 16 -endian LSB gray:y
      same y a.r16 "pgm by ImageMagick" ;;
    hfield) # number of rows, number of columns, then the rows from the south
      $python -c "
import sys, numpy
data = open(sys.argv[1], 'rb').read()
rows, columns = numpy.frombuffer(data, '<i4', 2)
assert (rows, columns) == ($h, $w)
numpy.frombuffer(data, '<f4', offset=8).reshape(rows, columns)[::-1].tofile('x')" "$2" 2>err || fail "hfield: $(cat \
  err)" ;;
    exr)
      ffmpeg -v error -y -i "$2" -pix_fmt grayf32le -f rawvideo x
      exrheader "$2" | grep -q 'Y, 32-bit floating-point' || fail "exrheader: $(exrheader "$2")" ;;
    map) identify "$2" >log && grep -q "PNG ${w}x$h" log || fail "map: $(cat log)" ;;
    *) fail "format $1 is not read back here" ;;
  esac
}
formats=$("$terrane" export --help | sed -n '/^Formats/,/^$/p' | awk 'NR > 1 && NF { print $1 ":" $2 }')
[ "$(echo "$formats" | wc -l)" -ge 8 ] || fail "formats of --help: $formats"
for entry in $formats; do
  format=${entry%:*} file=b_${entry%:*}${entry#*:}
  case $format in
    tiff* | cog) has TIFF || continue ;;
    exr) has OpenEXR || continue ;;
    png16) has 'PNG files' || continue ;;
    map) has 'the viewer' || continue ;;
    glb | stl | obj) continue ;; # test_meshes.sh reads meshes
  esac
  case $format in
    r16 | png16 | tiff16 | pgm) like=a.r16 range="--range $low,$high" ;;
    *) like=a.r32 range= ;;
  esac
  # shellcheck disable=SC2086
  write --format "$format" -o "$file" $range
  if [ "$backend" = cuda ]; then # packing does not depend on the backend
    mkdir -p cpu
    # shellcheck disable=SC2086
    (cd cpu && backend=cpu write --format "$format" -o "$file" $range)
    cmp -s "$file" "cpu/$file" || fail "$file differs from the CPU's"
  fi
  rm -f x y
  [ -z "$readers" ] || read_back "$format" "$file"
  [ "$format" = map ] && continue
  [ -z "$readers" ] || same x $like "$format"
  has sidecars || continue
  expect 0 '' export --verify "$file" --backend "$backend"
  grep -q 'all as its sidecar says; checksum right' out || lacks checksums || lacks sidecars ||
    fail "--verify $file: $(cat out err)"
  if [ -n "$readers" ] && ! lacks checksums; then
    sum=$(xxhsum -H3 "$file" | awk '{print $NF}')
    grep -q "xxh3:$sum" "$file.json" || fail "$file: xxhsum says $sum, the sidecar $(grep checksum "$file.json")"
  fi
done

# a changed sample is found
if has sidecars; then
  cp a.r32 c.r32; cp a.r32.json c.r32.json
  printf '\001\002\003\004' | dd of=c.r32 bs=4 seek=$((5 * w + 17)) conv=notrunc 2>/dev/null
  expect 1 '1 of [0-9]* samples differ, first column 17 of row 5' export --verify c.r32
  head -c 1000 a.r32 >c.r32
  expect 3 "has 1000 bytes, expected $((w * h * 4))" export --verify c.r32
  sed 's/"lod"/"lud"/' a.r32.json >c.r32.json
  expect 3 '"lod" is missing' export --verify c.r32
  expect 3 "cannot read 'none.r32.json'" export --verify none.r32
  cp a.r32 c.r32
  sed 's/"lod":\t2/"lod":\t99/' a.r32.json >c.r32.json
  expect 3 '"lod" is missing or out of range' export --verify c.r32
  sed 's/"world_format":\t1/"world_format":\t99/' a.r32.json >c.r32.json
  expect 3 '"world_format" is missing or out of range' export --verify c.r32
  sed 's/"gain":.*/"gain":\t7,/' a.r32.json >c.r32.json
  expect 3 'has no valid world' export --verify c.r32
  expect 2 'takes files only' export --verify a.r32 -o b.r32
  # a file of an earlier world format is refused with both formats in the sentence, and nothing changes
  land="export --basis fluvial --lod 5 --size 9x7 -o"
  expect 0 '' $land f.r32
  sed -i 's/"world_format":\t[0-9]*/"world_format":\t2/' f.r32.json
  before=$(cat f.r32* | cksum; ls -l --full-time f.r32*)
  expect 2 "'f.r32.json' is of world format 2, expected 3" export --verify f.r32
  expect 2 "'f.r32.json' is of world format 2, expected 3" $land f.r32 --resume
  [ "$before" = "$(cat f.r32* | cksum; ls -l --full-time f.r32*)" ] || fail "a refused file has changed"
  expect 0 '' $land f.r32 --resume --force
  expect 0 '' export --verify f.r32
  if ! lacks checksums; then
    sed 's/xxh3:..../xxh3:0000/' a.r32.json >c.r32.json
    expect 1 'all samples are right, but other bytes are not' export --verify c.r32
  fi
  # files that other programs have rewritten in another layout are refused, not misread
  if [ -n "$readers" ] && has TIFF; then
    gdal_translate -q -co TILED=YES -co BLOCKXSIZE=512 \
      -co BLOCKYSIZE=128 b_tiff.tif c.tif 2>/dev/null; cp b_tiff.tif.json c.tif.json
    expect 3 'is not a TIFF of' export --verify c.tif
  fi
  if [ -n "$readers" ] && has 'PNG files'; then
    convert b_png16.png -interlace PNG c.png; cp b_png16.png.json c.png.json
    expect 3 'not interlaced' export --verify c.png
  fi
  if [ -n "$readers" ] && has OpenEXR; then
    ffmpeg -v error -y -i b_exr.exr -pix_fmt grayf32le -compression zip1 c.exr 2>log; cp b_exr.exr.json c.exr.json
    expect 3 'is not an OpenEXR picture of' export --verify c.exr
  fi
fi

# ---- place, scale and offset ----
if [ -n "$readers" ]; then
  place() { gdalinfo "$1" 2>/dev/null | grep -E 'Origin|Pixel Size' | tr -d ' \n'; }
  wanted='Origin=(1913246.000000000000000,-2535838.000000000000000)PixelSize=(4.000000000000000,-4.000000000000000)'
  [ "$(place a.r32)" = "$wanted" ] || fail "place of a.r32: $(place a.r32)"
  if has TIFF; then
    [ "$(place b_tiff.tif)" = "$wanted" ] || fail "place of b_tiff.tif: $(place b_tiff.tif)"
    gdalinfo b_tiff16.tif 2>/dev/null >log
    grep -q 'Offset: -100, *Scale:0.006103608758' log && grep -q 'Unit Type: m' log &&
      grep -q 'COMPRESSION=DEFLATE' log && grep -q 'Block=256x256' log ||
      fail "gdalinfo b_tiff16.tif: $(cat log)"
  fi
  gdalinfo a.r16 2>/dev/null | grep -q 'Offset: -100, *Scale:0.006103608758' || fail "scale of a.r16"
fi

# ---- orders of rows and bytes ----
write -o s.r32 --row-order south
[ -z "$readers" ] || "$python" - <<'END' || fail "south-first r32"
import numpy
a, s = (numpy.fromfile(f, '<f4').reshape(277, 301) for f in ('a.r32', 's.r32'))
assert (a[::-1] == s).all()
END
for file in s.png s.exr; do
  case $file in *.png) has 'PNG files' || continue ;; *) has OpenEXR || continue ;; esac
  write -o $file --row-order south
  has sidecars || continue
  expect 0 '' export --verify $file --backend "$backend"
done
write -o big.r16 --byte-order be --range $low,$high
dd if=big.r16 conv=swab 2>/dev/null | cmp -s - a.r16 || fail "big-endian r16"

# ---- pipes ----
for format in r32 r16 pgm; do
  range="--range $low,$high"
  [ $format = r32 ] && range=
  # shellcheck disable=SC2086
  "$terrane" export --backend "$backend" --at $x,$z --basis smooth --size ${w}x$h --lod $lod --format $format $range \
    -o - 2>/dev/null | cmp -s - b_$format.$format ||
    fail "$format through a pipe differs"
done
lacks OpenEXR || expect 2 'can only be written to a file' export --basis smooth --size 4x4 --format exr -o -
expect 2 'PGM is big endian' export --basis smooth --size 4x4 --byte-order le -o n.pgm

# ---- names ----
expect 2 "whose ending means exr, but the format is r32" export --basis smooth --size 4x4 --format r32 -o a.exr
lacks 'PNG files' || expect 2 'byte-order is for raw formats' export --basis smooth --size 4x4 --byte-order be -o n.png
lacks TIFF || expect 2 'row-order south is not for format tiff' export --basis smooth --size 4x4 --row-order south \
  -o n.tif
[ -z "$(ls n.* 2>/dev/null)" ] || fail "a refused export left files"
finish
