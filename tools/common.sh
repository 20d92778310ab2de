# common.sh - functions for tools/setup, run and test, which source this file with bash.
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
# Packages that only tests need: lit, FileCheck, the checkers of tools/lint, GoogleTest and pytest;
# tools that make and install wheels and Debian packages, execute notebooks, and build the site of
# the documentation; MPI, for which the build makes a library if MPI is installed. A test that opens
# a page needs chromium (300 MB), and is skipped if chromium is not installed.
test_packages=(
  llvm-$llvm-tools clang-format-$llvm clang-tidy-$llvm libgtest-dev python3-pytest
  python3-pytest-xdist python3-pip python3-venv python3-wheel patchelf dpkg-dev
  python3-nbconvert python3-ipykernel python3-pyflakes gdb mkdocs mkdocs-material
  openmpi-bin libopenmpi-dev
)

say() { printf '%s\n' "$*" >&2; }
fail() { say "$(basename "$0"): $*"; exit 1; }

# missing_packages PACKAGE...: prints the packages that are not installed, one per line. Calls
# dpkg once. Any version of Boost's package counts as installed, because two versions cannot be
# installed together.
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

# configure DIR [cmake options]: runs cmake for DIR, unless DIR is configured with these options
# already. An option that is not named keeps its value.
configure() {
  local dir=$1
  shift
  local stamp="$dir/.configured" options="$*"
  if [ ! -f "$dir/build.ninja" ]; then
    # A first build compiles every file. It takes half the processor time with TTJIT_UNITY, and
    # still less without TTJIT_OPTIMIZE_COMPILER.
    local option
    for option in TTJIT_UNITY=ON TTJIT_OPTIMIZE_COMPILER=OFF; do
      [[ $options == *"${option%=*}"* ]] || set -- "-D$option" "$@"
    done
  elif [ -z "$options" ] || [ "$(cat "$stamp" 2>/dev/null)" = "$options" ]; then
    return 0
  fi
  say "Configuring $dir"
  mkdir -p "$dir"
  cmake -S "$root" -B "$dir" -G Ninja -DPython3_EXECUTABLE=/usr/bin/python3 "$@" \
    >"$dir/configure.log" 2>&1 || { cat "$dir/configure.log" >&2; fail "cmake failed"; }
  printf '%s\n' "$options" >"$stamp"
}

# progress DONE TOTAL SECONDS: prints `[172/528] 33 %, about 4 min left`. It leaves out the time
# until 20 s have passed and a twentieth of the steps is done: earlier steps say little about the rest.
progress() {
  local done=$1 total=$2 seconds=$3 left=''
  if [ "$seconds" -ge 20 ] && [ $((20 * done)) -ge "$total" ]; then
    left=$((seconds * (total - done) / done))
    if [ $left -lt 60 ]; then left=', less than a minute left'; else left=", about $(((left + 30) / 60)) min left"; fi
  fi
  printf '[%s/%s] %s %%%s' "$done" "$total" $((100 * done / total)) "$left"
}

# show_progress DIR: reads what ninja prints from standard input, and shows how many steps are done:
# in one line that changes if standard error is a terminal, otherwise after each tenth. Prints nothing
# if ninja builds nothing: "Re-checking globbed directories" and "Re-running CMake" are no steps.
show_progress() {
  local line total=0 tenth=-1 start=$SECONDS text
  while IFS= read -r line; do
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ (.*)$ && ${BASH_REMATCH[3]} != Re-* ]] || continue
    [ $total != 0 ] || say "Building in $1; what the compilers print is in $1/build.log"
    total=${BASH_REMATCH[2]}
    text=$(progress "${BASH_REMATCH[1]}" "$total" $((SECONDS - start)))
    if [ -t 2 ]; then
      printf '\r\033[K%s' "$text" >&2
    elif [ $((10 * BASH_REMATCH[1] / total)) != $tenth ]; then
      tenth=$((10 * BASH_REMATCH[1] / total))
      say "$text"
    fi
  done
  [ $total = 0 ] || [ ! -t 2 ] || printf '\r\033[K' >&2
}

# build_in DIR "TARGETS" [cmake options]: configures DIR, then builds the targets (all, if none
# are named). Prints nothing if there is nothing to do. Progress goes to standard error.
build_in() {
  local dir=$1 targets=$2
  shift 2
  configure "$dir" "$@"
  # shellcheck disable=SC2086 # targets are words
  NINJA_STATUS='[%f/%t] ' ninja -C "$dir" $targets 2>&1 | tee "$dir/build.log" | show_progress "$dir" || {
    sed -n '/^FAILED:/,$p; /^ninja: error/p' "$dir/build.log" >&2
    fail "the build failed"
  }
}

# say_next: prints what a user can try after a first build.
say_next() {
  say "
Next:
  tools/run examples/softmax.py --stats             counts what each thread did
  tools/run examples/softmax.py --trace=trace.json  records the run; then
  build/bin/ttl-jit report trace.json --html=report.html
  build/bin/ttl-jit                                 reads statements of Python; :help lists commands
docs/tutorial.md writes a first kernel, examples/README.md lists kernels to start from."
}
