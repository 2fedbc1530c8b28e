// Runs ops on the processor: shares each op's parts among the workers and calls the vector code, or the scalar
// definitions where there is none. One op after the other; products that read the same rows run as one job.
// Knows nothing of buffers.
#pragma once

#include "engine/backend/cpu/kernel_table.h"
#include "engine/backend/cpu/rotary_turns.h"
#include "engine/backend/cpu/scratch.h"
#include "engine/backend/cpu/worker_pool.h"

#include <span>
#include <vector>

namespace steelyard::cpu {

// An op with its arguments, as launch() gets it.
struct Launch {
    uint32_t op;
    alignas(8) unsigned char bytes[128];
};

class OpRunner {
public:
    // `table` null: scalar definitions only.
    OpRunner(uint32_t workers, const KernelTable* table);

    void run(std::span<const Launch> launches);
    const KernelTable* table() const { return m_table; }
    uint32_t workers() const { return m_pool.workers(); }

private:
    template <class Each>
    void share(uint64_t units, uint64_t unitCost, Each&& each) {
        m_pool.share(units, unitCost, each);
    }

    template <class Op>
    void define(const Op& op); // by the scalar definition
    template <class Op>
    void execute(const Op& op); // the definition again, its items shared among the workers
    template <class Op, class Function>
    void shareValues(Op op, bool contiguous, uint64_t cost, Function function);
    void execute(const ops::Add& op);
    void execute(const ops::Attention& op);
    void execute(const ops::CacheWrite& op);
    void execute(const ops::ExpertMatMul& op);
    void execute(const ops::GatedActivation& op);
    void execute(const ops::GetRows& op);
    void execute(const ops::MatMul& op);
    void execute(const ops::QuantizeRows& op);
    void execute(const ops::RmsNorm& op);
    void execute(const ops::Rotary& op);
    void execute(const ops::SoftCap& op);

    void multiply(std::span<const ops::MatMul> products);
    void multiplyPanels(const ops::MatMul& op, const int32_t* starts, uint32_t first, uint32_t last, uint32_t worker);
    std::vector<AttentionPart> attentionParts(const ops::Attention& op) const;
    void attendSplit(const ops::Attention& op, std::vector<AttentionPart>& parts);

    const KernelTable* m_table;
    std::vector<Scratch> m_workerScratch;
    Scratch m_shared, m_gathered;
    RotaryTurns m_turns;
    std::vector<ops::MatMul> m_products;
    WorkerPool m_pool; // last: its threads use the rest
};

} // namespace steelyard::cpu
