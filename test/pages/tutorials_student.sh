# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: LGPL-2.1-or-later
# The figure of the page is the one that its commands draw; another matplotlib draws it with other bytes.
after_page() {
  local there=$root/doc/tutorials/student.svg
  [[ -s study.svg ]] || fail 'no study.svg'
  [[ $(grep -o 'Matplotlib v[0-9.]*' student.svg) != $(grep -o 'Matplotlib v[0-9.]*' "$there") ]] ||
    cmp student.svg "$there" ||
    fail 'student.svg is not the figure of the page'
}
