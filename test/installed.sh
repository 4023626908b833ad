# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Sourced by tests of pages of the documentation, which have the build folder in `build` and the page in `page`: iasim is
# installed in $dir/prefix, where pkg-config finds it, and nothing else of this project is known in the empty folder $dir/work.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
faults=0
fault() { echo "$*" && faults=$((faults + 1)); }
# shellcheck disable=SC2154
cmake --install "$build" --prefix "$dir/prefix" >"$dir/log" || { cat "$dir/log" && exit 1; }
mkdir "$dir/work"
cd "$dir/work"
unset IASIM_DATA LD_LIBRARY_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$dir/prefix" -name iasim.pc)")
export PKG_CONFIG_PATH

# blocks_of LANGUAGE [PAGE]: all that the page has between fences of this language
# shellcheck disable=SC2154
blocks_of() { awk -v fence="\`\`\`$1" '/^```/ { inside = $0 == fence; next } inside' "${2-$page}"; }
