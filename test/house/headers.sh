#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# headers.sh CC FLAG...: every header compiles alone (it includes what it uses) and twice (it has a guard). Those that
# include MPI's are compiled by the first of mpicc and smpicc that is installed, and left out where none is.
set -euo pipefail

export OMPI_CC=$1 MPICH_CC=$1 # the compiler that mpicc calls: the flags are for it
mpi=$(command -v mpicc || command -v smpicc || true)
faults=0
n_headers=0
n_left_out=0
while IFS= read -r header; do
  compiler=("$@")
  if grep -q '#include <mpi.h>' "$header"; then
    [[ -n $mpi ]] || { n_left_out=$((n_left_out + 1)) && continue; }
    compiler=("$mpi" "${@:2}")
  fi
  n_headers=$((n_headers + 1))
  printf '#include "%s"\n#include "%s"\ntypedef int not_empty;\n' "$header" "$header" |
    "${compiler[@]}" -fsyntax-only -x c - || { echo "$header does not compile alone" && faults=$((faults + 1)); }
done < <(find sim models -name '*.h' | sort)

echo "$n_headers headers, $faults faults; $n_left_out left out because MPI is not installed"
((faults == 0 && n_headers > 10))
