#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# prices.sh IASIM: what scenarios/belief-price relies on, for some of its graphs: every search of `optimal` ends with a proof; with exclusive
# links a plan under involvement takes as long as it says; and no plan of any scheduler under any belief is carried out in
# less time than the proven optimum. What is optimal for its belief is no longer than any other plan under that belief.
# shellcheck source=test/cli/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"

"$iasim" run belief-price --set instance=7 --set ccr=1,3 --set involvement=0.5,1 --quiet --out prices.db >/dev/null || fault 'points failed'
"$iasim" export prices.db --out prices.csv
python3 - <<'END' || fault 'the prices'
import csv
rows = list(csv.DictReader(open("prices.csv")))
assert len(rows) >= 1000 and {r["links"] for r in rows} == {"exclusive"}, len(rows)
case = lambda r: (r["generator"], r["ccr"], r["involvement"])
optimum = {case(r) + (r["model"],): float(r["planned_s"]) for r in rows if r["scheduler"] == "optimal"}
prices = []
for r in rows:
    planned, makespan = float(r["planned_s"]), float(r["makespan_s"])
    assert r["scheduler"] != "optimal" or float(r["gap_ratio"]) == 0, r
    assert planned >= optimum[case(r) + (r["model"],)] * (1 - 1e-9), r
    assert r["model"] != "involvement" or abs(makespan - planned) <= 1e-9 * planned, r
    prices.append(makespan / optimum[case(r) + ("involvement",)])
assert min(prices) >= 1 - 1e-9 and max(prices) > 1.2, (min(prices), max(prices))
END

echo "$faults faults"
((faults == 0))
