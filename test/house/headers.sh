#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# headers.sh CC FLAG...: every header compiles alone (it includes what it uses) and twice (it has a guard). Those of MPI
# are left out: the tests of codegen compile them, with the compiler that knows where MPI is.
set -euo pipefail

faults=0
n_headers=0
while IFS= read -r header; do
  if grep -q '#include <mpi.h>' "$header"; then continue; fi
  n_headers=$((n_headers + 1))
  printf '#include "%s"\n#include "%s"\ntypedef int not_empty;\n' "$header" "$header" |
    "$@" -fsyntax-only -x c - || { echo "$header does not compile alone" && faults=$((faults + 1)); }
done < <(find sim models -name '*.h' | sort)

echo "$n_headers headers, $faults faults"
((faults == 0 && n_headers > 10))
