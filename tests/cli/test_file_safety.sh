#!/bin/bash
# test_file_safety.sh TERRANE - hostile files at the places where the program writes and reads do no harm: links, pipes,
# devices, false sidecars and pictures. Also tested: numbers in sidecars keep every digit; messages of failed writes.
set -u
terrane=$1 backend=cpu
. "$(dirname "$0")/../tools/shell.sh"
if lacks checksums || lacks sidecars; then echo "skipped: this build has no checksums, or no JSON" >&2; exit 77; fi
python=/usr/bin/python3
[ -x $python ] || { echo "skipped: python3 is missing" >&2; exit 77; }

# limit of the address space in kilobytes; a build with sanitizers needs more, so it runs without a limit
memory=$( (ulimit -v 1200000; "$terrane" --version >/dev/null 2>&1) && echo 1200000 || echo unlimited)
# quickly STATUS PATTERN WORDS...   like expect, but within ten seconds and 1.2 GB of address space
quickly() {
  local status=$1 pattern=$2 got
  shift 2
  (ulimit -v $memory; exec timeout 10 "$terrane" "$@") >out 2>err
  got=$?
  [[ $got =~ ^$status$ ]] || fail "terrane $*: exit status $got, expected $status: $(cat err)"
  grep -qE "$pattern" err || fail "terrane $*: stderr is '$(cat err)', expected '$pattern'"
}
small='--basis smooth --size 64x64 --backend cpu'

# ---- links and foreign files ----
echo precious >victim
intact() { [ "$(cat victim)" = precious ] ||
  { fail "$*: a file of others is now '$(head -c 100 victim)'"; echo precious >victim; }; }
for name in a.r32.part a.r32.part.sums; do
  for link in -s ''; do
    # shellcheck disable=SC2086
    ln $link victim $name
    # shellcheck disable=SC2086
    for force in '' --force; do quickly 3 "cannot write '$name': .*move it away" export $small --resume $force \
      -o a.r32; done
    intact "$name by ln $link"
    rm -f a.r32*
  done
done
echo mine >a.r32.part.sums
# shellcheck disable=SC2086
quickly 3 "'a.r32.part.sums': it is not terrane's" export $small --resume -o a.r32
[ "$(cat a.r32.part.sums)" = mine ] || fail "another program's file with the name of a journal was overwritten"
rm -f a.r32*
# a link to a sidecar of terrane does not count as a sidecar of terrane
# shellcheck disable=SC2086
expect 0 '' export $small -o v.r32
for name in a.r32.json a.r32.hdr; do
  cp v.r32."${name##*.}" kept
  ln -s kept $name
  # shellcheck disable=SC2086
  quickly 3 "'$name' exists already and is not terrane's" export $small -o a.r32
  # shellcheck disable=SC2086
  quickly 0 '' export $small --force -o a.r32
  cmp -s kept v.r32."${name##*.}" || fail "a file that $name pointed to was overwritten"
  rm -f a.r32*
done
ln -s victim a.r32
# shellcheck disable=SC2086
quickly 3 "'a.r32' exists already" export $small -o a.r32
# shellcheck disable=SC2086
quickly 0 '' export $small --force -o a.r32
intact "a link replaced by --force"
[ -f a.r32 ] && [ ! -L a.r32 ] || fail "--force wrote through a link"
rm -f a.r32*
mkdir a.r32.json
# shellcheck disable=SC2086
quickly 3 "cannot write 'a.r32.json': Is a directory" export $small --force -o a.r32
[ -d a.r32.json ] && [ ! -e a.r32 ] && [ "$(ls | grep -c '^a\.')" -eq 1 ] ||
  fail "a folder in place of a sidecar: $(ls)"
rmdir a.r32.json

# ---- pipes, devices and endless files ----
for name in a.r32.json a.r32.hdr a.r32.part a.r32.part.sums; do
  mkfifo $name
  resume=; case $name in *part*) resume=--resume ;; esac
  # shellcheck disable=SC2086
  quickly 3 "'$name'" export $small $resume -o a.r32
  rm -f a.r32*
done
cp v.r32 a.r32
mkfifo a.r32.json
quickly 3 "cannot read 'a.r32.json': it is a pipe, expected a regular file" export --backend cpu --verify a.r32
# shellcheck disable=SC2086
quickly 3 "cannot write 'a.r32.json': it is a pipe" export $small --resume -o a.r32
rm a.r32.json; ln -s /dev/zero a.r32.json
quickly 3 "cannot read 'a.r32.json': it is a device" export --backend cpu --verify a.r32
rm a.r32.json; truncate -s 2G a.r32.json
quickly 3 "more than 1048576 bytes" export --backend cpu --verify a.r32
rm a.r32*
for ending in r32 png tif exr pgm; do
  range=
  case $ending in png) lacks 'PNG files' && continue; range='--range -400,0' ;; tif) lacks TIFF &&
    continue ;; exr) lacks OpenEXR && continue ;; pgm) range='--range -400,0' ;; esac
  # shellcheck disable=SC2086
  expect 0 '' export $small $range -o a.$ending
  rm a.$ending; mkfifo a.$ending
  quickly 3 "cannot read 'a.$ending': it is a pipe" export --backend cpu --verify a.$ending
  rm a.$ending; : >a.$ending
  quickly 3 "'a.$ending'" export --backend cpu --verify a.$ending
  rm -f a.*
done

# ---- names that are derived from -o: devices are not written to, pipes are not waited for, foreign files are kept ----
# shellcheck disable=SC2086
for name in b.r32.json b.r32.hdr b.glb.json; do
  file=${name%.*}
  case $file in *.glb) file=b.glb ;; esac
  for target in /dev/null victim; do
    ln -s $target $name
    quickly 0 '' export $small --force -o $file
    [ -f $name ] && [ ! -L $name ] && [ -s $file ] && [ -z "$(ls | grep part-)" ] ||
      fail "$name as a link to $target: $(ls -l b.* *part-* 2>&1)"
    expect 0 '' export --backend cpu --verify $file
    intact "$name as a link"
    rm -f b.*
  done
  for force in '' --force; do
    mkfifo $name
    quickly 3 "cannot write '$name': it is a pipe, expected a regular file" export $small $force -o $file
    [ -p $name ] && [ "$(ls -A | grep -c '^b\.')" -eq 1 ] || fail "$name as a pipe $force: $(ls -A)"
    rm -f b.*
  done
done
set_of="$small --tiles 2x1 --force -o t.r32"
for name in t_x1_y0.r32 t_x1_y0.r32.hdr t.vrt; do
  ln -s /dev/null $name
  # shellcheck disable=SC2086
  quickly 0 '' export $set_of
  [ -f $name ] && [ ! -L $name ] && [ -s $name ] || fail "$name as a link to a device: $(ls -l t*)"
  expect 0 '' export --backend cpu --verify t_x0_y0.r32 t_x1_y0.r32
  rm -f t_* t.vrt
  mkfifo $name
  # shellcheck disable=SC2086
  quickly 3 "cannot write '$name': it is a pipe" export $set_of
  [ "$(ls -A | grep -c '^t[._]')" -eq 1 ] || fail "$name as a pipe: $(ls -A)"
  rm -f t_* t.vrt
done

# ---- when a file is replaced, the sidecars of the old file are removed ----
if ! lacks 'PNG files' && ! lacks 'the viewer'; then
  for again in '--format map' '--range -400,0 --row-order south'; do
    # shellcheck disable=SC2086
    expect 0 '' export $small --range -400,0 -o c.png
    # shellcheck disable=SC2086
    expect 0 '' export $small --force $again -o c.png
    case $again in *map) wanted='c.pgw c.png c.png.json' ;; *) wanted='c.png c.png.json' ;; esac
    [ "$(echo c.*)" = "$wanted" ] || fail "$again over heights: $(echo c.*)"
    rm -f c.*
  done
  echo '{"mine": 1}' >c.png.json; echo mine >c.pgw
  # shellcheck disable=SC2086
  expect 3 "'c.png.json' exists already and is not terrane's" export $small --format map -o c.png
  [ "$(cat c.png.json c.pgw)" = '{"mine": 1}
mine' ] && [ ! -e c.png ] || fail "files of others beside a map: $(ls c.*)"
  rm -f c.*
fi
# shellcheck disable=SC2086
expect 0 '' export $small --preset unreal --size 127x127 --range -400,0 -o c.r16
# shellcheck disable=SC2086
expect 0 '' export $small --force --range -400,0 -o c.r16
[ "$(echo c.*)" = 'c.r16 c.r16.hdr c.r16.json' ] || fail "a file over one of preset unreal: $(echo c.*)"
rm -f c.*
# shellcheck disable=SC2086
expect 0 '' export $small --tiles 2x1 -o c.r32
# shellcheck disable=SC2086
expect 0 '' export $small --tiles 2x1 --row-order south --force -o c.r32
[ ! -e c.vrt ] || fail "a .vrt of rows from the north is left beside a set from the south"
rm -f c_* c.*

# ---- --resume makes missing and damaged sidecars of a sound file again ----
# shellcheck disable=SC2086
expect 0 '' export $small --tiles 2x1 -o c.r32
cp c_x1_y0.r32.hdr kept
for damage in 'rm c_x1_y0.r32.hdr' 'truncate -s 40 c_x1_y0.r32.hdr' 'cp c_x0_y0.r32.hdr c_x1_y0.r32.hdr'; do
  $damage
  # shellcheck disable=SC2086
  expect 0 "'c_x1_y0.r32.hdr' was missing or damaged" export $small --tiles 2x1 --resume -o c.r32
  cmp -s kept c_x1_y0.r32.hdr && grep -q '0 files written, 2 kept' err || fail "--resume after $damage: $(cat err)"
done
rm c_x1_y0.r32.hdr; echo mine >c_x1_y0.r32.hdr
# shellcheck disable=SC2086
quickly 3 "'c_x1_y0.r32.hdr' exists already and is not terrane's" export $small --tiles 2x1 --resume -o c.r32
rm -f c_* c.* kept
if ! lacks 'PNG files'; then
  # shellcheck disable=SC2086
  expect 0 '' export $small --range -400,0 --tiles 2x1 -o c.png
  mv c_x0_y0.pgw kept
  # shellcheck disable=SC2086
  expect 0 "'c_x0_y0.pgw' was missing or damaged" export $small --range -400,0 --tiles 2x1 --resume -o c.png
  cmp -s kept c_x0_y0.pgw || fail "a georeference file after --resume: $(cat c_x0_y0.pgw)"
  rm -f c_* c.* kept
fi

# ---- names that JSON and XML cannot represent ----
for name in $'n\xe9' $'n\x01' $'n\xc0\xaf' $'n\xed\xa0\x80' $'n\xef\xbf\xbf' $'n\xf5\x80\x80\x80' $'n\xe2\x82' $'n\nn' \
  $'n\tn'; do
  for more in '' '--tiles 2x1'; do
    # shellcheck disable=SC2086
    expect 2 'expected a file name of UTF-8 without control characters, which JSON and XML can hold: its byte 2 is 0x' \
      export $small $more -o "$name.r32"
    [ -z "$(find . -name 'n*')" ] || fail "a refused name left $(ls | grep '^n')"
  done
done
mkdir $'d\xe9'
# shellcheck disable=SC2086
expect 0 '' export $small --tiles 2x1 -o $'d\xe9/n\xc3\xa9 \xe2\x82\xac \xf0\x9f\x8f\x94 & <"\x27>.r32'
$python -c "
import json, os, xml.dom.minidom
folder = b'd\xe9/'
names = [name.decode() for name in os.listdir(folder)]
tree = xml.dom.minidom.parse(open(folder + [n for n in names if n.endswith('.vrt')][0].encode(), 'rb'))
found = sorted(n.firstChild.data for n in tree.getElementsByTagName('SourceFilename'))
tiles = sorted(n for n in names if n.endswith('.r32'))
assert found == tiles and len(tiles) == 2, (found, tiles)
for tile in tiles: assert json.load(open(folder + (tile + '.json').encode(), encoding='utf-8'))['file'] == tile
" 2>err || fail "names of UTF-8: $(cat err)"
rm -r $'d\xe9'

# ---- false sidecars ----
# lie FILE NAME VALUE...   change members of FILE.json
lie() { $python - "$@" <<'END'
import re, sys
path, changes = sys.argv[1] + '.json', sys.argv[2:]
text = open(path).read()
for name, value in zip(changes[::2], changes[1::2]):
    text, n = re.subn('"%s":\t[^,\n]*' % name, '"%s":\t%s' % (name, value), text)
    assert n == 1, name
open(path, 'w').write(text)
END
}
# shellcheck disable=SC2086
expect 0 '' export $small -o a.r32
: >a.r32
lie a.r32 width $((1 << 46)) height $((1 << 46))
quickly 3 '"width" is missing or out of range' export --backend cpu --verify a.r32
lie a.r32 width $((1 << 29)) height $((1 << 46))
quickly 3 '"height" is missing or out of range' export --backend cpu --verify a.r32
lie a.r32 width 64 height 64 x $(((1 << 46) - 8))
quickly 3 '"width" is missing or out of range' export --backend cpu --verify a.r32
for member in amplitude base sea min_m; do
  cp v.r32 a.r32; cp v.r32.json a.r32.json
  for value in 1e999 -1e999 NaN null '"7"'; do
    lie a.r32 $member "$value"
    quickly 3 "is not JSON|\"$member\" is missing or out of range" export --backend cpu --verify a.r32
  done
done
rm -f a.*
# a small file of each kind whose header claims a huge size, and a sidecar that agrees
$python - <<'END'
import struct, zlib
def png(width, height):
    def chunk(kind, body):
        return struct.pack('>I', len(body)) + kind + body + struct.pack('>I', zlib.crc32(kind + body))
    header = struct.pack('>IIBBBBB', width, height, 16, 0, 0, 0, 0)
    samples = zlib.compress(b'\0' * 64)
    return b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', header) + chunk(b'IDAT', samples) + chunk(b'IEND', b'')
open('great.png', 'wb').write(png(2**31 - 1, 1))
open('wide.png', 'wb').write(png(10**6, 10**6))
def tiff(side, count):
    entries = [(256, 4, 1, side), (257, 4, 1, side), (258, 3, 1, 32), (259, 3, 1, 8), (262, 3, 1, 1), (277, 3, 1, 1),
               (284, 3, 1, 1), (322, 3, 1, 256), (323, 3, 1, 256), (324, 4, count, 8), (325, 4, count, 8),
               (339, 3, 1, 3)]
    body = b''.join(struct.pack('<HHII', *entry) for entry in entries)
    return b'II*\0' + struct.pack('<IH', 8, len(entries)) + body + b'\0' * 4
open('great.tif', 'wb').write(tiff(2**31 - 256, 2**28 - 1))
END
if ! lacks 'PNG files'; then
  # shellcheck disable=SC2086
  expect 0 '' export $small --range -400,0 -o s.png
  cp s.png.json great.png.json; lie great.png width $(((1 << 31) - 1)) height 1
  quickly 3 '"width" is missing or out of range' export --backend cpu --verify great.png
  cp s.png.json great.png.json
  quickly 3 "cannot read 'great.png': libpng" export --backend cpu --verify great.png
  cp s.png.json wide.png.json; lie wide.png width 1000000 height 1000000
  quickly 3 "cannot read 'wide.png': libpng" export --backend cpu --verify wide.png
fi
if ! lacks TIFF; then
  # shellcheck disable=SC2086
  expect 0 '' export $small -o s.tif
  cp s.tif.json great.tif.json; lie great.tif width $(((1 << 31) - 256)) height $((1 << 28))
  quickly 3 "too few for a TIFF" export --backend cpu --verify great.tif
  cp s.tif.json great.tif.json
  quickly 3 "'great.tif'" export --backend cpu --verify great.tif
fi

# ---- numbers keep every digit ----
# shellcheck disable=SC2086
expect 0 '' export $small --range -340.00000000000006,-310.1 -o n.r16
grep -q -- '-340.00000000000006' n.r16.json || fail "range: $(grep -A2 range_m n.r16.json)"
expect 0 '' export --backend cpu --verify n.r16
$python - >worlds <<'END'
import random
random.seed(5)
for n in range(60):
    print('--basis smooth --seed', random.getrandbits(64), '--amplitude', random.uniform(1, 3000),
          '--gain', random.uniform(.3, .7), '--broad-gain', random.uniform(.3, .9), '--base', random.uniform(-500, 500),
          '--valley', random.random(), '--spacing', random.uniform(.1, 10), '--sea', random.uniform(-100, 100))
END
n=0
while read -r world; do
  n=$((n + 1))
  # shellcheck disable=SC2086
  for resume in '' --resume; do expect 0 '' export --basis smooth --size 16x16 --backend cpu $world $resume \
    -o world$n.r32; done
  grep -q 'complete already, its checksum is right' err || fail "world $n ($world): $(cat err)"
done <worlds
"$terrane" export --backend cpu --verify world*.r32 >/dev/null 2>err || fail "worlds: $(cat err)"
# a range with fewer digits, as earlier versions wrote it
sed 's/-340.00000000000006/-340/' n.r16.json >x && mv x n.r16.json
expect 0 '' export --backend cpu --verify n.r16 || true
grep -q "sidecar of this version" err && fail "an earlier version's sidecar is not read"
expect 0 '' bench --size 32 --samples 2 --generators tiled --backends cpu --json b.json
$python -c '
import json
def strict(name): raise ValueError(name)
rows = json.load(open("b.json"), parse_constant=strict)["results"]
for row in rows:
    share = row.get("fill_fraction")
    assert share is None or abs(share - row["fill_ms"] / row["median_ms"]) <= 1e-16 * abs(share), row
' || fail "bench --json: numbers are not exact"

# ---- messages ----
for n in 251 255 256; do
  name=$(printf 'l%.0s' $(seq $((n - 4)))).r32
  # shellcheck disable=SC2086
  quickly '[23]' "file name of $n characters, expected at most 250|File name too long" export $small -o "$name"
  grep -q 'exists already' err && fail "a name of $n bytes: $(cat err)"
  [ -z "$(ls | grep '^lll')" ] || fail "a name of $n bytes left files"
done
name=$(printf 'l%.0s' $(seq 246)).r32
# shellcheck disable=SC2086
quickly 0 '' export $small -o "$name"
expect 0 '' export --backend cpu --verify "$name"
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
  chmod 755 . ; mkdir -m 755 readonly
  # shellcheck disable=SC2086
  setpriv --reuid=65534 --regid=65534 --clear-groups "$terrane" export $small -o readonly/a.r32 2>err
  [ $? -eq 3 ] && grep -q "cannot write 'readonly/a.r32': folder 'readonly': Permission denied" err ||
    fail "a folder without permission: $(cat err)"
fi
# shellcheck disable=SC2086
quickly 3 "cannot write 'none/a.r32': folder 'none': No such file or directory" export $small -o none/a.r32
finish
