#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# package.sh BUILD SANITIZERS: cpack makes a complete .deb whose dependencies this release has. With TESTS_NIGHT=1 a
# bare Debian of this release installs it with `apt install ./iasim_....deb` in a new chroot, where the program then
# simulates. The chroot needs root, debootstrap and a mirror of Debian; without them the test reports that it was not
# tried.
set -euo pipefail
build=$1 sanitizers=${2-}

[[ -z $sanitizers ]] || { echo 'skipped: a package of a program with sanitizers is of no use' && exit 77; }
for tool in dpkg-shlibdeps file; do
  command -v $tool >/dev/null || { echo "skipped: $tool is not installed (packages dpkg-dev and file)" && exit 77; }
done
scratch=$(mktemp -d)
trap 'rm -rf --one-file-system "$scratch"' EXIT
faults=0
fault() { echo "$*" && faults=$((faults + 1)); }

(cd "$build" && cpack -B "$scratch" >"$scratch/log" 2>&1) || { cat "$scratch/log" && exit 1; }
deb=$(echo "$scratch"/iasim_*.deb)
contents=$(dpkg-deb --contents "$deb")
for file in bin/iasim share/man/man1/iasim.1 share/man/man1/iasim-farm.1 share/bash-completion/completions/iasim \
  share/doc/iasim/README.md \
  share/doc/iasim/copyright share/doc/iasim/CHANGELOG.md share/doc/iasim/doc/model.md \
  share/iasim/platforms/kreaseck-fork.xml share/iasim/scenarios/smoke/scenario.xml lib/python3/dist-packages/iasim; do
  [[ $contents == *"./usr/$file"* ]] || fault "the package does not have /usr/$file"
done
# shellcheck source=/dev/null
[[ $deb == *~*"$(. /etc/os-release && echo "${VERSION_ID-$VERSION_CODENAME}")"_*.deb ]] ||
  fault "the name does not say for which release: $deb"
dpkg-deb --field "$deb" Depends | grep libsimgrid >/dev/null || fault 'the package does not depend on SimGrid'
((faults == 0)) || exit 1

apt-get install --simulate "$deb" >"$scratch/log" 2>&1 ||
  { cat "$scratch/log" && fault 'apt-get cannot install the package'; }
((faults == 0)) || exit 1

[[ ${TESTS_NIGHT-} == 1 ]] || { echo 'a bare Debian to install it on is made with TESTS_NIGHT=1' && exit; }
if [[ $(id -u) != 0 ]] || ! command -v debootstrap >/dev/null; then
  echo 'skipped: a bare Debian to install it on needs root and debootstrap (the contents were looked at)'
  exit 77
fi
# shellcheck source=/dev/null
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
# shellcheck disable=SC2016 # the format is apt-get's
mirror=$(apt-get indextargets --format '$(REPO_URI)' "Codename: $release" | sort -u | head -n 1)
bare=$scratch/bare
debootstrap --variant=minbase "$release" "$bare" "$mirror" >"$scratch/log" 2>&1 || {
  tail -n 3 "$scratch/log"
  echo 'skipped: debootstrap could not make a bare Debian here (the contents were looked at)'
  exit 77
}
cp "$deb" "$bare/"
# With a /proc that goes away with the process that mounted it.
inside() {
  unshare --mount sh -c 'mount --bind /proc "$0/proc" && exec chroot "$0" "$@"' "$bare" \
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"
}
inside true 2>/dev/null || { echo 'skipped: nothing may be mounted here (the contents were looked at)' && exit 77; }
{ inside apt-get update && inside apt-get install -y --no-install-recommends "/${deb##*/}"; } >"$scratch/log" 2>&1 \
  </dev/null ||
  { tail -n 30 "$scratch/log" && fault 'apt-get does not install the package'; }
inside iasim farm --platform platforms/star-8.xml --deployment deployments/star-8.xml --policy bwc --tasks 100 \
  --send-size 1 \
  --compute-size 10 >"$scratch/log" 2>&1 || { cat "$scratch/log" && fault 'the installed program does not simulate'; }
inside iasim run smoke --out /tmp/smoke.db --quiet >"$scratch/log" 2>&1 ||
  { cat "$scratch/log" && fault 'the installed program does not run a scenario'; }

# What Python writes beside the package goes with it.
inside mkdir -p /usr/share/iasim/analysis/iasim/__pycache__
inside touch /usr/share/iasim/analysis/iasim/__pycache__/_run.cpython-313.pyc
inside apt-get purge -y iasim >"$scratch/log" 2>&1 </dev/null || { tail -n 30 "$scratch/log" &&
  fault 'apt-get does not purge the package'; }
! grep -q 'not empty' "$scratch/log" || fault "purge: $(grep 'not empty' "$scratch/log")"
[[ ! -e $bare/usr/share/iasim ]] || fault "purge leaves $(find "$bare/usr/share/iasim" | head -n 5 | paste -sd ' ')"

echo "${deb##*/}, $faults faults"
((faults == 0))
