#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# tables.sh IASIM: tables relative to the best of their case. Wins, ties, losses and ratios, as text and as JSON, are what
# counting in the exported results gives, where lower is better and where higher is, also when some of the runs are missing.
# shellcheck source=test/cli/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"

cat >tables.xml <<'END'
<scenario name="tables" experiment="replay">
  <param name="platform" value="sinnen-star-full"/>
  <param name="links" value="exclusive"/>
  <sweep name="generator"><value>layered[tasks=20,width=4]</value><value>fork[branches=9,heterogeneity=0.5]</value></sweep>
  <sweep name="instance"><range from="1" to="4" step="1"/></sweep>
  <sweep name="scheduler"><value>heft</value><value>sequential</value><value>list</value><value>mcp</value></sweep>
  <sweep name="ccr"><value>0.1</value><value>1</value></sweep>
  <sweep name="model"><value>classic</value><value>involvement</value></sweep>
  <table title="Price" rows="ccr scheduler" columns="model" metric="makespan_s" best_of="scheduler model"/>
  <table rows="model scheduler" best_of="scheduler" metric="makespan_s" means="speedup slr"/>
  <table rows="scheduler" best_of="scheduler" metric="speedup"/>
</scenario>
END
"$iasim" run tables.xml --quiet >run.txt
"$iasim" report tables.xml tables.db --json >whole.json
"$iasim" export tables.db --out whole.csv
cp tables.db part.db
python3 -c "import sqlite3; db = sqlite3.connect('part.db'); db.execute(\"DELETE FROM results WHERE key < '6'\"); db.commit()"
"$iasim" report tables.xml part.db --json >part.json
"$iasim" export part.db --out part.csv
python3 - <<'END' || fault "the tables: $(cat run.txt)"
import csv, json

def equal(a, b):
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b))

for name in "whole", "part":
    rows = list(csv.DictReader(open(name + ".csv")))
    tables = json.load(open(name + ".json"))["tables"]
    assert len(tables) == 3 and (len(rows) == 128 if name == "whole" else 40 < len(rows) < 120), len(rows)
    for table, best_of in zip(tables, (["scheduler", "model"], ["scheduler"], ["scheduler"])):
        metric, keys = table["metric"], [k for k in table["cells"][0] if k in ("ccr", "scheduler", "model")]
        assert table["best_of"] == best_of, table
        best, found = min if metric == "makespan_s" else max, {}
        for r in rows:
            alike = ["generator", "instance", "ccr"] + (["model"] if "model" not in best_of else [])
            case = [float(q[metric]) for q in rows if all(q[k] == r[k] for k in alike)]
            mine, top = float(r[metric]), best(case)
            ties = sum(equal(x, mine) for x in case) - 1
            wins = sum(best(x, mine) == mine and not equal(x, mine) for x in case)
            key = tuple(float(r[k]) if k == "ccr" else r[k] for k in keys)
            found.setdefault(key, []).append((mine / top, equal(mine, top), wins, ties, len(case) - 1 - wins - ties, r))
        n_cells = 1
        for k in keys:
            n_cells *= len({r[k] for r in rows})
        assert len(table["cells"]) == n_cells, (name, n_cells, len(table["cells"]))
        for cell in table["cells"]:
            of_cell = found[tuple(float(cell[k]) if k == "ccr" else cell[k] for k in keys)]
            ratios = [f[0] for f in of_cell]
            mean = sum(ratios) / len(ratios)
            if "mean" in cell:
                assert equal(cell["mean"], mean), (cell, mean)
                continue
            assert equal(cell["mean_ratio"], mean), (cell, mean)
            assert equal(cell["worst_ratio"], max(ratios) if metric == "makespan_s" else min(ratios)), cell
            assert [cell["runs"], cell["best"], cell["wins"], cell["ties"], cell["losses"]] == \
                [len(of_cell)] + [sum(f[i] for f in of_cell) for i in (1, 2, 3, 4)], cell
            for m, value in cell["means"].items():
                assert equal(value, sum(float(f[5][m]) for f in of_cell) / len(of_cell)), (m, cell)
        assert any(cell.get("losses", 1) for cell in table["cells"]), table
    assert set(tables[1]["cells"][0]["means"]) == {"speedup", "slr"}
for r in csv.DictReader(open("whole.csv")):
    assert equal(float(r["slr"]), float(r["planned_s"]) / float(r["critical_path_s"])) and r["gap_ratio"] == "", r
END
printed=$(tr -s ' \n' ' ' <run.txt)$(COLUMNS=200 "$iasim" report tables.xml tables.db)
for text in 'Price: makespan_s, relative to the best of all values of scheduler and model, by model' \
  'makespan_s, relative to the best of all values of scheduler' 'worst ratio' 'losses, %'; do
  [[ $printed == *"$text"* ]] || fault "no '$text'"
done

echo "$faults faults"
((faults == 0))
