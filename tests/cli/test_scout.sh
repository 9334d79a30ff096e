#!/bin/bash
# test_scout.sh TERRANE [BACKEND] - scout prints views with true figures, the same in each run, and ends when it is
# interrupted.
set -u
terrane=$1
backend=${2:-cpu}
. "$(dirname "$0")/../tools/shell.sh"

# scout WORDS...   look for views in a small area, which takes little time
scout() { "$terrane" scout --backend "$backend" --basis smooth --near 1918048,2540640 --radius 16 "$@"; }

# ---- lines ----
scout --count 3 >places 2>err || fail "scout: exit status $?: $(cat err)"
[ -s err ] && ! grep -q 'backend cuda' err && fail "scout says on stderr: $(cat err)"
[ "$(wc -l <places)" -ge 1 ] && [ "$(wc -l <places)" -le 3 ] || fail "$(wc -l <places) places instead of 1 to 3"
view='-?[0-9]+,-?[0-9]+,[0-9]+,[0-9.]+,-?[0-9]+'
score='score [0-9.]+, relief [0-9]+ m, mountains [0-9.]+ deg, sky [0-9.]+ %'
shares='sea [0-9.]+ %, lake [0-9.]+ %, river [0-9.]+ %, snow [0-9.]+ %'
bad=$(grep -cvE "^$view # $score, $shares, kinds [0-9]+, distances [0-9]+\$" places)
[ "$bad" = 0 ] || fail "$bad lines are not as documented: $(cat places)"
sort -s -t' ' -k4,4 -rn places | cmp -s - places || fail "the best does not come first: $(cat places)"
scout --count 3 --threads 1 >again 2>err
cmp -s places again || fail "another number of threads finds other places"
scout --count 1 >one 2>err
[ "$(wc -l <one)" = 1 ] || fail "--count 1 prints $(wc -l <one) lines"

# ---- the relief is that of probes at the same points: every 128 m, up to 8 km around the camera ----
IFS=, read -r x z altitude _ <one
relief=$(sed 's/.*relief \([0-9]*\) m.*/\1/' one)
awk -v x="$x" -v z="$z" 'BEGIN {
  for (j = -62; j <= 62; j++) for (i = -62; i <= 62; i++) print x + 128 * i "," z + 128 * j
}' |
  "$terrane" probe --backend "$backend" --basis smooth >points 2>err
measured=$(awk '
  { h = $3 > 0 ? $3 : 0; if (NR == 1 || h < low) low = h; if (NR == 1 || h > high) high = h }
  END { printf "%.0f", high - low }' points)
[ "$relief" = "$measured" ] || fail "relief is $relief, probes say $measured"
over=$(awk -v x="$x" -v z="$z" -v a="$altitude" '$1 == x && $2 == z { print a - ($3 > 0 ? $3 : 0) }' points)
awk -v o="$over" 'BEGIN { exit !(o > 149 && o < 601) }' || fail "the camera is $over m over the ground"

# ---- the default world: a river is in view near the place where the search begins ----
"$terrane" scout --backend "$backend" --radius 8 --count 1 >river 2>err || fail "default world: $(cat err)"
grep -qE 'river (0\.[1-9]|[1-9])' river || fail "no river in view near the start: $(cat river)"

# ---- a continent is first searched in samples that are means over kilometres; scout still prints complete views ----
"$terrane" scout --backend "$backend" --radius 6000 --count 2 >wide 2>err || fail "--radius 6000: $(cat err)"
[ "$(wc -l <wide)" = 2 ] || fail "--radius 6000 prints $(cat wide)"
while IFS=, read -r x z altitude _; do
  awk -v x="$x" -v z="$z" 'BEGIN { exit !(x*x < 1.5e14 && z*z < 1.5e14 && x*x + z*z > 9e10) }' || fail "wide: $x,$z"
  over=$("$terrane" probe --backend "$backend" "$x,$z" 2>err | awk -v a="$altitude" '{ print a - $3 }')
  awk -v o="$over" 'BEGIN { exit !(o > 140 && o < 610) }' || fail "wide: the camera is $over m over the ground"
done <wide
awk '{ if ($5 < 7) exit 1 }' wide || fail "the best views of a continent are poor: $(cat wide)"
awk -F'[, ]' '{ x[NR] = $1; z[NR] = $2 } END { exit !((x[1] - x[2]) ^ 2 + (z[1] - z[2]) ^ 2 > 60e3 ^ 2) }' wide ||
  fail "two places of a continent lie side by side: $(cat wide)"
"$terrane" scout --backend "$backend" --radius 8 --count 1 --levels 4 >coarse 2>err || fail "--levels 4: $(cat err)"
cmp -s river coarse || fail "a world of fewer levels has other places: $(cat coarse)"

# ---- with 2 levels the coarsest samples are 4 m apart: memory depends on the number of points that scout looks at, not
# on the number of samples in the area ----
if command -v python3 >/dev/null; then
  python3 - "$terrane" "$backend" <<'END' || fail "a world of 2 levels"
import resource, subprocess, sys
words = ["scout", "--backend", sys.argv[2], "--basis", "smooth", "--levels", "2", "--radius", "16", "--count", "1"]
status = subprocess.run([sys.argv[1], *words], stdout=subprocess.DEVNULL, check=False).returncode
peak_kib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(f"exit status {status}, {peak_kib} KiB")
sys.exit(status != 0 or peak_kib > 1 << 20)
END
fi

# ---- mistakes ----
expect 2 "near is '5', expected two integers" scout --near 5
expect 2 "near is '70368744177664,0', expected two integers from" scout --near 70368744177664,0
expect 2 "count is '0', expected an integer from 1 to 64" scout --count 0
expect 2 "radius is '1', expected a number from 8 to 20000" scout --radius 1
expect 2 "unexpected word 'alps'" scout alps
if ! lacks viewer; then
  expect 2 "sheet is 'a.jpg', expected a name that ends in .png" scout --sheet a.jpg
  touch there.png
  expect 3 "there.png" scout --sheet there.png
  expect 2 "view is '1,2,3,4,5 x', expected" fly --headless --view '1,2,3,4,5 x'
fi

# ---- a signal ends scout ----
"$terrane" scout --backend "$backend" --radius 400 >out 2>err &
sleep 1
begin=$(date +%s%N)
kill -TERM $!
wait $!
got=$?
took=$((($(date +%s%N) - begin) / 1000000))
[ $got -eq 130 ] || fail "exit status $got after SIGTERM"
[ $took -lt 5000 ] || fail "it went on for $took ms after SIGTERM"
finish
