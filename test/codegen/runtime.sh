#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# runtime.sh IASIM: a program compiles without warnings with gcc and clang, and by its CMakeLists.txt; messages in
# pieces, and several of one tag, arrive; clock and memory are clean under the sanitizers.
set -euo pipefail
# shellcheck source=test/codegen/need.sh
. "$(dirname "${BASH_SOURCE[0]}")/need.sh"
# shellcheck source=test/cli/begin.sh
. "$(dirname "${BASH_SOURCE[0]}")/../cli/begin.sh"
need smpicc libsimgrid-dev
need mpicc libopenmpi-dev
need mpirun openmpi-bin
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe

platform=$IASIM_DATA/platforms/sinnen-star-full.xml
"$iasim" graph generate 'layered[tasks=16,work_flop=1e6,size_bytes=30000]' --seed 3 --out g.dot
i=0
sed -nE 's/^ *"([A-Za-z0-9_]+)" \[.*/\1/p' g.dot |
  while read -r task; do echo "$task p$((i++ % 4))"; done >allocation.txt
"$iasim" schedule -p "$platform" -g g.dot --model involvement --allocation allocation.txt \
  --scheduler 'list[approach=alloc2]' --out s.json \
  >/dev/null
"$iasim" codegen -p "$platform" -g g.dot --out program s.json >/dev/null
cd program
ok() { # ok WHAT TRACE: all bytes of its messages were checked
  python3 - "$2" <<'PY' || fault "$1"
import json, sys
trace, plan = json.load(open(sys.argv[1])), json.load(open("../s.json"))
size = {}
for line in open("../g.dot"):
    words = line.split('"')
    if "->" in line:
        size[words[1], words[3]] = round(float(words[5]))
assert trace["bytes_checked"] == sum(size[e["src"], e["dst"]] for e in plan["edges"] if not e["local"]) > 100000
assert len(trace["tasks"]) == 16 and all(t["finish_s"] > t["start_s"] for t in trace["tasks"])
PY
}

# --- warnings
common=(program.c tasks.c ia.c ia_trace.c)
flags=(-fsyntax-only -std=gnu11 -O2 -Wall -Wextra -Wshadow -Wconversion -Werror)
for compiler in gcc clang; do
  command -v $compiler >/dev/null || continue
  for target in smpi mpi; do
    read -ra words <<<"$("${target}cc" -show -fsyntax-only x.c)" # what it would run
    includes=()
    for word in "${words[@]}"; do
      if [[ $word == -I* ]]; then includes+=(-isystem "${word#-I}"); fi
    done
    for source in "${common[@]}" "clock_$target.c"; do
      $compiler "${flags[@]}" "${includes[@]}" "$source" || fault "$compiler, $target: warnings in $source"
    done
  done
done

# --- by CMake
{ cmake -B build && cmake --build build; } >out 2>&1 || fault "CMake: $(tail -5 out)"
mpirun -np 4 build/program mpi.json 0.01 || fault "the program of CMake"
ok "the program of CMake" mpi.json
{ SMPI_PRETEND_CC=1 cmake -B smpi -DSMPI=ON -DCMAKE_C_COMPILER=smpicc && make -C smpi; } >out 2>&1 ||
  fault "CMake for SMPI: $(tail -5 out)"
simulate() { # simulate PROGRAM TRACE
  smpirun -np 4 -hostfile hostfile -platform "$platform" --cfg=smpi/simulate-computation:no --log=root.thres:critical \
    "$1" "$2" || fault "$1"
}
simulate smpi/program smpi.json
ok "the program of CMake on SMPI" smpi.json

# --- pieces of 1000 bytes in place of 1 GiB
smpicc -DIA_PIECE_BYTES=1000LL -o pieces "${common[@]}" clock_smpi.c
simulate ./pieces pieces.json
ok "pieces on SMPI" pieces.json
mpicc -DIA_PIECE_BYTES=1000LL -g -fsanitize=address,undefined -fno-sanitize-recover -o pieces "${common[@]}" clock_mpi.c
ASAN_OPTIONS=detect_leaks=0 mpirun -np 4 ./pieces pieces.json 0.01 || fault "pieces under the sanitizers"
ok "pieces" pieces.json

# --- all messages with one tag
sed -E 's/(\{T_[a-z0-9_]+, T_[a-z0-9_]+), [0-9]+,/\1, 0,/' program.c >one_tag.c
smpicc -o one_tag one_tag.c tasks.c ia.c ia_trace.c clock_smpi.c
simulate ./one_tag one_tag.json
ok "one tag on SMPI" one_tag.json
mpicc -o one_tag one_tag.c tasks.c ia.c ia_trace.c clock_mpi.c
mpirun -np 4 ./one_tag one_tag.json 0.01 || fault "one tag"
ok "one tag" one_tag.json

# --- a byte that is lost is noticed
sed 's/take_sum(edge, &result->received_sum)/messages[edge].data[9] ^= 1; &/' ia.c >ia_lossy.c
grep -q 'data\[9\]' ia_lossy.c || fault "ia.c has changed"
smpicc -o lossy program.c tasks.c ia_lossy.c ia_trace.c clock_smpi.c
smpirun -np 4 -hostfile hostfile -platform "$platform" --log=root.thres:critical ./lossy lossy.json >out 2>&1 &&
  fault "a lost byte, and status 0"
grep -q 'did not arrive as they were sent' out || fault "a lost byte: $(cat out)"

echo "$faults faults"
((faults == 0))
