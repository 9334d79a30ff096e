#!/bin/bash
# test_mpi.sh TERRANE - several processes that share one export write the same files as one process, each file once.
# The processes are two ranks of Open MPI, and two tasks with the variables of srun, as in docs/exporting.md.
set -u
terrane=$(realpath "$1") backend=cpu
. "$(dirname "$0")/../tools/shell.sh"
command -v mpirun >/dev/null || { echo "skipped: mpirun is missing (openmpi-bin)" >&2; exit 77; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
  OMPI_MCA_hwloc_base_binding_policy=none
job="--world alps --lod 3 --size 256x256 --tiles 3x3 --threads 1 --quiet"
mkdir "$folder/one" "$folder/mpi" "$folder/srun"

# written FOLDER   print the number of tiles in the folder
written() { find "$1" -name 'dem_*.r16' | wc -l; }

cd "$folder/one" || exit 1
# shellcheck disable=SC2086
"$terrane" export $job -o 'dem_{y}_{x}.r16' || fail "the export by one process failed"
[ "$(written .)" -eq 9 ] || fail "one process wrote $(written .) tiles, expected 9"

cd "$folder/mpi" || exit 1
export terrane job
# shellcheck disable=SC2016
rank='exec "$terrane" export $job -o "dem_{y}_{x}.r16" --shard "$OMPI_COMM_WORLD_RANK/$OMPI_COMM_WORLD_SIZE"'
mpirun -n 2 sh -c "$rank" >"$folder/said" 2>&1 || fail "mpirun failed: $(cat "$folder/said")"
diff -r "$folder/one" "$folder/mpi" || fail "two ranks wrote other files than one process"

cd "$folder/srun" || exit 1
for task in 0 1; do
  # shellcheck disable=SC2016
  SLURM_PROCID=$task SLURM_NTASKS=2 sh \
    -c 'exec "$terrane" export $job -o "dem_{y}_{x}.r16" --shard "$SLURM_PROCID/$SLURM_NTASKS"' ||
    fail "task $task failed"
  [ "$(written .)" -eq $((task == 0 ? 5 : 9)) ] || fail "after task $task there are $(written .) tiles"
done
diff -r "$folder/one" "$folder/srun" || fail "two tasks wrote other files than one process"

# A rank that fails ends the whole run with an error.
cd "$folder/mpi" || exit 1
! mpirun -n 2 sh -c "$rank" >"$folder/said" 2>&1 ||
  fail "files that existed already were no error"
grep -q 'exists' "$folder/said" || fail "no sentence about files that exist: $(cat "$folder/said")"
[ $failed -eq 0 ] || exit 1
echo "two ranks of Open MPI and two tasks of SLURM wrote what one process writes"
