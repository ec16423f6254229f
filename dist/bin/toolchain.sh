# Sourced by ./mvnw and ./fairlead: finds a JDK, installs or names missing Debian packages.
# Leaves JAVA_HOME set, or exits with a sentence that says what to do.

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

# require_packages COMMAND=PACKAGE... : every COMMAND is there afterwards.
require_packages() {
  local pair missing=()
  for pair in "$@"; do
    PATH="$PATH:/usr/sbin:/sbin" command -v "${pair%%=*}" >/dev/null || [[ -e ${pair%%=*} ]] || missing+=("${pair#*=}")
  done
  (( ${#missing[@]} )) || return 0
  install_packages "${missing[@]}" && return 0
  say "needs the Debian package(s): ${missing[*]}"
  say "install them with: apt-get install ${missing[*]}"
  exit 69
}

# install_packages PACKAGE... : true when root, apt-get is there and it worked.
install_packages() {
  [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null || return 1
  say "installing $* ..."
  apt-get update -qq >/dev/null 2>&1 || true
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1
}

java_major() { # of the JDK at $1; nothing when there is none
  [[ -x $1/bin/javac ]] || return 0
  local release
  release=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release" 2>/dev/null)
  printf '%s' "$release"
}

# find_jdk : sets JAVA_HOME to a JDK 25 or newer: JAVA_HOME, then PATH, then /usr/lib/jvm.
find_jdk() {
  local home major on_path=""
  command -v javac >/dev/null && on_path=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
  for home in "${JAVA_HOME:-}" "$on_path" /usr/lib/jvm/*; do
    [[ -n $home ]] || continue
    major=$(java_major "$home")
    if [[ -n $major ]] && (( major >= 25 )); then
      export JAVA_HOME=$home
      return 0
    fi
  done
  return 1
}

require_jdk() {
  find_jdk && return 0
  install_packages openjdk-25-jdk-headless && find_jdk && return 0
  say "needs a JDK 25 or newer; looked at JAVA_HOME, PATH and /usr/lib/jvm"
  say "install one (Debian 13 and later: apt-get install openjdk-25-jdk-headless) or set JAVA_HOME"
  exit 69
}
