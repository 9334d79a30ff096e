#!/bin/bash
# test_water.sh TERRANE - in exports rivers fall, lakes are level, and banks are not lower than the water beside them.
# Tiles, windows and levels of detail have the same samples at the same places, in all layers. test_banks.c tests banks
# of other worlds, and test_drainage.c follows channels to their ends.
set -u
tests=$(cd "$(dirname "$0")" && pwd) terrane=$1 backend=cpu
. "$tests/../tools/shell.sh"
python=/usr/bin/python3
"$python" -c 'import numpy' 2>/dev/null || { echo "skipped: numpy is missing" >&2; exit 77; }
write() { "$terrane" export -q --backend cpu "$@" 2>err || fail "export $*: $(cat err)"; }

# ---- windows of 2 km, around these places ----
around() { # NAME X Z OPTIONS...
  local name=$1 x=$(($2 / 4 * 4 - 1024)) z=$(($3 / 4 * 4 - 1024))
  shift 3
  write --lod 2 --at $x,$z --size 512x512 --layer height,water,flow,shore -o "${name}_{layer}.r32" "$@"
}
around mountains -1061316 1911116
around steppe -1070384 1909580 --world steppe
around badlands -1083264 1916672 --world badlands
around lakes -1023372 1896168 --land 0.6 --ice 0.6
around wall -1022704 1837728
around inflow -1060656 1932248
around far $(((1 << 45) - 11750)) $((-(1 << 45) - 33660)) --continents 0 --land 0.6 --ice 0.6

# ---- a set of tiles that share their edges, one large export, a window of it, and coarser ones ----
all=height,water,flow,shore,relief,plain,plateau,ice,dryness,land,top
x=-1025632 z=1945232 # beside a river; multiples of 16
write --lod 1 --at $x,$z --size 61x61 --tiles 3x2 --overlap 1 --layer $all -o 'tile_{layer}_{x}_{y}.r32'
write --lod 1 --at $x,$z --size 181x121 --layer $all -o 'whole_{layer}.r32'
write --lod 1 --at $((x + 74)),$((z + 46)) --size 100x70 --layer $all -o 'window_{layer}.r32'
for lod in 1 2 3; do
  write --lod $((1 + lod)) --at $x,$z --size $((180 / (1 << lod) + 1))x$((120 / (1 << lod) + 1)) --layer $all \
    -o "lod${lod}_{layer}.r32"
done
"$python" "$tests/test_water.py" >log 2>&1 || fail "water: $(tail -6 log)"
[ "$(grep -c ^check_ log)" -eq 4 ] || fail "checks: $(cat log)"
cat log
finish
