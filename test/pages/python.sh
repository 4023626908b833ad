# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: LGPL-2.1-or-later
# The scheduler of the page is HEFT.
after_page() {
  iasim schedule --platform platforms/sinnen-hetero.xml --graph g.dot --model involvement --scheduler heft \
    --out heft.json >out
  cmp <(sed 1d heft.json) <(sed 1d mine.json) || fail 'the scheduler of the page is not HEFT'
}
