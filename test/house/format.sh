#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Every C and C++ file is formatted by .clang-format. Versions of clang-format differ in details, so the one of Debian
# 12 decides; the test is skipped if it is not installed.
set -euo pipefail

tool=$(command -v clang-format-14) || { echo "skipped: clang-format-14 is not installed" && exit 77; }
mapfile -t files < <(find . -path ./build -prune -o \( -name '*.[ch]' -o -name '*.cpp' \) -print | sort)
if ! "$tool" --dry-run -Werror "${files[@]}" 2>/dev/null; then
  for file in "${files[@]}"; do
    "$tool" "$file" | cmp -s - "$file" || echo "formatted differently; run: clang-format -i $file"
  done
  exit 1
fi
echo "${#files[@]} files"
