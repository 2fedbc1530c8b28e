# Counts the test functions of a ctest run; sourced by tests/run.sh. A program that ended without its totals (a crash, a
# time limit, never built) is one failure; a ctest entry that is no Qt Test program counts as one function.

passed=0 failed=0 skipped=0

# countTests BUILD: adds to passed, failed and skipped, and names what failed and what was skipped.
countTests() {
    local build="$1" name status totals numbers
    while read -r name status; do
        totals="$(grep -h '^Totals: ' "$build/results/$name.txt" 2>/dev/null | tail -1 || true)"
        if [ -n "$totals" ]; then
            read -r -a numbers <<<"$(sed -E 's/[^0-9]+/ /g' <<<"$totals")"
            passed=$((passed + numbers[0]))
            failed=$((failed + numbers[1]))
            skipped=$((skipped + numbers[2]))
            # All functions passed and the program failed nevertheless: it crashed at its end.
            if [ "$status" = failed ] && [ "${numbers[1]}" = 0 ]; then
                failed=$((failed + 1))
                say "FAIL!  : $name ended badly after its last test"
            fi
        elif [ "$status" = passed ] && [ ! -e "$build/results/$name.txt" ]; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            say "FAIL!  : $name did not finish"
        fi
    done < <(testStates "$build")
    grep -h -A2 -E '^(SKIP|FAIL!|XPASS) ' "$build"/results/*.txt 2>/dev/null | grep -v '^--$' >&2 || true
}

# testStates BUILD: a line "name passed|failed" for each test of the last run.
testStates() {
    local log="$1/results/ctest.log"
    sed -nE 's/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: ([^ ]+) \.+ *(.*)$/\1 \2/p' "$log" |
        awk '{ print $1, ($2 == "Passed" ? "passed" : "failed") }'
}
