#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# layers.sh can fail: a small tree has one wrong line of each kind, and layers.sh must name each of them.
set -euo pipefail
here=$PWD/test/house

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
mkdir -p sim/base sim/planning/farm sim/users/cli sim/attic models/fits
echo '#include "farm/tree.h"' >sim/base/a.c
echo '#include "plan/schedule.h"' >sim/planning/farm/b.h
echo '#  include <simgrid/s4u.hpp>' >sim/users/cli/c.c
echo '#include "simgrid/actor.h"' >>sim/users/cli/c.c
echo '#include "machine/machine.h"' >models/fits/d.c
echo '#include "sim/running/engine/engine.h"' >models/e.c
echo '#include "base/err.h"' >sim/attic/f.c
touch sim/planning/farm/g.cpp

status=0
said=$("$here/layers.sh" .) || status=$?
faults=0
for expected in 'sim/base/a.c:1: base may not know farm' 'sim/planning/farm/b.h:1: farm may not know plan' \
  'sim/users/cli/c.c:1: only sim/running/engine, sim/running/simgrid and sim/running/actors may know SimGrid' \
  'sim/users/cli/c.c:2: only sim/running/engine, sim/running/simgrid and sim/running/actors may know SimGrid' \
    'models/fits/d.c:1: fits may not know machine' \
  'models/e.c:1: models may not know engine' "room 'attic' is not in the list" \
    './sim/planning/farm/g.cpp: C++ only in sim/running/engine/bridge*, sim/running/simgrid and test/simgrid'; do
  [[ $said == *"$expected"* ]] || { echo "not reported: $expected" && faults=$((faults + 1)); }
done
echo "$said"
((status != 0 && faults == 0))
