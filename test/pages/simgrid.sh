# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: LGPL-2.1-or-later
# mine.c of the page: the example with the page's two lines, the first beside the other headers, the second before the
# platform is loaded. The page gives the dates that its programs print.
sed -e 's/^#include <simgrid/#include <iasim\/simgrid.h>\n&/;T;:rest;n;b rest' "$root/doc/examples/overlap.c" |
  sed 's/^ *simgrid_load_platform/iasim_world("interference");\n&/' >mine.c

after_page() {
  local date
  for date in 1.000000 1.200000 1.300000 0.060000000 0.080003200; do
    grep -qF -- "$date s" "$root/doc/simgrid.md" || fail "the page does not say $date"
  done
  # Both ways and Python: three programs with interference.
  [[ $(grep -c '^sender .* 1\.200000 s$' "$said") == 3 && $(grep -c '^receiver .* 1\.300000 s$' "$said") == 3 ]] ||
    fail 'other dates'
  [[ $(grep '^20 iterations' "$said") == *' 0.060000000 s'*' 0.080003200 s' ]] || fail 'other dates of iterations'
  [[ $(./overlap doc/examples/cluster.xml 2>&1 | grep -c ' 1\.000000 s$') == 2 ]] ||
    fail 'other dates without interference'
}
