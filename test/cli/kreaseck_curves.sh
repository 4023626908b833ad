#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# kreaseck_curves.sh IASIM: platforms/kreaseck-lab-curved.xml has the lines of Table 2 at nodes of each kind, and is
# kreaseck-lab.xml but for Lab0's rates. analysis/curves.py notices other curves.
# shellcheck source=test/cli/begin.sh
source "$(dirname "$0")/begin.sh"

"$IASIM_DATA/analysis/curves.py" "$iasim" --check Lab3,Campus0,SB1,Brazil >out || fault "$(cat out)"
[[ $(grep -c constant out) == 8 ]] || fault "$(cat out)"

rest() {
  sed '/^<!-- /,/-->$/d; /id="ir_\(send\|recv\)[._].*Lab0*\|id="ir_\(send\|recv\)\(_curve\)*\.[A-Z]/d' \
    "$IASIM_DATA/platforms/$1"
}
rest kreaseck-lab.xml >lines
rest kreaseck-lab-curved.xml >curves
[[ $(wc -l <lines) -gt 100 ]] && cmp lines curves || fault "$(diff lines curves)"

mkdir -p tree/scenarios/kreaseck-interference tree/platforms tree/analysis
cp "$IASIM_DATA/analysis/curves.py" tree/analysis
cp "$IASIM_DATA/scenarios/kreaseck-interference/table2.csv" tree/scenarios/kreaseck-interference
sed 's/\(ir_send_curve.Lab3" value="\)[0-9.]*/\10.9/' "$IASIM_DATA/platforms/kreaseck-lab-curved.xml" \
  >tree/platforms/kreaseck-lab-curved.xml
! tree/analysis/curves.py "$iasim" --check Lab3 >out || fault 'a wrong GAMMA is not noticed'
grep -q 'Lab3 send: .* WRONG' out || fault "$(cat out)"
exit $((faults > 0))
