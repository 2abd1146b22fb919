# shellcheck shell=bash
# Functions of the installation scripts. Sourcing this file has no effect by itself.

# What is missing, as package names of Debian and Ubuntu, and in words.
missing_packages=()
missing_names=()

have() { command -v "$1" >/dev/null 2>&1; }

# need CHECK PACKAGE NAME...: if the command CHECK fails, PACKAGE is missing. CHECK is a list of words
# in one string (a function of this file and its arguments).
need() {
  local check=$1 package=$2
  shift 2
  # shellcheck disable=SC2086  # the check is meant to be split into words
  if ! $check; then
    missing_packages+=("$package")
    missing_names+=("$* ($package)")
  fi
}

# header FILE...: one of these is where CMake looks for headers.
header() {
  local folder file
  for folder in ${CMAKE_PREFIX_PATH:+${CMAKE_PREFIX_PATH//:/ }} /usr /usr/local; do
    for file in "$@"; do
      [ ! -e "$folder/include/$file" ] || return 0
      [ -z "$(find "$folder/include" -mindepth 2 -maxdepth 4 -path "*/$file" -print -quit 2>/dev/null)" ] ||
        return 0
    done
  done
  return 1
}

# font FILE: is installed, for everybody or for this user.
font() {
  local folder
  for folder in /usr/share/fonts /usr/local/share/fonts "$HOME/.local/share/fonts" /Library/Fonts; do
    if [ -d "$folder" ] && [ -n "$(find -L "$folder" -name "$1.[ot]tf" -print -quit)" ]; then return 0; fi
  done
  return 1
}

# library NAME: the dynamic linker finds libNAME by its soname.
library() {
  local found
  if have ldconfig; then
    found=$(ldconfig -p)
  else
    found=$(/sbin/ldconfig -p 2>/dev/null || true)
  fi
  case $found in *"$1"*) return 0 ;; *) return 1 ;; esac
}

# python_module NAME: the python3 on PATH or the system's has it (found, not imported: fast).
python_module() {
  local python
  for python in python3 /usr/bin/python3; do
    if have "$python" && "$python" -c "
import importlib.util, sys
sys.exit(importlib.util.find_spec('$1') is None)" 2>/dev/null; then
      return 0
    fi
  done
  return 1
}

one_of() {
  local program
  for program in "$@"; do
    if have "$program"; then return 0; fi
  done
  return 1
}

# The sanitizers and the libFuzzer of the clang on PATH: a package of their own.
clang_runtime() {
  have clang++ && compgen -G "$(clang++ -print-resource-dir)/lib/*/libclang_rt.fuzzer*" >/dev/null
}
clang_runtime_package() {
  local major
  if have clang++; then
    major=$(clang++ -dumpversion)
    echo "libclang-rt-${major%%.*}-dev"
  else
    echo libclang-rt-dev
  fi
}

mesa() {
  compgen -G "/usr/lib/*/dri/swrast_dri.so" >/dev/null ||
    compgen -G "/usr/lib/*/libgallium-*.so" >/dev/null ||
    compgen -G "/usr/lib*/dri/swrast_dri.so" >/dev/null
}

# at_least WANTED FOUND: version numbers.
at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }

# version_of TEXT: the first thing in it that looks like a version.
version_of() { grep -oE '[0-9]+(\.[0-9]+)+' <<<"$1" | head -n 1; }

# too_old NAME FOUND WANTED REMEDY: ends with one sentence if FOUND is older than WANTED.
too_old() {
  if ! at_least "$3" "$2"; then
    echo "attention-live: $1 $2 is too old: $3 or newer is needed; $4." >&2
    exit 1
  fi
}

# How apt is run: as root, or through sudo. Sets `as_root`; fails where neither is possible.
find_root() {
  if [ "$(id -u)" -eq 0 ]; then
    as_root=(env)
  elif have sudo && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
    as_root=(sudo env)
  else
    return 1
  fi
}

apt() {
  "${as_root[@]}" DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -qq -o DPkg::Lock::Timeout=600 \
    -o APT::Get::Assume-Yes=true "$@"
}

# The package lists have a lock of their own, for which apt does not wait.
apt_update() {
  local message _
  for _ in {1..60}; do
    message=$(apt update 2>&1) && return 0
    case $message in
      *"Could not get lock"*) sleep 5 ;;
      *)
        # Not fatal: the present lists may suffice.
        echo "$message" >&2
        return 0
        ;;
    esac
  done
}

joined() {
  local text=$1 name
  shift
  for name in "$@"; do text+=", $name"; done
  echo "$text"
}

# Installs what `need` found missing. Ends with one sentence if it cannot.
install_missing() {
  [ ${#missing_packages[@]} -gt 0 ] || return 0
  local what log
  what=$(joined "${missing_names[@]}")
  if ! have apt-get; then
    echo "attention-live: missing: $what; install it and call this again." >&2
    exit 1
  fi
  if ! find_root; then
    echo "attention-live: missing: $what; as root: apt-get install ${missing_packages[*]}" >&2
    exit 1
  fi
  echo "Installing ${missing_packages[*]}"
  log=$(mktemp)
  apt_update
  if ! apt install --no-install-recommends "${missing_packages[@]}" >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    rm -f "$log"
    echo "attention-live: apt-get could not install ${missing_packages[*]}; see the lines above." >&2
    exit 1
  fi
  rm -f "$log"
  hash -r
  missing_packages=()
  missing_names=()
}
