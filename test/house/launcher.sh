#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# The launcher's own decisions. Small stand-ins replace the tools that it calls, so nothing is installed or built.
# Also: the README names the two commands, and they exist.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
faults=0
fault() { echo "$*" && faults=$((faults + 1)); }

# A checkout with the launcher alone, and a PATH with only what the stand-ins and a bare system have.
mkdir -p "$scratch/checkout" "$scratch/bin" "$scratch/elsewhere"
sed 's,/usr/bin/python3,python3,' iasim >"$scratch/checkout/iasim"
chmod +x "$scratch/checkout/iasim"
ln -s "$scratch/checkout/iasim" "$scratch/elsewhere/link"
for tool in bash env dirname readlink sed grep xargs cut mkdir mktemp tail rm flock cat nproc true sleep chmod touch; do
  ln -s "$(type -P $tool)" "$scratch/bin/$tool"
done
stand_in() { # stand_in NAME: its text is on stdin
  { echo '#!/usr/bin/env bash' && cat; } >"$scratch/bin/$1"
  chmod +x "$scratch/bin/$1"
}
stand_in id <<<'echo 1000'
stand_in dpkg-query <<'END'
for package in "$@"; do # everything is there except what the file names
  [[ $package == [-$]* ]] || grep -qx -- "$package" "$MISSING" || echo "$package installed"
done
END
for tool in cc c++ pkg-config python3; do stand_in $tool <<<'exit 1'; done
stand_in cmake <<'END'
echo "cmake $*" >>"$CALLS"
folder=$CHECKOUT/build/release
mkdir -p "$folder/sim/users/cli"
if [[ $1 == --fresh ]]; then
  echo "CMAKE_HOME_DIRECTORY:INTERNAL=$CHECKOUT" >"$folder/CMakeCache.txt"
  touch "$folder/build.ninja"
else
  sleep 0.3
  printf '#!/usr/bin/env bash\necho "program $* data $IASIM_DATA"\n' >"$folder/sim/users/cli/iasim"
  chmod +x "$folder/sim/users/cli/iasim"
fi
END
stand_in ninja <<'END'
[[ -x $2/sim/users/cli/iasim ]] && echo 'ninja: no work to do.' || echo '[1/2] Building'
END
# shellcheck disable=SC2016 # the stand-in expands it
stand_in apt-get <<<'echo "apt-get $*" >>"$CALLS"; [[ $* == *update ]] || : >"$MISSING"'

export MISSING=$scratch/missing CALLS=$scratch/calls CHECKOUT=$scratch/checkout
launch() { # launch ARGUMENT...: from another folder through a link; status, out and talk are set
  status=0
  : >"$CALLS"
  out=$(cd "$scratch" && env -i PATH="$scratch/bin" MISSING="$MISSING" CALLS="$CALLS" CHECKOUT="$CHECKOUT" \
    elsewhere/link "$@" 2>"$scratch/talk" </dev/null) || status=$?
  talk=$(cat "$scratch/talk")
}

# Neither root nor sudo: the exact command to run, and 2.
printf 'cmake\nlibsimgrid-dev\n' >"$MISSING"
mv "$scratch/bin/cmake" "$scratch/cmake"
launch list
mv "$scratch/cmake" "$scratch/bin/cmake"
[[ $status == 2 && $talk == *'apt-get install --no-install-recommends cmake libsimgrid-dev'* ]] ||
  fault "without root: status $status, $talk"

# Not Debian: the list of missing packages, and 2.
mv "$scratch/bin/apt-get" "$scratch/apt-get"
launch list
mv "$scratch/apt-get" "$scratch/bin/apt-get"
[[ $status == 2 && $talk == *'libsimgrid-dev: simulates machines'* && $talk == *'not a Debian system'* ]] ||
  fault "without apt-get: status $status, $talk"

# Not root, but sudo works without a password.
# shellcheck disable=SC2016 # the stand-in expands it
stand_in sudo <<<'[[ $1 != -n ]] || shift; echo sudo >>"$CALLS"; exec "$@"'
launch list
rm "$scratch/bin/sudo"
[[ $status == 0 && $(cat "$CALLS") == *$'sudo\napt-get '*install* ]] ||
  fault "by sudo: status $status, $talk, $(cat "$CALLS")"
rm -rf "$CHECKOUT/build"
echo libsimgrid-dev >"$MISSING"

# Root: installs only what is missing, builds once, hands over arguments and the data folder.
stand_in id <<<'echo 0'
launch list --json 'a b'
[[ $status == 0 && $out == "program list --json a b data $CHECKOUT" ]] || fault "first use: status $status, $out, $talk"
[[ $(grep -c apt-get "$CALLS") == 2 && $(cat "$CALLS") == *libsimgrid-dev* && $(cat "$CALLS") != *libxml2* ]] ||
  fault "first use called: $(cat "$CALLS")"

# Later: no talk, no tool called.
launch list
[[ $status == 0 && -z $talk && ! -s $CALLS ]] || fault "later: status $status, '$talk', $(cat "$CALLS")"

# A demo needs the package that draws; other commands do not.
echo python3-matplotlib >"$MISSING"
launch list
[[ -z $talk ]] || fault "list asks for matplotlib: $talk"
for words in 'demo --no-picture' 'demo --out x --no-pict' 'demo --help' 'demo -?' 'compare x.db --picture x --help' \
  'compare x.db'; do
  # shellcheck disable=SC2086
  launch $words
  [[ $status == 0 && -z $talk ]] || fault "$words asks for matplotlib: $talk"
done
launch compare x.db --picture x
[[ $talk == *python3-matplotlib* ]] || fault "compare --picture does not ask for matplotlib: $talk"
echo python3-matplotlib >"$MISSING"
launch demo
[[ $talk == *python3-matplotlib* ]] || fault "demo does not ask for matplotlib: $talk"

# A scheduler in Python needs the package that runs it; a plugin in C does not.
echo python3-cffi >"$MISSING"
for words in '--plugin ./mine.so list' 'list --json mine.py'; do
  # shellcheck disable=SC2086
  launch $words
  [[ $status == 0 && -z $talk ]] || fault "$words asks for a package: $talk"
done
mv "$scratch/bin/python3" "$scratch/python3" # a bare system has no Python at all
for words in '--plugin ./mine.so --plugin mine.py list' '--plugin=mine.py list'; do
  echo python3-cffi >"$MISSING"
  # shellcheck disable=SC2086
  launch $words
  [[ $status == 0 && $talk == 'iasim: missing:'*'python3-cffi: runs schedulers in Python'* &&
    $out == "program $words "* ]] ||
    fault "$words: status $status, $out, $talk"
done
mv "$scratch/python3" "$scratch/bin/python3"
stand_in python3 <<<'exit 0' # the module is there, wherever it is from
launch --plugin mine.py list
[[ $status == 0 && -z $talk ]] || fault "a scheduler in Python that can run asks for a package: $talk"
stand_in python3 <<<'exit 1'

# The documentation: with its packages, from what is built, into build/site.
mkdir -p "$CHECKOUT/doc/site"
printf '#!/usr/bin/env bash\necho "site $*"\n' >"$CHECKOUT/doc/site/build"
chmod +x "$CHECKOUT/doc/site/build"
echo python3-myst-parser >"$MISSING"
launch docs
release=$CHECKOUT/build/release
[[ $status == 0 && $talk == *python3-myst-parser* && $talk == *"open $CHECKOUT/build/site/index.html"* &&
  $out == "site $release/sim/users/cli/iasim $release/package/include $CHECKOUT/build/site" ]] ||
  fault "docs: status $status, $out, $talk"

# Two at once: one configures and builds, both run.
rm -rf "$CHECKOUT/build"
: >"$CALLS"
for i in 1 2; do
  env -i PATH="$scratch/bin" MISSING="$MISSING" CALLS="$CALLS" CHECKOUT="$CHECKOUT" "$CHECKOUT/iasim" "$i" \
    >"$scratch/out$i" 2>&1 </dev/null &
done
wait
[[ $(grep -c -- --fresh "$CALLS") == 1 && $(grep -c -- --build "$CALLS") == 1 ]] || fault "two at once: $(cat "$CALLS")"
for i in 1 2; do grep -q "^program $i " "$scratch/out$i" || fault "two at once: $(cat "$scratch/out$i")"; done

# The README's commands.
for command in './iasim demo' './iasim test'; do
  grep -qF "$command" README.md || fault "README.md does not name $command"
done
names=$(sed -n 's/^COMMAND(\([a-z_]\+\)).*/\1/p' sim/users/cli/commands.def)
grep -qx demo <<<"$names" || fault 'there is no command demo'
grep -q '^  test)' iasim || fault 'the launcher has no test'

echo "$faults faults"
((faults == 0))
