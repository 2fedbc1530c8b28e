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
    grep -h -A6 -E '^(FAIL!|XPASS) ' "$build"/results/*.txt 2>/dev/null | grep -vE '^(PASS|SKIP) ' >&2 || true
    nameSkipped "$build"
}

# nameSkipped BUILD: each test function that skipped, how often, and why the first time.
nameSkipped() {
    cat "$1"/results/*.txt 2>/dev/null | awk '/^SKIP / {
        text = substr($0, 10); name = text; sub(/\(.*/, "", name); reason = text; sub(/^[^)]*\) */, "", reason)
        if (!(name in count)) { order[++names] = name; first[name] = reason }
        ++count[name]
    }
    END { for (i = 1; i <= names; ++i) printf "SKIP   : %s (%d) %s\n", order[i], count[order[i]], first[order[i]] }' >&2
}

# testStates BUILD: a line "name passed|failed" for each test of the last run.
testStates() {
    local log="$1/results/ctest.log"
    sed -nE 's/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: ([^ ]+) \.+ *(.*)$/\1 \2/p' "$log" |
        awk '{ print $1, ($2 == "Passed" ? "passed" : "failed") }'
}
