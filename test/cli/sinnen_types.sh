#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# sinnen_types.sh IASIM: the sizes at which the scenario sinnen-types sees a device become cheaper than a copy are those
# that follow from the properties in the platform files; `threshold` is the cheaper one on both sides; the picture says so.
# shellcheck source=test/cli/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"

"$iasim" run sinnen-types --quiet >out 2>err || fault "run: $(cat err)"
"$iasim" export sinnen-types.db >types.csv
cat >check.py <<'PYTHON'
import collections, csv, sys
import xml.etree.ElementTree as xml

UP_TO = 65536  # the device takes messages of more bytes than this

def properties(name):
    cluster = xml.parse(f"{sys.argv[1]}/platforms/sinnen-{name}.xml").getroot().find("cluster")
    assert cluster.get("bw") == "1GBps"
    return {p.get("id"): float(p.get("value")) for p in cluster.iter("prop")}

def costs(name, ends):  # (constant, per byte), summed over these ends
    p = properties(name)
    return sum(p[f"overhead_{e}"] for e in ends), sum(p[f"involvement_{e}"] for e in ends) / 1e9

stolen = collections.defaultdict(dict)
for r in csv.DictReader(open("types.csv")):
    assert not r["error"], r
    assert abs(float(r["message_s"]) - float(r["planned_s"])) <= 1e-9 * float(r["planned_s"]), r
    name = r["platform"].split("sinnen-")[-1].removesuffix(".xml")
    stolen[name][float(r["size_bytes"])] = float(r["stolen_s"])
sizes = sorted(stolen["threshold"])

for copy in "one-sided-put", "one-sided-get", "two-sided":
    (dear, none), (cheap, per_byte) = costs("third-party", ("send", "recv")), costs(copy, ("send", "recv"))
    assert none == 0
    by_algebra = (dear - cheap) / per_byte
    no_dearer = [s for s in sizes if stolen[copy][s] <= stolen["third-party"][s] * (1 + 1e-9)]
    last, following = no_dearer[-1], sizes[sizes.index(no_dearer[-1]) + 1]
    assert sizes[:len(no_dearer)] == no_dearer, copy
    assert last <= by_algebra * (1 + 1e-9) and by_algebra < following, (copy, last, by_algebra, following)
for s in sizes:
    by = "one-sided-put" if s <= UP_TO else "third-party"
    assert abs(stolen["threshold"][s] - stolen[by][s]) <= 1e-9 * stolen[by][s], s
    best = min(of[s] for name, of in stolen.items() if name != "threshold")
    assert stolen["threshold"][s] <= best * 1.01, s  # 65000 bytes cost the same, 65536 are within 1 %
PYTHON
python3 check.py "$IASIM_DATA" || fault 'the costs, see above'

if /usr/bin/python3 -c 'import matplotlib' 2>/dev/null; then
  for name in first second; do /usr/bin/python3 "$IASIM_DATA/analysis/messages.py" types.csv --out $name; done
  cmp first.svg second.svg && cmp first.png second.png || fault 'another picture from the same CSV'
  grep -q 'up to 65 kB a copy' first.svg || fault 'the picture does not show where the device becomes cheaper'
else
  echo 'no python3-matplotlib: the picture was not tried'
fi
echo "$faults faults"
((faults == 0))
