#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# install.sh BUILD CC CXX SANITIZERS: installs into a new folder, moves it, and uses the installation from outside:
# the program, the manual, the completion, the library through pkg-config and find_package.
set -euo pipefail
build=$1 cc=$2 cxx=$3 sanitizers=${4-}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cmake --install "$build" --prefix "$scratch/first" >"$scratch/log" || { cat "$scratch/log" && exit 1; }
mv "$scratch/first" "$scratch/prefix" # nothing may depend on the place of installation
prefix=$scratch/prefix
sanitize=()
[[ -z $sanitizers ]] || sanitize=("-fsanitize=$sanitizers")
export ASAN_OPTIONS=detect_leaks=0

faults=0
fault() { echo "$*" && faults=$((faults + 1)); }

# What is built and installed is part of the target iasim: the launcher builds no other one.
names() { sed -e 's/: .*//' -e 's|.*/||' | LC_ALL=C sort -u; }
other=$(LC_ALL=C comm -23 <(ninja -C "$build" -t targets all | grep -v ': phony$' | names) <({ echo iasim &&
  ninja -C "$build" -t inputs iasim; } | names))
missing=$(LC_ALL=C comm -12 <(find "$prefix" -type f | names) <(cat <<<"$other"))
[[ -z $missing ]] || fault "not part of the target iasim: $missing"

# The program, in an empty folder and without help from the environment.
cd "$scratch"
unset IASIM IASIM_DATA LD_LIBRARY_PATH
version=$(prefix/bin/iasim --version) || fault 'the installed program does not run'
[[ $version == iasim\ [0-9]* ]] || fault "version: $version"
for folder in platforms deployments scenarios analysis; do
  [[ -d prefix/share/iasim/$folder ]] || fault "share/iasim/$folder is missing"
done
prefix/bin/iasim bound --platform platforms/kreaseck-fork.xml --deployment deployments/kreaseck-fork.xml \
  --send-size 2 --compute-size 3 --ports single >out || fault 'the installed program does not find its platforms'

# The package for Python, through the link that Debian's Python follows, finds this program.
found=$(PYTHONPATH=prefix/lib/python3/dist-packages PYTHONDONTWRITEBYTECODE=1 python3 \
  -c 'import iasim; print(iasim.program())') ||
  fault 'the installed package for Python cannot be imported'
[[ $found == "$(realpath prefix/bin/iasim)" ]] || fault "the installed package for Python finds the program '$found'"

# A plugin in Python, where Debian's Python has what it needs. (A sanitizer would have to be the first library of
# Python.)
if [[ -z $sanitizers ]] && /usr/bin/python3 -c 'import cffi' 2>/dev/null; then
  printf 'import iasim\n@iasim.scheduler\ndef mine(problem, draft):\n    "A summary."\n' >mine.py
  [[ $(prefix/bin/iasim --plugin mine.py list schedulers) == *'mine            A summary.  (plugin mine.py)'* ]] ||
    fault 'the installed program does not load a plugin in Python'
fi

# Without the bridge, what does not simulate works all the same, and the rest says what is wrong.
bridge=$(find prefix -name libiasim-bridge.so)
mv "$bridge" bridge.so
prefix/bin/iasim list >out || fault 'list needs the bridge'
status=0
talk=$(prefix/bin/iasim bound --platform platforms/kreaseck-fork.xml --deployment deployments/kreaseck-fork.xml \
  --send-size 2 --compute-size 3 --ports single 2>&1) || status=$?
[[ $status == 3 && $talk == 'iasim bound: '*libiasim-bridge.so* && $(wc -l <<<"$talk") == 1 ]] ||
  fault "without the bridge: status $status: $talk"
mv bridge.so "$bridge"

# The manual and the completion know every command.
man=prefix/share/man/man1
# shellcheck source=sim/users/cli/install/completion.bash
source prefix/share/bash-completion/completions/iasim
COMP_LINE="$prefix/bin/iasim " COMP_POINT=$((${#prefix} + 11))
_iasim
for command in $(prefix/bin/iasim --help | sed -n 's/^  \([a-z_]\+\) .*/\1/p'); do
  [[ $(grep -c '^\.SH \(NAME\|SYNOPSIS\|DESCRIPTION\|OPTIONS\|EXAMPLES\)$' "$man/iasim-$command.1") == 5 ]] ||
    fault "the manual of $command lacks a section"
  grep -qF "iasim\\-$command" $man/iasim.1 || fault "the manual does not name $command"
  [[ " ${COMPREPLY[*]} " == *" $command "* ]] || fault "the completion does not have $command"
done
COMP_LINE="$prefix/bin/iasim list --h" COMP_POINT=$((${#prefix} + 19))
_iasim
[[ ${COMPREPLY[*]} == --help ]] || fault "completing 'iasim list --h' gives '${COMPREPLY[*]}'"
if command -v man >/dev/null; then
  [[ -z $(LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -l $man/*.1 2>&1 >/dev/null) ]] ||
    fault 'man warns about the manual'
else
  echo 'no man: not tried whether it can show the manual'
fi

# Every installed header stands alone, with nothing but PREFIX/include and no extensions; those for users are C++, too.
headers=$(cd prefix/include && find . -name '*.h' -printf '%P\n' | sort)
for header in $headers; do
  printf '#include <%s>\ntypedef int not_empty;\n' "$header" |
    "$cc" -std=c11 -Wall -Wextra -Wconversion -pedantic -Werror -Iprefix/include -fsyntax-only -x c - ||
    fault "the installed $header does not stand alone"
done
for header in iasim/iasim.h iasim/plugin.h; do
  [[ $headers == *"$header"* ]] || fault "$header is not installed"
  echo "#include <$header>" | "$cxx" -std=c++17 -Wall -Wextra -pedantic -Werror -Iprefix/include -fsyntax-only -x c++ \
    - ||
    fault "the installed $header is not C++"
done

# A consumer that includes every installed header and calls one function.
mkdir consumer
{
  while IFS= read -r header; do echo "#include <$header>"; done <<<"$headers"
  printf '#include <stdio.h>\nint main(void)\n{\n    puts(err_code_text(ERR_NO));\n    return 0;\n}\n'
} >consumer/main.c
cat >consumer/CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.24)
project(consumer LANGUAGES C)
find_package(iasim 0.2 REQUIRED)
add_executable(consumer main.c)
target_compile_options(consumer PRIVATE ${sanitize[*]})
target_link_options(consumer PRIVATE ${sanitize[*]})
target_link_libraries(consumer PRIVATE iasim::iasim)
END
says() { [[ $("$@") == 'the answer is no' ]]; }
if cmake -G Ninja -S consumer -B consumer/build -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" >log 2>&1 &&
  cmake --build consumer/build >>log 2>&1 && says consumer/build/consumer; then :; else
  cat log && fault 'the consumer by find_package failed'
fi
if command -v pkg-config >/dev/null; then
  pc=$(dirname "$(find prefix -name iasim.pc)")
  read -ra flags < <(PKG_CONFIG_PATH=$prefix/${pc#prefix/} pkg-config --cflags --libs iasim)
  if "$cc" "${sanitize[@]}" consumer/main.c "${flags[@]}" -Wl,-rpath,"$(dirname "$prefix/${pc#prefix/}")" \
    -o consumer/by_pc &&
    says consumer/by_pc; then :; else fault "the consumer by pkg-config failed: ${flags[*]}"; fi
else
  echo 'no pkg-config: its consumer was not tried'
fi

echo "$(grep -c include consumer/main.c) headers, $faults faults"
((faults == 0))
