// The rows of a step by sequence (kernels/ops/sequence_runs.h).
#ifndef STEELYARD_RUNS
#define STEELYARD_RUNS

struct Run {
    uint firstRow, rows, state;
    bool continues;
};

Run loadRun(uint64_t runs, uint sequence) {
    ReadInts run = ReadInts(runs + rowOffset(sequence, 4u));
    return Run(uint(run.v[0]), uint(max(run.v[1], 0)), uint(run.v[2]), run.v[3] != 0);
}

#endif
