#!/usr/bin/env bash
# Starts a private native Postgres 15 with pgvector for tests; needs root on Debian 12.
#
#   scripts/native-postgres.sh         installs what is missing, starts, prints DATABASE_URL=postgres://... on stdout
#   scripts/native-postgres.sh stop    stops it and removes its data
#
# Every step already done is skipped. The cluster of the system is not touched.
set -euo pipefail

readonly PG_VERSION=15
readonly PG_BIN=/usr/lib/postgresql/$PG_VERSION/bin
readonly PG_OWNER=postgres
readonly VECTOR_CONTROL=/usr/share/postgresql/$PG_VERSION/extension/vector.control
readonly PACKAGES=(postgresql-$PG_VERSION postgresql-server-dev-$PG_VERSION dpkg-dev build-essential)
# Its source of pgvector builds on Debian 12.
readonly SOURCE_SUITE=trixie
readonly ROOT_DIR=${NATIVE_POSTGRES_DIR:-/tmp/contexture-native-postgres}
readonly DATA_DIR=$ROOT_DIR/data
readonly SOCKET_DIR=$ROOT_DIR/socket
readonly PORT_FILE=$ROOT_DIR/port
# Below the ports that Linux gives to outgoing connections: one of those keeps a port from being listened on, though
# nobody answers there.
readonly FIRST_PORT=25400 LAST_PORT=25499

# Only the URL goes to stdout.
exec 3>&1 1>&2

fail() {
  echo "native-postgres: $*" >&2
  exit 1
}

check_machine() {
  [[ $(id -u) -eq 0 ]] || fail 'must run as root (it installs packages and starts Postgres as user postgres)'
  command -v apt-get >/dev/null || fail 'needs apt-get (Debian 12)'
  local id='' version=''
  [[ ! -r /etc/os-release ]] || { id=$(. /etc/os-release && echo "${ID:-}") && version=$(. /etc/os-release && echo "${VERSION_ID:-}"); }
  [[ $id == debian && $version == 12 ]] || fail "needs Debian 12, this is '${id:-unknown} ${version:-}'"
}

as_owner() {
  # Without descriptor 3: a server that kept it open would keep whoever reads the URL waiting.
  (cd / && setpriv --reuid "$PG_OWNER" --regid "$PG_OWNER" --init-groups -- "$@" 3>&-)
}

install_packages() {
  local missing=()
  for package in "${PACKAGES[@]}"; do
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true) == installed ]] || missing+=("$package")
  done
  [[ ${#missing[@]} -gt 0 ]] || return 0
  echo "native-postgres: installing ${missing[*]}"
  apt-get -qq update
  # Without this the package would start a cluster of its own, and tests use only the private one.
  if [[ ! -e /etc/postgresql-common/createcluster.conf ]]; then
    mkdir -p /etc/postgresql-common
    echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
  fi
  DEBIAN_FRONTEND=noninteractive UCF_FORCE_CONFFOLD=1 apt-get -qq install -y --no-install-recommends \
    -o Dpkg::Options::=--force-confold "${missing[@]}"
}

# Prints "[signed-by=...] uri" of every source of Debian 12 itself in one file of apt, old format or new.
debian_sources_in() {
  if [[ $1 == *.sources ]]; then
    # A stanza each. An embedded key does not fit a one-line source: apt's trusted keys have to do then.
    awk -v RS= '
      {
        uri = suites = components = key = ""; enabled = "yes"
        count = split($0, lines, "\n")
        for (i = 1; i <= count; i++) {
          name = value = lines[i]; sub(/:.*/, "", name); sub(/^[^:]*:[ \t]*/, "", value)
          if (name == "URIs") { split(value, parts, /[ \t]+/); uri = parts[1] }
          if (name == "Suites") suites = " " value " "
          if (name == "Components") components = " " value " "
          if (name == "Enabled") enabled = value
          if (name == "Signed-By" && value ~ /^\//) key = "[signed-by=" value "] "
        }
        if (enabled != "no" && suites ~ / bookworm / && components ~ / main /) print key uri
      }' "$1"
  else
    sed -nE 's/^deb[[:space:]]+(\[[^]]*\][[:space:]]+)?([^[:space:]]+)[[:space:]]+bookworm[[:space:]](.*[[:space:]])?main([[:space:]].*)?$/\1\2/p' "$1"
  fi
}

# Debian's own files first: third parties may call their suite bookworm as well.
debian_source() {
  local file
  for file in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list /etc/apt/sources.list.d/*.{sources,list}; do
    [[ ! -r $file ]] || debian_sources_in "$file"
  done
}

build_pgvector() {
  # At least 0.8: Debian 12 packages an older one.
  ! grep -Eqs "default_version = '(0\.([89]|[1-9][0-9])|[1-9])" "$VECTOR_CONTROL" || return 0
  local source build_dir
  source=$(debian_source | sed -n 1p)
  [[ -n $source ]] || fail 'found no Debian bookworm source in /etc/apt/sources.list or sources.list.d'
  build_dir=$(mktemp -d /tmp/pgvector-build.XXXXXX)
  echo "native-postgres: building pgvector from ${SOURCE_SUITE}"
  # A list of its own, so that the suite never becomes part of the configuration of the machine.
  echo "deb-src $source $SOURCE_SUITE main" >"$build_dir/pgvector.list"
  mkdir -p "$build_dir/lists/partial"
  local apt=(-qq -o "Dir::Etc::SourceList=$build_dir/pgvector.list" -o Dir::Etc::SourceParts=/dev/null
    -o "Dir::State::Lists=$build_dir/lists" -o APT::Sandbox::User=root)
  apt-get "${apt[@]}" update
  (cd "$build_dir" && apt-get "${apt[@]}" source --only-source pgvector)
  # OPTFLAGS: no -march=native, so that the build runs on any machine of the same kind.
  make -C "$build_dir"/pgvector-*/ OPTFLAGS='' PG_CONFIG="$PG_BIN/pg_config" -j2 -s
  make -C "$build_dir"/pgvector-*/ OPTFLAGS='' PG_CONFIG="$PG_BIN/pg_config" -s install
  rm -rf "$build_dir"
}

is_running() {
  [[ -s $PORT_FILE ]] && as_owner "$PG_BIN/pg_ctl" -D "$DATA_DIR" status >/dev/null 2>&1
}

create_cluster() {
  [[ ! -e $DATA_DIR/PG_VERSION ]] || return 0
  mkdir -p "$ROOT_DIR" "$SOCKET_DIR"
  chown -R "$PG_OWNER": "$ROOT_DIR"
  chmod 711 "$ROOT_DIR"
  as_owner "$PG_BIN/initdb" -k -U "$PG_OWNER" -A trust -E UTF8 --locale=C.UTF-8 -D "$DATA_DIR" >/dev/null
}

try_start() {
  local port
  for port in $(seq "$FIRST_PORT" "$LAST_PORT"); do
    : >"$ROOT_DIR/server.log"
    chown "$PG_OWNER": "$ROOT_DIR/server.log"
    if as_owner "$PG_BIN/pg_ctl" -D "$DATA_DIR" -l "$ROOT_DIR/server.log" -w -o "-p $port -k $SOCKET_DIR \
      -c listen_addresses=127.0.0.1 -c shared_buffers=256MB -c fsync=on -c synchronous_commit=on" start >/dev/null; then
      echo "$port" >"$PORT_FILE"
      return 0
    fi
    grep -q 'Address already in use' "$ROOT_DIR/server.log" || return 1
    echo "native-postgres: port $port is in use"
  done
  echo "native-postgres: no free port between $FIRST_PORT and $LAST_PORT"
  return 1
}

start_cluster() {
  is_running && return 0
  create_cluster
  try_start && return 0
  # What a killed machine left (a lock file whose process number another process has now): test data, so made anew.
  tail -n 20 "$ROOT_DIR/server.log" || true
  echo 'native-postgres: starting again with a new cluster'
  rm -rf "$ROOT_DIR"
  create_cluster
  try_start || { tail -n 20 "$ROOT_DIR/server.log" || true; fail 'Postgres did not start'; }
}

stop_cluster() {
  if is_running; then as_owner "$PG_BIN/pg_ctl" -D "$DATA_DIR" -m fast -w stop >/dev/null; fi
  rm -rf "$ROOT_DIR"
}

case ${1:-start} in
  start)
    check_machine
    install_packages
    build_pgvector
    start_cluster
    echo "DATABASE_URL=postgres://$PG_OWNER@127.0.0.1:$(cat "$PORT_FILE")/postgres" >&3
    ;;
  stop)
    check_machine
    stop_cluster
    ;;
  *)
    fail 'usage: native-postgres.sh [start|stop]'
    ;;
esac
