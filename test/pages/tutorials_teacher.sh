# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: LGPL-2.1-or-later
# The charts of the page are those that its commands draw, whatever their colours.
after_page() {
  local chart
  for chart in promise beliefs; do
    cmp <(sed '/<style>/,/<\/style>/d' "$chart.svg") <(sed '/<style>/,/<\/style>/d' "$root/doc/tutorials/$chart.svg") ||
      fail "$chart.svg is not the chart of the page; if it is right, commit it there"
  done
}
