# common.sh - functions for tools/setup, run and test, which source this file. Needs
# bash.
# SPDX-License-Identifier: Apache-2.0

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

llvm=22
# Packages for building and running.
run_packages=(
  llvm-$llvm-dev libmlir-$llvm-dev mlir-$llvm-tools clang-$llvm lld-$llvm
  libclang-$llvm-dev libclang-cpp$llvm-dev
  libboost-context-dev libffi-dev libfmt-dev pybind11-dev python3-dev python3-numpy
  python3-prompt-toolkit python3-pygments cmake ninja-build g++
)
# Further packages for testing: lit and FileCheck, the checkers of tools/lint,
# GoogleTest, pytest; what makes wheels and Debian packages and installs them; what
# executes notebooks and builds the site of the documentation. A test that opens a page
# needs chromium (300 MB), and is skipped without.
test_packages=(
  llvm-$llvm-tools clang-format-$llvm clang-tidy-$llvm libgtest-dev python3-pytest
  python3-pytest-xdist python3-pip python3-venv python3-wheel patchelf dpkg-dev
  python3-nbconvert python3-ipykernel gdb mkdocs mkdocs-material
)

say() { printf '%s\n' "$*" >&2; }
fail() { say "$(basename "$0"): $*"; exit 1; }

# missing_packages PACKAGE...: prints the packages that are not installed, one per line.
# Asks dpkg once. Any version of Boost's package counts, since two cannot be installed
# together.
missing_packages() {
  dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 'libboost-context*-dev' 2>/dev/null |
    awk -v wanted="$*" '
      $1 == "installed" { sub(/context[0-9.]+-dev/, "context-dev", $2); have[$2] = 1 }
      END { n = split(wanted, name, " "); for (i = 1; i <= n; ++i) if (!have[name[i]]) print name[i] }'
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

available() {
  local candidate
  candidate=$(apt-cache policy "$1" 2>/dev/null | awk '/Candidate:/ { print $2 }')
  [ -n "$candidate" ] && [ "$candidate" != "(none)" ]
}

# where_it_is PACKAGE: prints which apt archive has the package for this release.
where_it_is() {
  local id='' codename=''
  eval "$(sed -n 's/^ID=/id=/p; s/^VERSION_CODENAME=/codename=/p' /etc/os-release 2>/dev/null)"
  case "$1:$id:$codename" in
    *$llvm*:debian:bookworm)
      say_line "Add the suite bookworm-security, component main, of Debian's security archive to apt's sources" ;;
    *$llvm*:debian:*)
      say_line "Debian 13 has it in main: add the suite $codename, component main, to apt's sources" ;;
    *$llvm*:ubuntu:*)
      say_line "Add the suite llvm-toolchain-$codename-$llvm, component main, of LLVM's apt archive for" \
        "Debian and Ubuntu to apt's sources" ;;
    *) say_line "Debian 12, Debian 13 and Ubuntu 24.04 have it" ;;
  esac
}
say_line() { printf '%s' "$*"; }

install_packages() {
  command -v apt-get >/dev/null || fail "needs these Debian packages, and apt-get is not here: $*"
  if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
    fail "cannot install packages without root or sudo; install these and try again: $*"
  fi
  say "Installing $*"
  as_root apt-get update -qq >&2 || say "apt-get update failed; going on with the lists at hand"
  local package
  for package in "$@"; do
    available "$package" || fail "package $package is not available here. $(where_it_is "$package")"
  done
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2 ||
    fail "apt-get could not install $*"
}

# ensure_packages PACKAGE...: installs the packages that are missing.
ensure_packages() {
  local missing
  mapfile -t missing < <(missing_packages "$@")
  [ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
}

# build_in DIR "TARGETS" [cmake options]: configures DIR unless that was done with these
# options, then builds the targets (all, if none are named). An option that is not named
# keeps its value. Progress goes to standard error.
build_in() {
  local dir=$1 targets=$2
  shift 2
  local stamp="$dir/.configured" options="$*"
  if [ ! -f "$dir/build.ninja" ] || { [ -n "$options" ] && [ "$(cat "$stamp" 2>/dev/null)" != "$options" ]; }; then
    say "Configuring $dir"
    mkdir -p "$dir"
    cmake -S "$root" -B "$dir" -G Ninja -DPython3_EXECUTABLE=/usr/bin/python3 "$@" \
      >"$dir/configure.log" 2>&1 || { cat "$dir/configure.log" >&2; fail "cmake failed"; }
    printf '%s\n' "$options" >"$stamp"
  fi
  # Usually there is nothing to do; then print nothing.
  # shellcheck disable=SC2086 # targets are words
  case $(ninja -C "$dir" -n $targets 2>/dev/null | tail -n 1) in
    *"no work to do"*) return ;;
  esac
  say "Building in $dir (the first time takes several minutes)"
  # shellcheck disable=SC2086
  ninja -C "$dir" $targets >&2 || fail "the build failed"
}
