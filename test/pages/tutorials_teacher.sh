# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: LGPL-2.1-or-later
# The charts of the page are those that its commands draw.
after_page() {
  local chart
  for chart in promise beliefs; do
    cmp "$chart.svg" "$root/doc/tutorials/$chart.svg" || fail "$chart.svg is not the chart of the page"
  done
}
