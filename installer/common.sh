# Shared by installer/run.sh, installer/models.sh and tests/run.sh: messages, folders and the system packages.
# Sourced, never run. It knows nothing of CMake or of the programs.

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cacheFolder="${XDG_CACHE_HOME:-$HOME/.cache}/steelyard"
# The program's own folder, as gui/store finds it.
modelFolder="${STEELYARD_DATA_DIR:-${XDG_DATA_HOME:-$HOME/.local/share}/steelyard}/models"

say() { printf '%s\n' "$*" >&2; }
stop() { say "$*"; exit 1; }

# missingPackages GROUP...: the packages of these groups that are not installed, one a line.
missingPackages() {
    local wanted
    wanted="$(awk -v groups=" $* " '!/^#/ && NF == 2 && index(groups, " " $1 " ") { print $2 }' "$root/installer/packages.txt")"
    # dpkg-query fails when it does not know a package at all: that one is missing too.
    { dpkg-query -W -f '${Package} ${db:Status-Status}\n' $wanted 2>/dev/null || true; } |
        awk '$2 == "installed" { print $1 }' | sort -u | comm -13 - <(printf '%s\n' "$wanted" | sort -u)
}

# installPackages GROUP...: installs what is missing, and does nothing when nothing is.
installPackages() {
    command -v dpkg-query >/dev/null ||
        stop "This system has no apt packages. Install the counterparts of the packages named in installer/packages.txt, then build with: cmake --preset run && cmake --build --preset run"
    local missing; missing="$(missingPackages "$@")"
    [ -n "$missing" ] || return 0
    local asRoot=()
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null ||
            stop "These packages are missing and there is no sudo to install them: "$missing". Install them as root, then start again."
        asRoot=(sudo)
    fi
    say "Installing system packages: "$missing
    local apt=("${asRoot[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -q)
    "${apt[@]}" update >&2 || say "The package lists could not be refreshed; going on with the ones that are here."
    "${apt[@]}" install -y --no-install-recommends $missing >&2 ||
        stop "The system packages could not be installed. See the messages above, then start again."
}
