#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# fails.sh IASIM smpi|mpi: bad news in time, from the compiler and from programs that run: one message each, no hang,
# and no process is left. And what should work: functions of the user's own, data written by one and read by another.
set -euo pipefail
target=$2
# shellcheck source=test/codegen/need.sh
. "$(dirname "${BASH_SOURCE[0]}")/need.sh"
# shellcheck source=test/cli/begin.sh
. "$(dirname "${BASH_SOURCE[0]}")/../cli/begin.sh"
need smpicc libsimgrid-dev
if [[ $target == mpi ]]; then
  need mpirun openmpi-bin
  need mpicc libopenmpi-dev
fi
compile_once

platform=$IASIM_DATA/platforms/sinnen-star-full.xml
cat >g.dot <<'DOT'
digraph g { a [size="1e7"]; b [size="1e7"]; c [size="1e7"];
 a -> b [size="100000"]; b -> c [size="100000"]; a -> c [size="40"]; }
DOT
printf '%s\n' 'a p0' 'b p1' 'c p0' >allocation.txt
"$iasim" schedule -p "$platform" -g g.dot --model involvement --allocation allocation.txt \
  --scheduler 'list[approach=alloc1]' --out s.json \
  >/dev/null

run() { # run ARGUMENTS..: leaves status, out and err
  status=0
  rm -rf program
  timeout -k 10 120 env PATH="${path-$PATH}" "$iasim" codegen -p "$platform" -g g.dot --out program --run "$target" \
    "$@" s.json >out 2>err || status=$?
}
left() { # what runs in the program's folder: its command lines
  find /proc/[0-9]*/cwd -maxdepth 0 -lname "$dir/program" -printf '%h/cmdline\0' 2>/dev/null |
    xargs -0r cat 2>/dev/null | tr '\0' ' '
}
refuses() { # refuses STATUS WORDS ARGUMENTS..
  local want=$1 words=$2
  shift 2
  run "$@"
  [[ $status == "$want" && ! -s out && $(wc -l <err) == 1 && $(cat err) == *"$words"* ]] ||
    fault "codegen $*: status $status, expected $want and '$words': $(cat out err)"
  [[ -z $(left) ]] || fault "codegen $*: left $(left)"
}
task() { # task NAME STATEMENTS: a file with that function
  printf '#include %s\n' '"program.h"' '<mpi.h>' '<stdlib.h>' >own.c
  printf 'void task_%s(const struct ia_task *task)\n{\n(void)task;\n%s\n}\n' "$1" "$2" >>own.c
}

# --- the compiler
task b 'int x = ;'
refuses 2 'own_1.c:7:9: error: expected expression' --tasks own.c
[[ $(cat err) == *'compiling the program failed with status 1: '* ]] || fault "compiler: $(cat err)"
task d 'ia_compute(1);'
refuses 2 "own_1.c: no task has the function 'task_d'" --tasks own.c
task b 'ia_compute(1);'
refuses 2 "the function 'task_a' is missing" --tasks own.c --no-default-tasks
mkdir bin
touch bin/{smpicc,smpirun,mpicc,mpirun,cc}
chmod +x bin/*
ln -s "$(command -v env)" bin/env
while read -r program package; do
  mv "bin/$program" .
  path=$dir/bin refuses 2 "the program '$program' is not installed; on Debian it is in the package $package"
  mv "$program" bin
done < <(if [[ $target == smpi ]]; then
  printf '%s\n' 'smpicc libsimgrid-dev' 'smpirun libsimgrid-dev' 'cc gcc'
else
  printf '%s\n' 'mpicc libopenmpi-dev' 'mpirun openmpi-bin' 'cc gcc'
fi)

# --- options of the other target, and what mpirun says between its ruled lines
if [[ $target == mpi ]]; then
  refuses 2 'nowhere.txt: cannot open' --hostfile nowhere.txt
  printf 'a b c ;;\n' >hosts.txt
  refuses 2 'the program failed with status ' --hostfile hosts.txt
  [[ $(cat err) != *': -----'* ]] || fault "mpirun: $(cat err)"
else
  refuses 2 '--hostfile, --seconds-per-s, --match-bandwidth and --mca are for --run mpi' --hostfile g.dot
  refuses 2 '--hostfile, --seconds-per-s, --match-bandwidth and --mca are for --run mpi' --seconds-per-s 2
fi

# --- a rank that dies, in each way
task b 'abort();'
refuses 2 'the program' --tasks own.c
task b 'exit(7);'
refuses 2 'the program' --tasks own.c
task b 'raise(11);'
sed -i '1i #include <signal.h>' own.c
refuses 2 'the program' --tasks own.c
task b 'exit(0);'
refuses 2 'the program' --tasks own.c
# --- one that waits for nothing
task b 'int x; MPI_Recv(&x, 1, MPI_INT, 0, 12345, MPI_COMM_WORLD, MPI_STATUS_IGNORE);'
refuses 2 'the program' --tasks own.c --deadline 2
# --- one that goes on for ever
task b 'for (volatile int i = 0;; i = 1 - i);'
refuses 2 "was stopped after the --deadline of 1 s" --tasks own.c --deadline 1
# --- a user who ends iasim
status=0
rm -rf program
"$iasim" codegen -p "$platform" -g g.dot --out program --run "$target" --tasks own.c s.json >out 2>err &
for ((i = 0; i < 300; i++)); do
  [[ ! -s program/run.log && ! -e program/program ]] || break
  sleep 0.1
done
sleep 1
kill -TERM $!
wait $! || status=$?
[[ $status == 143 ]] || fault "ended by SIGTERM: status $status: $(cat out err)"
for ((i = 0; i < 100; i++)); do
  [[ -n $(left) ]] || break
  sleep 0.1
done
[[ -z $(left) ]] || fault "ended by SIGTERM: left $(left)"

# --- more memory than there is
sed 's/100000/1e15/' g.dot >large.dot
mv g.dot small.dot && mv large.dot g.dot
refuses 2 'memory'
mv small.dot g.dot

# --- functions of the user's own: data go from a to b, by MPI, and from a to c, in memory
cat >own.c <<'C'
#include "program.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void task_a(const struct ia_task *task)
{
    size_t n;
    unsigned char *bytes = ia_data(E_a__b, &n);
    for (size_t i = 0; i < n; i++)
        bytes[i] = (unsigned char)(i % 251);
    strcpy(ia_data(E_a__c, NULL), "from a to c");
    ia_compute(task->seconds);
}
void task_b(const struct ia_task *task)
{
    size_t n;
    unsigned char *bytes = ia_data(E_a__b, &n);
    for (size_t i = 0; i < n; i++)
        if (bytes[i] != i % 251)
            abort();
    if (n != 100000 || strcmp(task->name, "b") != 0 || strcmp(task->host, "p1") != 0)
        abort();
    memset(ia_data(E_b__c, NULL), 'x', 100000);
    ia_compute(task->seconds);
}
void task_c(const struct ia_task *task)
{
    FILE *out = fopen("result", "w");
    fprintf(out, "%s, %.3s", (char *)ia_data(E_a__c, NULL), (char *)ia_data(E_b__c, NULL) + 99990);
    fclose(out);
    ia_compute(task->seconds);
}
C
run --tasks own.c --no-default-tasks
[[ $status == 0 && $(cat program/result) == "from a to c, xxx" ]] ||
  fault "own functions: status $status, $(cat err program/result)"
grep -q '200000 bytes arrived intact' out || fault "own functions: $(cat out)"

# --- a wrong number of ranks
if [[ $target == smpi ]]; then
  (cd program && smpirun -np 1 -hostfile hostfile -platform "$platform" ./program >out 2>err) &&
    fault "one rank in place of two"
else
  (cd program && OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun -np 1 ./program >out 2>err) &&
    fault "one rank in place of two"
fi
grep -q 'this program needs 2 ranks, one for each host that the schedule uses; it was started with 1' program/err ||
  fault "one rank in place of two: $(cat program/err)"

echo "$faults faults"
((faults == 0))
