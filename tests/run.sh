#!/usr/bin/env bash
# Builds Steelyard with its tests and runs all of them; needs nothing but this tree, apt and a network for the first run.
#   tests/run.sh                  every test, under Xvfb and the software Vulkan device
#   tests/run.sh --sanitize       the tests without a window, built with the address and undefined-behaviour sanitizers
#   tests/run.sh --fuzz SECONDS   the fuzzers, so many seconds in all
#   tests/run.sh --nvcc           the CUDA kernels through NVIDIA's compiler, for compute capabilities 8.0 and 9.0
# The last line is always "N passed, N failed, N skipped"; a failure makes the exit status 1.
# Logs and screenshots stay in the build folder: build/<mode>/results.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../installer/common.sh"
source "$root/tests/count.sh"
cd "$root"

jobs="$(nproc)"
export STEELYARD_MODEL_CACHE="${STEELYARD_MODEL_CACHE:-$cacheFolder/models}"

# configureAndBuild PRESET [cmake options]: everything that a preset builds; a build that fails is one failed test.
configureAndBuild() {
    local preset="$1"; shift
    build="$root/build/$preset"
    results="$build/results"
    rm -rf "$results"
    mkdir -p "$results"
    say "Building $preset into $build"
    cmake --preset "$preset" "$@" >"$results/configure.log" 2>&1 ||
        { tail -40 "$results/configure.log" >&2; finish "The configuration failed."; }
    cmake --build --preset "$preset" -j"$jobs" >"$results/build.log" 2>&1 ||
        { grep -A12 -E 'FAILED|error:' "$results/build.log" | head -80 >&2; finish "The build failed."; }
}

# finish [SENTENCE]: prints the sum and ends; a sentence is one more failure.
finish() {
    [ $# = 0 ] || { say "$*"; failed=$((failed + 1)); }
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" = 0 ] && [ "$passed" -gt 0 ]
    exit
}

# isolate: the tests see no chats, models, drivers or screens of this computer.
isolate() {
    export XDG_DATA_HOME="$results/home/data" XDG_CONFIG_HOME="$results/home/config" XDG_CACHE_HOME="$results/home/cache"
    mkdir -p "$XDG_DATA_HOME" "$XDG_CONFIG_HOME" "$XDG_CACHE_HOME"
    local driver; driver="$(ls /usr/share/vulkan/icd.d/lvp_icd*.json 2>/dev/null | head -1)"
    [ -n "$driver" ] || finish "The software Vulkan driver lavapipe is missing (package mesa-vulkan-drivers)."
    export VK_DRIVER_FILES="$driver" VK_ICD_FILENAMES="$driver"
    export QT_QPA_PLATFORM=xcb QT_QUICK_BACKEND=software LC_ALL=C.UTF-8
    export STEELYARD_TEST_ARTEFACTS="$results"
    unset WAYLAND_DISPLAY DISPLAY
}

runTests() {
    isolate
    xvfb-run -a -s "-screen 0 1920x1200x24" ctest --test-dir "$build" -j"$jobs" --output-on-failure \
        --output-log "$results/ctest.log" >&2 || true
    countTests "$build"
}

runAll() {
    installPackages build run test
    fetchTestModels
    configureAndBuild release
    runTests
    checkDevices
    finish
}

fetchTestModels() {
    "$root/installer/models.sh" tests "$STEELYARD_MODEL_CACHE" ||
        say "The test models are not here, so the tests that need them are skipped."
}

# checkDevices: a skip must not hide that a device is gone.
checkDevices() {
    local client="$build/engine/cli/steelyard-cli" kind
    for kind in vulkan emulated; do
        if "$client" devices --json 2>/dev/null | python3 -c '
import json, sys
kind = sys.argv[1]
devices = json.load(sys.stdin)["devices"]
sys.exit(not any(d["kind"] == kind and d["usable"] for d in devices))' "$kind"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            say "FAIL!  : devices lacks $kind"
        fi
    done
}

runSanitized() {
    installPackages build run test
    configureAndBuild asan
    # The two real models take minutes under a sanitizer and add no code that the small random models do not run.
    export STEELYARD_MODEL_CACHE="$results/no-models"
    # One path of each kind: the others differ in instructions, not in what they touch. Vulkan's shaders are nobody's memory
    # here; its host side has tests of its own.
    export STEELYARD_TEST_DEVICES="cpu avx2,cpu generic,emulated"
    # What a sanitizer finds ends the program and so fails its test: wrong addresses, undefined arithmetic, and memory that
    # nobody can reach any more, but for what libraries of the system keep.
    export ASAN_OPTIONS="detect_leaks=1:detect_stack_use_after_return=1:abort_on_error=0"
    export LSAN_OPTIONS="suppressions=$root/tests/leaks_of_others.txt:print_suppressions=0"
    export UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1"
    runTests
    finish
}

runFuzzers() {
    local seconds="$1" fuzzer name
    installPackages build check
    configureAndBuild fuzz
    local fuzzers=()
    for fuzzer in "$build"/tests/fuzz/fuzz_*; do
        [ ! -x "$fuzzer" ] || [ ! -f "$fuzzer" ] || fuzzers+=("$fuzzer")
    done
    [ "${#fuzzers[@]}" -gt 0 ] || finish "No fuzzer was built."
    seconds=$(((seconds + ${#fuzzers[@]} - 1) / ${#fuzzers[@]}))
    for fuzzer in "${fuzzers[@]}"; do
        name="$(basename "$fuzzer")"
        mkdir -p "$results/$name"
        say "$name for $seconds seconds"
        # What a file asks for beyond 256 MB, or an input that takes 10 seconds, is a defect like a crash.
        if "$fuzzer" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=256 -max_len=65536 \
            -print_final_stats=1 -artifact_prefix="$results/$name/" "$results/$name" $(seedsOf "$name") >"$results/$name.log" 2>&1; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            tail -30 "$results/$name.log" >&2
            say "FAIL!  : $name; its input is in $results/$name"
        fi
    done
    finish
}

# seedsOf FUZZER: the folder of its first inputs, where there is one.
seedsOf() { [ ! -d "$root/tests/fuzz/seeds/$1" ] || echo "$root/tests/fuzz/seeds/$1"; }

runNvcc() {
    installPackages build run
    local nvcc; nvcc="$("$root/installer/cuda.sh")" || finish "NVIDIA's compiler could not be had."
    configureAndBuild nvcc -DSTEELYARD_NVCC="$nvcc"
    local object
    for object in "$build"/kernels/nvcc_check/*.o; do
        [ -s "$object" ] || continue
        passed=$((passed + 1))
        say "PASS   : compiled $(basename "$object" .o)"
    done
    [ "$passed" -gt 0 ] || finish "No CUDA kernel was compiled."
    finish
}

case "${1:-}" in
"") runAll ;;
--sanitize) runSanitized ;;
--fuzz) [[ "${2:-}" =~ ^[0-9]+$ ]] || stop "--fuzz takes a number of seconds."; runFuzzers "$2" ;;
--nvcc) runNvcc ;;
*) stop "Usage: tests/run.sh [--sanitize | --fuzz SECONDS | --nvcc]" ;;
esac
