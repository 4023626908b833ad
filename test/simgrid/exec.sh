#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# exec.sh IASIM WORLD_C WORLD_CPP: the options of `iasim exec`, whose status and words are the program's own;
# iasim_world, in a program that calls it itself; and which of the two wins.
# shellcheck source=test/simgrid/begin.sh
source "$(dirname "$0")/begin.sh"
quiet=--log=root.thres:critical
cp "$here/platform.xml" .
sed '/ir_send/d' platform.xml >bare.xml

is() { # is TEXT WANTED: the same, up to a * that ends what is wanted, because lists of names grow
  [[ $1 == "$2" || ($2 == *'*' && $1 == "${2%\*}"*) ]]
}
says() { # says STATUS LAST_LINE COMMAND...: its status, and the last line of all that it prints
  local status=0
  "${@:3}" >out 2>&1 || status=$?
  [[ $status == "$1" ]] && is "$(tail -n 1 out)" "$2" || fault "$* -> $status: $(tail -n 3 out)"
}
# 1e7 bytes cost 0.03 s/MB of 1 Gflop/s: 1 + 0.3 s.
slow='computed until 1.3' free='computed until 1'
for program in "$2" "$3"; do
  says 0 "$free" "$program" load:platform.xml run $quiet
  says 0 "$slow" "$program" interference load:platform.xml run $quiet
  says 0 "$free" "$program" none load:platform.xml run $quiet
  says 0 "$slow" "$iasim" exec -- "$program" load:platform.xml run $quiet
  says 0 "$slow" "$iasim" exec "$program" load:platform.xml run $quiet
  says 0 "$free" "$iasim" exec --world none -- "$program" load:platform.xml run $quiet
  # What exec was given wins.
  says 0 "$free" "$iasim" exec --world none -- "$program" interference load:platform.xml run $quiet
  says 0 "$slow" "$iasim" exec -- "$program" none load:platform.xml run $quiet
done
program=$2

# Rates of the command line are for hosts without the property.
says 0 'computed until 1.2' "$iasim" exec --ir-send 0.02 -- "$program" load:bare.xml run $quiet
says 0 "$slow" "$iasim" exec --ir-send 0.02 -- "$program" load:platform.xml run $quiet
says 0 "$free" "$iasim" exec --ir-recv 0.02 -- "$program" load:bare.xml run $quiet
# An outer exec's rates do not reach an inner one's program. (A sanitizer wants to be the first library.)
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0 says 0 "$free" "$iasim" exec --ir-send 0.02 \
  -- "$iasim" exec -- "$program" load:bare.xml run $quiet
"$program" interference load:bare.xml run $quiet 2>err >/dev/null || fault 'without properties'
grep -q '^iasim: bare.xml: no host or link has a property that world interference reads' err ||
  fault "no warning: $(cat err)"
"$iasim" exec --ir-send 0 -- "$program" load:bare.xml run $quiet 2>err >/dev/null || fault 'with a rate of 0'
[[ ! -s err ]] || fault "a rate of 0: $(cat err)"

# Scripts, and programs that have nothing to do with SimGrid.
says 0 "$slow" "$iasim" exec -- sh -c "true; exec '$program' load:platform.xml run $quiet"
# shellcheck disable=SC2016 # the inner shell's
says 3 'a  b' "$iasim" exec -- sh -c 'echo "$1"; exit 3' sh 'a  b'
nothing='iasim exec: nothing was simulated: neither this program nor one that it started used SimGrid'
says 0 "$nothing" "$iasim" exec printf '%s\n' --help
[[ $(head -n 1 out) == --help ]] || fault "printf: $(cat out)"
says 0 "$nothing" "$iasim" exec -- echo ''
says 0 '' "$iasim" exec --world none -- true
status=0
"$iasim" exec -- sh -c 'kill -TERM $$' 2>/dev/null || status=$?
((status == 128 + 15)) || fault "died of TERM: $status"
LD_PRELOAD='' says 0 "$nothing" "$iasim" exec -- true
touch not_executable
says 127 'iasim exec: no-such-program: No such file or directory' "$iasim" exec no-such-program
says 126 'iasim exec: ./not_executable: Permission denied' "$iasim" exec ./not_executable

# Usage.
says 2 "iasim exec: ir_send is -1; it must not be negative" "$iasim" exec --ir-send=-1 -- true
says 2 "iasim exec: ir_recv is 'x', which is not a finite number" "$iasim" exec --ir-recv x -- true
says 2 "iasim exec: there is no world 'calm' for a SimGrid program; known: none, interference*" "$iasim" exec \
  --world calm -- true
says 2 "iasim exec: world interference has no parameter 'x': it takes none" "$iasim" exec --world 'interference[x=1]' \
  -- true
"$iasim" exec --world involvement -- true 2>err && fault 'world involvement'
grep -q "world 'involvement' occupies processors" err || fault "involvement: $(cat err)"
"$iasim" exec 2>err && fault 'no program'
grep -q 'a program is missing' err || fault "no program: $(cat err)"

# smpirun hands the environment down, and the user's own wrapper stays.
if [[ -x $(command -v smpirun) ]]; then
  cat >wrapper <<'END'
#!/bin/sh
echo "$IASIM_WORLD" >wrapped
exec "$@"
END
  chmod +x wrapper
  cp "$here/../../doc/examples/halo.c" . 2>/dev/null ||
    printf '#include <mpi.h>\nint main(int c,char**v){MPI_Init(&c,&v);return MPI_Finalize();}\n' >halo.c
  smpicc halo.c -o halo 2>/dev/null || fault 'smpicc'
  printf 'a\nb\n' >hosts
  "$iasim" exec -- smpirun -wrapper ./wrapper -np 2 -platform platform.xml -hostfile hosts ./halo >out 2>&1 ||
    fault "smpirun: $(cat out)"
  [[ $(cat wrapped) == interference ]] || fault 'the wrapper was not called'
fi

echo "$faults faults"
((faults == 0))
