#!/usr/bin/env bash
# From a fresh Debian or Ubuntu to the running program: installs what is missing, builds, fetches the small starter model, starts.
#   installer/run.sh               opens the window
#   installer/run.sh --no-window   opens the chat in this terminal; a question on standard input is answered, then it ends:
#                                  echo 'What is the capital of France?' | installer/run.sh --no-window
#   installer/run.sh --with-cuda   builds the part for NVIDIA cards too; later runs keep it
# A second run finds everything in place and starts at once.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

build="$root/build/run"
window=yes
withCuda=no
for argument in "$@"; do
    case "$argument" in
    --no-window) window=no ;;
    --with-cuda) withCuda=yes ;;
    *) stop "Usage: installer/run.sh [--no-window] [--with-cuda]" ;;
    esac
done

# quietly LOG COMMAND...: a step whose output is of interest only when it fails.
quietly() {
    local log="$1"; shift
    "$@" >"$log" 2>&1 && return 0
    tail -40 "$log" >&2
    stop "The program could not be built. The whole output is in $log."
}

hasCuda() { grep -qs '^STEELYARD_CUDA:BOOL=ON' "$build/CMakeCache.txt"; }

# The system itself names the cards: vendor 0x10de is NVIDIA, class 0x03 a display.
seesNvidiaCard() {
    local device
    for device in /sys/bus/pci/devices/*; do
        [ "$(cat "$device/vendor" 2>/dev/null)" = 0x10de ] && [[ "$(cat "$device/class" 2>/dev/null)" == 0x03* ]] && return 0
    done
    [ -e /proc/driver/nvidia/version ]
}

buildProgram() {
    local options=()
    mkdir -p "$build"
    if [ "$withCuda" = yes ] && ! hasCuda; then
        local nvcc; nvcc="$("$root/installer/cuda.sh")" ||
            stop "NVIDIA's compiler could not be had, so the part for NVIDIA cards was not built. Without --with-cuda the program works all the same."
        options=(-DSTEELYARD_CUDA=ON -DSTEELYARD_NVCC="$nvcc")
    fi
    if [ ! -e "$build/build.ninja" ] || [ ${#options[@]} != 0 ]; then
        say "Preparing the build"
        (cd "$root" && quietly "$build/configure.log" cmake --preset run "${options[@]}")
    fi
    # Nothing changed: that is found in a moment. A wait is announced.
    (sleep 2 && say "Building Steelyard with $(nproc) processors (the first time takes some minutes)") >/dev/null &
    local announcement=$!
    quietly "$build/build.log" cmake --build "$build" -j"$(nproc)"
    kill "$announcement" 2>/dev/null || true
}

# A person who keeps other models here and removed the starter does not get it back.
placeStarter() {
    compgen -G "$modelFolder/*.gguf" >/dev/null && return 0
    "$root/installer/models.sh" starter "$cacheFolder/models" || {
        say "The program starts without a model; its library page can fetch one."
        return 0
    }
    local starter="SmolLM2-135M-Instruct.Q4_1.gguf"
    mkdir -p "$modelFolder"
    # One copy on the disk where the file system allows it, and whole under its name in either case.
    ln "$cacheFolder/models/$starter" "$modelFolder/$starter" 2>/dev/null || {
        cp "$cacheFolder/models/$starter" "$modelFolder/.$starter.part"
        mv "$modelFolder/.$starter.part" "$modelFolder/$starter"
    }
}

# The starter where it still is, else the smallest model of the folder.
terminalModel() {
    local starter="$modelFolder/SmolLM2-135M-Instruct.Q4_1.gguf"
    if [ -e "$starter" ]; then echo "$starter"; else ls -Sr "$modelFolder"/*.gguf 2>/dev/null | head -1; fi
}

openTerminal() {
    local model; model="$(terminalModel)"
    [ -n "$model" ] || stop "There is no model yet. Put a GGUF file into $modelFolder, then start again."
    exec "$build/engine/cli/steelyard-cli" chat "$model"
}

installPackages build run
buildProgram
placeStarter
if seesNvidiaCard && ! hasCuda; then
    say "An NVIDIA card is here. For the CUDA part, run: installer/run.sh --with-cuda"
fi
if [ "$window" = yes ] && [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    say "There is no display, so the chat opens in this terminal."
    window=no
fi
[ "$window" = yes ] || openTerminal
exec "$build/gui/steelyard"
