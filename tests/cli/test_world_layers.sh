#!/bin/bash
# test_world_layers.sh TERRANE BACKEND - the layers of fluvial worlds have in every format the numbers that terrane
# probe prints on the CPU. Also tested: no-data values as GDAL reads them, sets, resumption, verification and refusals.
set -u
tests=$(cd "$(dirname "$0")" && pwd) terrane=$1 backend=$2
. "$tests/../tools/shell.sh"
python=/usr/bin/python3
for thing in sidecars checksums 'PNG files' TIFF; do
  ! lacks "$thing" || { echo "skipped: this build lacks $thing" >&2; exit 77; }
done
for program in gdal_translate gdalinfo; do command -v $program >/dev/null ||
  { echo "skipped: $program is missing" >&2; exit 77; }; done
"$python" -c 'import numpy' 2>/dev/null || { echo "skipped: numpy is missing" >&2; exit 77; }
w=75 h=52 x=61120 z=32000 step=16
climate=temperature,temperature-range,precipitation,precipitation-season,biome,snow
all=height,water,flow,shore,relief,plain,plateau,ice,dryness,land,top,$climate
shares=shore,relief,plain,plateau,ice,dryness,land,$climate
write() { "$terrane" export --backend "$backend" --basis fluvial --continents 0 "$@" 2>err ||
  fail "export $*: $(cat err)"; }
land() { write --lod 4 --at $x,$z --size ${w}x$h "$@"; }
points() { for ((j = 0; j < h; j += 3)); do for ((i = 0; i < w; i += 4)); do echo $((x + step * i)) $((z + step * j)); \
  done; done; }

# ---- numbers: all layers in each format, compared with probe ----
points >points
"$terrane" probe --backend cpu --basis fluvial --continents 0 --layer $all <points >probe 2>err ||
  fail "probe: $(cat err)"
land --layer $all -o 'f_{layer}.r32'
land --layer $all -o 't_{layer}.tif'
land --layer $all --byte-order be --row-order south -o 'b_{layer}.r32'
for format in r16 png16 tiff16 pgm; do land --layer $shares --format $format -o "${format}_{layer}.$format"; done
land --layer plain -o plain.r16
grep -q 'range 0 to 1, a step is 1.5259e-05, 0 samples clamped' err || fail "range of a share: $(cat err)"
if ! lacks OpenEXR; then
  land --layer $all -o 'e_{layer}.exr'
  expect 0 '' export --verify e_*.exr
  ! command -v exrheader >/dev/null || exrheader e_water.exr | grep -q 'name.*"water"' ||
    fail "e_water.exr: $(exrheader e_water.exr)"
fi
"$python" "$tests/test_world_layers.py" $w $h >log 2>&1 || fail "layers: $(tail -4 log)"
[ "$(grep -c ^check_ log)" -eq 5 ] || fail "checks: $(cat log)"
expect 0 '' export --verify ./*.r32 ./*.tif ./*.r16 ./*.png16 ./*.tiff16 ./*.pgm
[ "$(grep -c 'checksum right' out)" -eq 104 ] || fail "--verify: $(cat out err)"
land -o alone.tif
cmp -s alone.tif t_height.tif || fail "heights beside layers differ from heights alone"
land --layer slope,height,water,normal,splat -o 'd_{layer}.tif' # derived layers need samples around the file
cmp -s d_water.tif t_water.tif && cmp -s d_height.tif alone.tif || fail "layers beside derived ones differ"
land --layer slope -o s.tif
cmp -s s.tif d_slope.tif || fail "slope beside layers differs"

# ---- spacing 2: it scales areas, lengths and slopes in exports and probes, and the ranges of 16-bit samples ----
land --layer $all --spacing 2 -o 'w_{layer}.r32'
land --layer shore,relief --spacing 2 -o 'w_{layer}.r16'
"$terrane" probe --backend "$backend" --basis fluvial --continents 0 --spacing 2 --layer $all <points >wide 2>err ||
  fail "probe: $(cat err)"
"$python" - $w $h <<'END' || fail "layers in steps of 2 m"
import json, sys
import numpy
w, h = map(int, sys.argv[1:])
scale = dict(flow=4, shore=2, relief=0.5)
converters = {n: lambda bits: int(bits, 16) for n in range(3, 36, 2)}
one, two = (numpy.loadtxt(name, converters=converters) for name in ("probe", "wide"))
layers = "height water flow shore relief plain plateau ice dryness land top temperature temperature-range precipitation"
for n, layer in enumerate((layers + " precipitation-season biome snow").split()):
    f, g = (numpy.fromfile(f"{kind}_{layer}.r32", "<f4").astype("f8") for kind in "fw")
    assert numpy.array_equal(g, scale.get(layer, 1) * f, equal_nan=True), layer
    numbers = [bits.astype("u4").view("f4").astype("f8") for bits in (one[:, 3 + 2 * n], two[:, 3 + 2 * n])]
    assert numpy.array_equal(numbers[1], scale.get(layer, 1) * numbers[0], equal_nan=True), layer
for layer, high in ("shore", 1310.7), ("relief", 10):
    assert open(f"r16_{layer}.r16", "rb").read() == open(f"w_{layer}.r16", "rb").read()
    assert abs(json.load(open(f"w_{layer}.r16.json"))["range"][1] - high) < 1e-9
side = json.load(open("w_flow.r32.json"))
assert side["unit"] == "m2" and "not flow accumulation" in side["meaning"], side
END
expect 0 '' export --backend "$backend" --verify w_*.r32 w_*.r16
"$terrane" export --help | grep -q '^  flow .*not flow accumulation' || fail "export --help takes flow for accumulation"
rm w_*.r32 w_*.r16

# ---- a file that another program has changed, and one whose samples are all NaN ----
cp t_water.tif.json c.tif.json; cp t_flow.tif c.tif
expect 1 'samples differ' export --verify c.tif
sed 's/"basis":.*/"basis":\t"smooth",/; s/"world_format":.*/"world_format":\t1,/' t_water.tif.json >c.tif.json
expect 3 'says layer water, which worlds of basis smooth do not have' export --verify c.tif
write --at 61120,33600 --size 9x9 --layer water -o dry.tif
grep -q '"min":.*null' dry.tif.json && grep -q '"max":.*null' dry.tif.json || fail "no numbers: $(cat dry.tif.json)"
expect 0 '' export --verify dry.tif
"$terrane" export --backend "$backend" --basis fluvial --continents 0 --at 61120,33600 --size 9x9 --layer water \
  -o dry.tif \
  --resume 2>err &&
  grep -q 'complete already' err || fail "--resume of a dry file: $(cat err)"

# ---- sets: tiles are parts of one large export; missing tiles are made ----
write --lod 4 --at $x,$z --size 25x26 --tiles 3x2 --layer flow,water -o 'm_{layer}_{x}_{y}.r32'
"$python" - <<'END' || fail "tiles of a layer differ from one large export"
import numpy
for layer in ('flow', 'water'):
    whole = numpy.fromfile(f'f_{layer}.r32', '<u4').reshape(52, 75)
    for r in range(2):
        for c in range(3):
            tile = numpy.fromfile(f'm_{layer}_{c}_{r}.r32', '<u4').reshape(26, 25)
            assert (tile == whole[26*r:26*r+26, 25*c:25*c+25]).all(), (layer, r, c)
END
gdalinfo m_water.vrt >out 2>&1
grep -q 'Size is 75, 52' out && grep -q 'NoData Value=nan' out || fail "m_water.vrt: $(cat out)"
gdalinfo m_flow.vrt | grep -q NoData && fail "m_flow.vrt has a no-data value"
cp m_water_1_1.r32 kept; rm m_water_1_1.r32 m_flow_0_0.r32
write --lod 4 --at $x,$z --size 25x26 --tiles 3x2 --layer flow,water -o 'm_{layer}_{x}_{y}.r32' --resume
grep -q '2 files written, 10 kept' err && cmp -s kept m_water_1_1.r32 || fail "--resume of layers: $(cat err)"
write --lod 4 --at $x,$z --size 25x26 --tiles 3x2 --layer flow,water -o 'i_{layer}_{x}_{y}.r32' --shard 1/2
[ "$(ls i_*.r32 | wc -l)" -eq 6 ] && cmp -s i_water_1_0.r32 m_water_1_0.r32 || fail "--shard: $(ls i_*)"
expect 3 "'m_flow_0_0.r32' exists already" export --basis fluvial --continents 0 --size 25x26 --tiles 3x2 \
  --layer flow,water \
  -o 'm_{layer}_{x}_{y}.r32'
write --lod 4 --at $x,$z --size 25x26 --tiles 3x2 --layer flow,water -o 'm_{layer}_{x}_{y}.r32' --force
expect 0 '' export --dry-run --force --basis fluvial --continents 0 --size 25x26 --tiles 3x2 --layer flow,water \
  -o 'm_{layer}_{x}_{y}.r32'
grep -q 'files: 12, 31200 bytes' out || fail "--dry-run: $(cat out)"

# ---- a single raw file is continued where it ended: here files may have at most 70 MB ----
large=(export --backend "$backend" --basis fluvial --continents 0 --at 0,0 --size 5000x3600 --layer water --resume -o large.r32)
(ulimit -f 68500 && exec "$terrane" "${large[@]}") 2>err
[ $? -eq 3 ] && grep -q 'File too large' err || fail "a file that is too large: $(cat err)"
[ "$(wc -l <large.r32.part.sums)" -eq 2 ] || fail "no chunk: $(cat err)"
expect 0 '' "${large[@]}"
grep -q 'of 3600 rows are written and undamaged' err || fail "nothing was kept: $(cat err)"
expect 0 '' export --verify large.r32
rm large.*

# ---- presets of 16 bits: layers that 16 bits cannot hold are floats in a format that the tool reads, else raw ----
write --lod 4 --at $x,$z --size 33x33 --preset unity --layer height,water -o 'p-{layer}.raw'
write --lod 4 --at $x,$z --size 33x33 --preset gdal --format tiff16 --layer height,flow -o 'p-{layer}.tif'
write --lod 4 --at $x,$z --size 33x33 --preset gaea --layer height,water -o 'q-{layer}.r16'
grep -q '^  Layer water: r32, as they are, m$' err || fail "what floats beside a preset's heights are: $(cat err)"
[ "$(ls p-*.* q-*.* | grep -v -e json -e hdr |
  tr '\n' ' ')" = "p-flow.tif p-height.raw p-height.tif p-water.r32 q-height.r16 q-water.r32 " ] ||
  fail "floats of presets: $(ls p-* q-*)"
gdalinfo p-flow.tif | grep -q 'Type=Float32' || fail "flow beside 16 bits: $(gdalinfo p-flow.tif)"
expect 0 '' export --verify p-*.raw p-*.tif p-*.r32 q-*.r32

# ---- refused ----
for layer in water flow shore relief plain plateau ice dryness land top; do
  expect 2 "layer $layer: a world of basis smooth does not have it, expected a world of basis fluvial" export \
    --basis smooth --size 9x9 --layer $layer -o n.r32
done
expect 2 'layer flow: a world of basis midpoint' export --basis midpoint --size 9x9 --layer height,slope,flow -o n.tif
for format in r16 png16 tiff16 pgm; do
  expect 2 "format $format cannot hold layer water, for dry samples have no number: expected r32, tiff or exr" export \
    --basis fluvial --continents 0 --size 9x9 --layer height,water --format $format -o "n_{layer}.$format"
  expect 2 "format $format cannot hold layer flow, for its areas" export --basis fluvial --continents 0 \
    --size 9x9 --layer flow \
    --format $format -o n.$format
done
for format in hfield glb stl obj; do
  expect 2 "format $format is for heights, not for layer water" export --basis fluvial --continents 0 --size 9x9 \
    --layer water \
    --format $format -o n.$format
done
expect 2 'layer.* for heights, not for format map' export --basis fluvial --continents 0 --size 9x9 --layer water \
  --format map -o n.png
[ -z "$(ls n.* n_* 2>/dev/null)" ] || fail "a refused export left files"
finish
