#!/bin/bash
# test_ends.sh TERRANE - export works with standard descriptors that are closed at its start, a signal ends it soon and
# leaves no file, and exceeding a limit of file sizes is an error.
set -u
terrane=$1
backend=cpu
. "$(dirname "$0")/../tools/shell.sh"
ulimit -c 0
export="export --backend cpu --basis smooth"

# await_bytes FILE N   wait until the last background job has written N bytes to FILE, at most half a minute
await_bytes() {
  for n in $(seq 300); do
    [ -e "$1" ] && [ "$(stat -c %s "$1")" -ge "$2" ] && return
    kill -0 $! 2>/dev/null || break
    sleep 0.1
  done
  fail "less than $2 bytes of $1: $(cat err)"
}

# ---- closed descriptors ----
# shellcheck disable=SC2086
{
  "$terrane" $export --size 64x64 -o open.r32 2>err
  for closed in '<&-' '2>&-' '<&- 2>&-' '<&- >&- 2>&-'; do
    rm -f closed.r32*
    eval "\"\$terrane\" \$export --size 64x64 -o closed.r32 $closed"
    got=$?
    [ $got -eq 0 ] && cmp -s open.r32 closed.r32 ||
      fail "export with $closed: exit status $got, $(stat -c %s closed.r32) bytes"
    # now the file exists, so export refuses; its message must not end up in the file if descriptor 2 is closed
    eval "\"\$terrane\" \$export --size 64x64 -o closed.r32 $closed"
    [ $? -eq 3 ] && cmp -s open.r32 closed.r32 || fail "export with $closed over a file that exists"
  done
  # A resumed export prints a message while its file is open. With standard error closed, that file has descriptor 2,
  # the lowest free one.
  if ! lacks 'sidecars' && ! lacks 'checksums'; then
    "$terrane" $export --size 20000x3000 --resume -o part.r32 2>err &
    await_bytes part.r32.part 60000000
    kill -INT $!
    wait $!
    "$terrane" $export --size 20000x3000 --resume -o part.r32 2>&-
    [ $? -eq 0 ] && [ "$(stat -c %s part.r32)" -eq 240000000 ] ||
      fail "a resumed export with 2>&- has $(stat -c %s part.r32) bytes"
    rm -f part.r32*
  fi
  "$terrane" $export --size 64x64 -o - >&- 2>err
  [ $? -eq 3 ] || fail "export to a standard output that is closed: $(cat err)"
  "$terrane" probe 0,0 >&- 2>err
  [ $? -eq 3 ] || fail "probe to a standard output that is closed: $(cat err)"
  "$terrane" --help >&- 2>err
  [ $? -eq 3 ] || fail "help to a standard output that is closed: $(cat err)"
}

# ---- signals: an interrupted export leaves no file and ends with 130 ----
# end_by SIGNAL   send a signal to an export that would take minutes, and check how it ends
end_by() {
  rm -f slow.r32*
  # shellcheck disable=SC2086
  "$terrane" $export --size 60000x60000 -o slow.r32 >out 2>err &
  await_file slow.r32
  local begin=$SECONDS
  kill -"$1" $!
  wait $!
  local got=$?
  [ $got -eq 130 ] || fail "SIG$1: exit status $got, expected 130"
  [ $((SECONDS - begin)) -le 2 ] || fail "SIG$1: the export ended after $((SECONDS - begin)) s"
  [ -z "$(ls | grep slow.r32)" ] || fail "SIG$1 left $(ls | grep slow.r32)"
  grep -q interrupted err || fail "SIG$1: stderr is '$(cat err)'"
}
for signal in INT TERM QUIT HUP; do
  end_by $signal
done
# A second signal ends the program at once, even if the export has not yet reacted to the first one: one strip of this
# export takes seconds.
rm -f slow.r32*
# shellcheck disable=SC2086
"$terrane" $export --generator single-pass --basis midpoint --size 65536x65536 -o slow.r32 >out 2>err &
await_file slow.r32
sleep 0.2
begin=$(date +%s%N)
kill -INT $!
sleep 0.1
kill -INT $! 2>/dev/null
wait $!
got=$?
took=$((($(date +%s%N) - begin) / 1000000))
[ $got -eq 130 ] && [ $took -le 1000 ] || fail "two signals: exit status $got after $took ms"
rm -f slow.r32* .slow.r32*
# under nohup the program goes on when its terminal closes
# shellcheck disable=SC2086
(trap '' HUP; exec "$terrane" $export --size 60000x60000 -o slow.r32 >out 2>err) &
await_file slow.r32
kill -HUP $!
sleep 0.3
kill -0 $! 2>/dev/null || fail "a SIGHUP that is ignored ended the export"
kill -TERM $!
wait $!

# ---- one signal ends a benchmark at once ----
"$terrane" bench --backends cpu --generators recursive --worlds smooth --size 16384 >out 2>err &
for n in $(seq 100); do
  grep -q 'Gsamples' out && break
  sleep 0.1
done
sleep 1
begin=$(date +%s%N)
kill -INT $!
wait $!
got=$?
took=$((($(date +%s%N) - begin) / 1000000))
[ $got -eq 130 ] && [ $took -le 1000 ] || fail "an interrupted bench: exit status $got after $took ms"
grep -q 'terrane bench: interrupted' err || fail "an interrupted bench says '$(cat err)'"

# ---- a write beyond a limit of file sizes (ulimit -f, in blocks of 1024 bytes) fails with an error ----
# shellcheck disable=SC2086
(ulimit -f 100; exec "$terrane" $export --size 1024x1024 -o limited.r32) >out 2>err
got=$?
[ $got -eq 3 ] && grep -q "cannot write 'limited.r32': File too large" err ||
  fail "a limit of file sizes: exit status $got, $(cat err)"
[ -z "$(ls | grep limited)" ] || fail "a limit of file sizes left $(ls | grep limited)"
finish
