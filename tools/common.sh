# common.sh - what tools/setup, run and test share. Sourced by bash.
# SPDX-License-Identifier: Apache-2.0

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

llvm=22
packages=(
  llvm-$llvm-dev libmlir-$llvm-dev mlir-$llvm-tools llvm-$llvm-tools clang-$llvm lld-$llvm
  libboost-context1.81-dev libfmt-dev pybind11-dev python3-dev python3-numpy python3-pytest
  libgtest-dev cmake ninja-build g++
)

say() { printf '%s\n' "$*" >&2; }
fail() { say "$(basename "$0"): $*"; exit 1; }

# The packages that are not installed, one per line. Asks dpkg once.
missing_packages() {
  dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null |
    awk -v wanted="${packages[*]}" '
      $1 == "installed" { have[$2] = 1 }
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

install_packages() {
  command -v apt-get >/dev/null || fail "needs these Debian packages, and apt-get is not here: $*"
  if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
    fail "cannot install packages without root or sudo; install these and try again: $*"
  fi
  say "Installing $*"
  as_root apt-get update -qq >&2 || say "apt-get update failed; going on with the lists at hand"
  local package
  for package in "$@"; do
    available "$package" || fail "package $package is not available here. Debian 12 has it," \
      "LLVM $llvm in its security archive: add the suite bookworm-security to apt's sources"
  done
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2 ||
    fail "apt-get could not install $*"
}

ensure_packages() {
  local missing
  mapfile -t missing < <(missing_packages)
  [ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
}

# build_in DIR [cmake options]: configures if that was not done with these
# options, builds if anything changed. Progress goes to standard error.
build_in() {
  local dir=$1
  shift
  local stamp="$dir/.configured" options="$*"
  if [ ! -f "$dir/build.ninja" ] || [ "$(cat "$stamp" 2>/dev/null)" != "$options" ]; then
    say "Configuring $dir"
    mkdir -p "$dir"
    cmake -S "$root" -B "$dir" -G Ninja -DPython3_EXECUTABLE=/usr/bin/python3 "$@" \
      >"$dir/configure.log" 2>&1 || { cat "$dir/configure.log" >&2; fail "cmake failed"; }
    printf '%s\n' "$options" >"$stamp"
  fi
  # Nothing to do is the usual case, and silent.
  case $(ninja -C "$dir" -n 2>/dev/null | tail -n 1) in
    *"no work to do"*) return ;;
  esac
  say "Building $dir (the first time takes several minutes)"
  ninja -C "$dir" >&2 || fail "the build failed"
}
