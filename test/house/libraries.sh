#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# libraries.sh LIBIASIM OBJECT...: they link only these libraries, whose licences are compatible with
# LGPL-2.1-or-later. The objects link SimGrid, and libiasim does not: commands that do not simulate must not wait for
# it to load.
set -euo pipefail

allowed='
libc          LGPL-2.1+
libm          LGPL-2.1+
ld-linux      LGPL-2.1+
libgcc_s      GPL-3 with the runtime library exception
libstdc++     GPL-3 with the runtime library exception
libasan       Apache-2.0 with LLVM exception
libubsan      Apache-2.0 with LLVM exception
libsimgrid    LGPL-2.1
libxml2       MIT
libjansson    MIT
libsqlite3    public domain
libz          zlib
libblas       BSD
liblapack     BSD
liblapacke    BSD
libmd         BSD'

faults=0
for object in "$@"; do
  needed=$(LC_ALL=C readelf -d "$object" | sed -n 's/.*(NEEDED).*\[\([^]]*\)\]/\1/p')
  for library in $needed; do
    name=${library%%.so*}
    name=${name%%-x86*}
    grep -q "^$name " <<<"$allowed" || { echo "$library is not in the list of libraries.sh" && faults=$((faults + 1)); }
  done
  echo "${object##*/} needs: ${needed//$'\n'/ }"
  is_opened=$([[ $object != "$1" ]] && echo 1 || echo 0)
  has_simgrid=$([[ $needed == *libsimgrid* ]] && echo 1 || echo 0)
  [[ $is_opened == "$has_simgrid" ]] || { echo "${object##*/}: SimGrid" && faults=$((faults + 1)); }
done
((faults == 0))
