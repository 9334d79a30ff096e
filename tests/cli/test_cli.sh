#!/bin/bash
# test_cli.sh TERRANE [BACKEND] - commands have the documented exit codes and use the right streams, and exports have
# the samples that probe prints.
set -u
terrane=$1
backend=${2:-cpu}
. "$(dirname "$0")/../tools/shell.sh"

# ---- exit codes and streams ----
expect 0 '' --help
grep -q export out || fail "--help does not list export"
expect 0 '' --version
expect 2 usage
expect 2 "unknown command 'walk'" walk
for command in export probe info bench; do
  expect 0 '' "$command" --help
  grep -q usage out || fail "$command --help is not on stdout"
  expect 2 "unknown option '--nonsense'" "$command" --nonsense
done
expect 2 "point is '5,x', expected two numbers" probe 5,x
expect 2 "point is '99999999999999999,0'" probe 99999999999999999,0
expect 2 "levels is '25', expected an integer from 1 to 24" probe 0,0 --levels 25
expect 2 "gain is '1', expected a number from 0 \(excluded\) to 1 \(excluded\)" probe 0,0 --gain 1
expect 2 "basis is 'cubic', expected midpoint, smooth or fluvial" probe 0,0 --basis cubic
expect 2 "gain has no meaning in a world of basis fluvial, expected --basis smooth or midpoint with it" probe 0,0 \
  --gain 0.5
expect 0 "" probe 0,0 --basis smooth --gain 0.5
expect 2 "ice has no meaning in a world of basis smooth, expected --basis fluvial with it" probe 0,0 --basis smooth \
  --ice 0.5
expect 2 "land is '2', expected a number from -1 to 1" probe 0,0 --basis fluvial --land 2
expect 2 "sea is -1, expected 0 to 2000 m in a world of basis fluvial" probe 0,0 --basis fluvial --sea -1
expect 2 "layer is 'water', expected height alone" probe 0,0 --basis smooth --layer water
expect 2 "layer is 'height,height', expected each layer once" probe 0,0 --basis fluvial --layer height,height
expect 2 "layer is 'wet', expected a list of height, water, flow" probe 0,0 --basis fluvial --layer wet
printf '[world]\nbasis = fluvial\nvalley = 0.5\n' >mixed.ini
lacks 'world files' || expect 2 "mixed.ini:3: valley has no meaning in a world of basis fluvial" probe 0,0 \
  --world mixed.ini
# Without `basis` a world has the default basis, fluvial. If its file has a key that only basis smooth has, the world is
# smooth.
printf '[world]\nseed = 7\n' >plain.ini
printf '[world]\nseed = 7\nvalley = 0.7\n' >old.ini
printf '[world]\nvalley = 0.7\nland = 0.1\n' >both.ini
if ! lacks 'world files'; then
  [ "$("$terrane" probe 5,7 --world plain.ini)" = "$("$terrane" probe 5,7 --seed 7 --basis fluvial)" ] ||
    fail "a world file without a basis is not fluvial"
  [ "$("$terrane" probe 5,7 --world old.ini)" = "$("$terrane" probe 5,7 --seed 7 --basis smooth)" ] ||
    fail "a world file with valley is not smooth"
  [ "$("$terrane" probe 5,7 --world old.ini --basis fluvial)" = "$("$terrane" probe 5,7 --seed 7)" ] ||
    fail "--basis does not override a world file"
  expect 2 "both.ini:3: land has no meaning in a world of basis smooth, expected basis fluvial with it" probe 0,0 \
    --world both.ini
fi
expect 2 "seed is '-1'" probe 0,0 --seed -1
expect 2 "amplitude is 'nan'" probe 0,0 --basis smooth --amplitude nan
expect 2 "valley is '1.5', expected a number from 0 to 1" probe 0,0 --valley 1.5
for spacing in 0 1e-300 0.0009 1000001 1e39 1e308; do
  expect 2 "spacing is '$spacing', expected a number from 0.001 to 1000000" probe 0,0 --spacing $spacing
done
if ! lacks 'world files'; then
  printf '[world]\nspacing = 1e39\n' >far.ini
  expect 2 "far.ini:2: spacing is '1e39', expected a number from 0.001 to 1000000" probe 0,0 --world far.ini
fi
expect 2 "backend is 'opencl', expected auto, cpu or cuda" probe 0,0 --backend opencl
expect 2 "seed needs a value" probe 0,0 --seed
expect 2 "size is '10', expected two integers WxH" export --size 10 -o a.r32
expect 2 "size is missing" export -o a.r32
expect 2 "o is missing" export --size 4x4
expect 2 "lod is 21, expected -4 to 20" export --size 4x4 --lod 21 -o a.r32
expect 2 "expected multiples of 8" export --size 4x4 --lod 3 --at 4,0 -o a.r32
expect 2 "leaves the world" export --size 4x4 --at 70368744177663,0 -o a.r32
expect 2 "format is 'bmp', expected r32, r16, .*, glb, stl, obj, gpkg, geojson, geojsonseq or fgb" export \
  --size 4x4 --format bmp -o a.r32
expect 2 "range is '5,5'" export --size 4x4 --format r16 --range 5,5 -o a.r16
expect 2 "range is for 16-bit formats, not for r32" export --size 4x4 --range 0,5 -o a.r32
expect 3 "cannot write '/nowhere/a.r32'" export --size 4x4 -o /nowhere/a.r32
expect 2 "size is '15'" bench --size 15
expect 2 "generators is 'fast'" bench --generators fast
expect 2 "worlds? is 'mars'" bench --worlds mars
expect 2 "lod is '-5', expected an integer from -4 to 24" bench --lod=-5
expect 2 "lod goes to 21, expected at most 20, the levels of world smooth" bench --lod 0..21 --worlds smooth --size 16
expect 2 "lod goes to 5, expected at most 4, the levels of world classic" bench --lod 5 --worlds classic --size 16,64
expect 2 "pipeline measures samples 1 m apart, so it excludes --lod" bench --lod 3 --pipeline
expect 2 "plot draws one level of detail, but --lod has levels 0 to 3" bench --lod 0..3 --plot a.svg
[ -z "$(ls a.* 2>/dev/null)" ] || fail "a refused export left files: $(ls a.*)"
if [ "$backend" = cpu ] && ! "$terrane" probe 0,0 --backend cuda >/dev/null 2>&1; then
  expect 4 'backend cuda cannot run|no CUDA' probe 0,0 --backend cuda
  expect 4 'backend cuda cannot run' bench --backends cuda
fi
if [ -e /dev/full ]; then
  "$terrane" probe 0,0 >/dev/full 2>err && fail "a full standard output is not an error"
  "$terrane" export --size 4096x512 -o /dev/full 2>err
  [ $? -eq 3 ] || fail "a full device is exit status 3"
fi

# ---- world files ----
if lacks 'world files'; then
  echo >w.ini
  expect 2 'this build cannot read world files' probe --world w.ini 0,0
else
printf '%s\n' '[world]' 'seed = 42' 'levels = 14' 'amplitude = 1800' 'broad = 0' 'base = 300' 'broad_gain = 1' \
  'basis = midpoint' 'valley = 0' >w.ini
expect 0 '' probe --world w.ini --backend "$backend" 16384,-32768
grep -q '^16384 -32768 1200 44960000$' out || fail "world file: $(cat out)"
expect 0 '' probe --seed 1 --world w.ini --backend "$backend" 16384,-32768
grep -q 44960000 out && fail "an option does not override the world file"
printf '[world]\nseed = 1\nsede = 2\n' >bad.ini
expect 2 "bad.ini:3: unknown key 'sede', expected seed" probe --world bad.ini 0,0
printf '[world]\ngain = two\n' >bad.ini
expect 2 "bad.ini:2: gain is 'two', expected a number" probe --world bad.ini 0,0
printf 'nonsense\n' >bad.ini
expect 2 "bad.ini:1: not a" probe --world bad.ini 0,0
expect 2 "world is 'nonsense', expected a world file" probe 0,0 --world nonsense
fi

# ---- probe ----
expect 0 '' probe --backend "$backend" --levels 10 --amplitude 1 --gain 0.5 --broad 0 --broad-gain 1 --base 0 \
  --basis midpoint --valley 0 5,7 -1,-1
printf '5 7 -0.118646502 bdf2fcf0\n-1 -1 -0.123794645 bdfd880c\n' | cmp -s - out || fail "probe: $(cat out)"
printf '5,7\n# comment\n\n-1 -1\n' |
  "$terrane" probe --backend "$backend" --levels 10 --amplitude 1 --gain 0.5 --broad 0 --broad-gain 1 --base 0 \
    --basis midpoint --valley 0 2>/dev/null |
  cmp -s - out || fail "probe from standard input differs from probe of words"
echo 'a b' | "$terrane" probe >out 2>err
[ $? -eq 2 ] && grep -q "line 1 is 'a b'" err || fail "probe of a bad line: $(cat err)"

# ---- export against probe ----
sample() { od -An -j "$2" -N "$3" -t "x$3" --endian="${4:-little}" "$1" | tr -d ' \n'; }
w=517 h=311 x=-104 z=2481152
expect 0 '517 x 311 samples' export --backend "$backend" --at $x,$z --size ${w}x$h --lod 3 -o a.r32
[ "$(stat -c %s a.r32)" -eq $((w * h * 4)) ] || fail "a.r32 has $(stat -c %s a.r32) bytes"
RANDOM=1
for n in $(seq 60); do
  column=$((RANDOM % w)) row=$((RANDOM % h))
  echo "$((x + 8 * column)),$((z + 8 * row))" >>points
  sample a.r32 $(((row * w + column) * 4)) 4 >>samples
  echo >>samples
done
"$terrane" probe --backend "$backend" <points 2>/dev/null | awk '{print $4}' | cmp -s - samples ||
  fail "export r32 differs from probe"
expect 3 "exists already; --force" export --backend "$backend" --size 8x8 -o a.r32
[ "$(stat -c %s a.r32)" -eq $((w * h * 4)) ] || fail "a refused export changed the file"
for generator in tiled recursive single-pass; do
  expect 0 '' export --backend "$backend" --generator $generator --at $x,$z --size 61x45 --lod 3 -o $generator.r32
  cmp -s tiled.r32 $generator.r32 || fail "export by $generator differs"
done
"$terrane" export --backend "$backend" --at $x,$z --size ${w}x$h --lod 3 -o - 2>/dev/null | cmp -s - a.r32 ||
  fail "export to standard output differs"
expect 0 '' export --backend "$backend" --at $x,$z --size ${w}x$h --lod 3 --byte-order be --row-order south -o be.r32
[ "$(sample be.r32 0 4 big)" = "$(sample a.r32 $(((h - 1) * w * 4)) 4)" ] || fail "byte order or row order"
expect 0 'a step is' export --backend "$backend" --at $x,$z --size ${w}x$h --lod 3 --format r16 --range -200,455.35 \
  -o a.r16
column=200 row=100
metres=$("$terrane" probe --backend "$backend" "$((x + 8 * column)),$((z + 8 * row))" 2>/dev/null | awk '{print $3}')
expected=$(awk -v h="$metres" 'BEGIN {
  v = (h + 200) / 655.35 * 65535
  printf "%.0f", (v < 0 ? 0 : v > 65535 ? 65535 : v)
}')
[ $((16#$(sample a.r16 $(((row * w + column) * 2)) 2))) -eq "$expected" ] ||
  fail "r16: $(sample a.r16 $(((row * w + column) * 2)) 2) is not $expected"
grep -q 'samples clamped' err || fail "clamped samples are not reported"
expect 0 '' export --backend "$backend" --size 64x64 --format r16 -o auto.r16
grep -q '0 samples clamped' err || fail "a measured range clamps"
[ -s a.r16.hdr ] || fail "a.r16.hdr is missing"
lacks sidecars || { grep -q '"width":.517' a.r16.json && grep -q '"bpp":.16' a.r16.json; } ||
  fail "a.r16.json: $(cat a.r16.json)"
grep -q 'samples = 517' a.r16.hdr || fail "a.r16.hdr: $(cat a.r16.hdr)"
if command -v gdallocationinfo >/dev/null; then
  expect 0 '' export --backend "$backend" --at $x,$z --size ${w}x$h --lod 3 -o g.r32
  got=$(gdallocationinfo -valonly g.r32 $column $row)
  awk -v a="$got" -v b="$metres" 'BEGIN { d = a - b; exit !(d < 1e-3 && d > -1e-3) }' ||
    fail "GDAL reads $got where probe says $metres"
fi
expect 0 '' export --size 100000x100000 -o big.r32 --dry-run
expect 2 "lod is 21" export --size 4x4 --lod 21 -o big.r32 --dry-run
mkdir -p folder
lacks 'world files' || expect 2 "world is 'folder'" probe 0,0 --world folder
expect 2 "amplitude is 1e\+300" probe 0,0 --basis smooth --amplitude 1e300
expect 0 '' export --size 100000x100000 -o big.r32 --dry-run
grep -q '40000000000 bytes' out && [ ! -e big.r32 ] || fail "--dry-run: $(cat out)"

# ---- interrupted: no file is left ----
"$terrane" export --backend "$backend" --size 60000x60000 --generator single-pass --basis midpoint -o slow.r32 2>err &
await_file slow.r32
kill -INT $!
wait $!
got=$?
[ $got -eq 130 ] || [ "$backend" = cuda ] || fail "interrupted export: exit status $got"
[ -z "$(ls | grep slow.r32)" ] || [ $got -eq 0 ] || fail "an interrupted export left $(ls | grep slow)"

# ---- bench ----
json='--json b.json'
lacks sidecars && json=
expect 0 '' bench --size 64,100 --backends "$backend" --samples 3 $json
rows=$([ "$backend" = cuda ] && echo 20 || echo 12)
# rows that several devices make together
[ "$backend" = cuda ] && [ "$(grep -c '^cuda device' out)" -gt 1 ] && rows=$((rows + 4))
[ "$(grep -c '^'"$backend"'.*identical' out)" -eq $rows ] || fail "bench: $(cat out)"
expect 0 '' bench --size 32,64 --batch --generators tiled --backends "$backend" --samples 2 --plot b.svg
[ "$(grep -c 'tiled .*batch .*identical' out)" -eq 2 ] || fail "bench --batch: $(cat out)"
grep -q '<path' b.svg && grep -q '</svg>' b.svg || fail "b.svg: $(cat b.svg)"
lacks sidecars || { grep -q '"identical":.true' b.json && grep -q '"fill_fraction"' b.json; } ||
  fail "b.json: $(cat b.json)"

# a map: a picture of this size, with a legend below
if ! lacks "the viewer"; then
  "$terrane" export --backend "$backend" --lod 4 --size 400x100 --format map -o map.png 2>err || fail "map: $(cat err)"
  [ "$(od -An -tx1 -j16 -N8 map.png | tr -d ' \n')" = 00000190000000c0 ] ||
    fail "map.png is not 400 x 192: $(od -An -tx1 -j16 -N8 map.png)"
  lacks sidecars || for words in '"format":	"map"' '"width":	400,' '"palette"\|"look"' '"lod":	4' '"checksum"'; do
    grep -q "$words" map.png.json || fail "a map's sidecar lacks $words: $(cat map.png.json)"
  done
  [ "$(head -1 map.pgw)" = 16 ] || fail "a map's georeference file: $(cat map.pgw)"
  expect 3 'describes a map, and --verify does not compare maps' export --verify map.png
  expect 3 "exists already" export --lod 4 --size 400x100 --format map -o map.png
  expect 2 "at most 16384x16384 for map" export --size 20000x10 --format map -o big.png
  expect 2 "not for format map" export --size 20x10 --format map --row-order south -o south.png
fi
finish
