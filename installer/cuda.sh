#!/usr/bin/env bash
# Prints the path of NVIDIA's compiler: the system's own, else that of the public Python packages of the CUDA toolkit, pinned,
# in the program's cache. It needs no graphics card.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

toolkit="$cacheFolder/cuda-13.0.88"
packages=(nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-cuda-runtime==13.0.96 nvidia-cuda-cccl==13.0.85)

systemCompiler() {
    local candidate
    for candidate in "${CUDACXX:-}" "$(command -v nvcc || true)" /usr/local/cuda/bin/nvcc; do
        # CMake wants the compiler itself, beside its own headers, not a wrapper of that name.
        [ -n "$candidate" ] && [ -x "$candidate" ] && candidate="$(readlink -f "$candidate")" &&
            [ -e "$(dirname "$candidate")/nvcc.profile" ] && echo "$candidate" && return 0
    done
    return 1
}

fetchToolkit() {
    local folder="$toolkit/nvidia/cu13"
    if [ ! -e "$toolkit/complete" ]; then
        say "Fetching NVIDIA's compiler from its public Python packages"
        rm -rf "$toolkit"
        python3 -m pip install --quiet --no-deps --only-binary :all: --no-warn-script-location --target "$toolkit" "${packages[@]}" >&2 ||
            stop "NVIDIA's compiler could not be fetched. Check the network, or install the CUDA toolkit of your system, then start again."
        chmod +x "$folder"/bin/* "$folder"/nvvm/bin/* 2>/dev/null || true
        # The linker looks for the static runtime in lib64.
        [ -e "$folder/lib64" ] || ln -s lib "$folder/lib64"
        touch "$toolkit/complete"
    fi
    echo "$folder/bin/nvcc"
}

systemCompiler || fetchToolkit
