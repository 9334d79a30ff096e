#!/bin/bash
# test_scout_sheet.sh TERRANE PICTURE_CHECK - the contact sheet of scout has a picture of each place, and fly --view
# accepts the lines that scout prints.
set -u
terrane=$1 check=$2
backend=cpu
. "$(dirname "$0")/../tools/shell.sh"
"$terrane" scout --backend cpu --basis smooth --near 1918048,2540640 --radius 16 --count 2 --sheet two.png \
  --quality low >places 2>err ||
  fail "scout: exit status $?: $(cat err)"
[ "$(wc -l <places)" = 2 ] || fail "$(wc -l <places) places: $(cat places)"
"$check" two.png 964 270 0 1000 || fail "the sheet of two places"
expect 3 "two.png" scout --sheet two.png
# ---- --view accepts a line without changes ----
expect 0 '' fly --backend cpu --basis smooth --headless --frames 1 --size 64x36 --layers terrain \
  --view "$(head -1 places)"
finish
