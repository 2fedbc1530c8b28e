// What a model file is made into, settled before anything is written: the type of each tensor, the keys, the exact size, and
// what a person should know of it. Knows nothing of values, threads or disks.
#pragma once

#include "engine/format/gguf_file.h"
#include "engine/format/gguf_writer.h"
#include "engine/quant/importance.h"
#include "engine/quant/quantize.h"
#include "engine/quant/recipe_rules.h"

#include <vector>

namespace steelyard {

class QuantizePlan {
public:
    // `importance` null: all columns count alike. The file, recipe and importance must outlive the plan.
    static Result<QuantizePlan> make(const GgufFile& file, const Recipe& recipe, const Importance* importance);

    const GgufFile& file() const { return *m_file; }
    const Importance* importance() const { return m_importance; }
    TensorType type(size_t tensor) const { return m_types[tensor]; }
    const std::string& head() const { return m_head; }           // all that stands before the tensors' data
    uint64_t offset(size_t tensor) const { return m_offsets[tensor]; } // in the new file
    const QuantizeResult& result() const { return m_result; }    // as it will be

private:
    QuantizePlan(const GgufFile& file, const Recipe& recipe, const Importance* importance);
    Result<void> settle();
    Result<void> checkTensor(const GgufTensor& tensor, TensorType type) const;
    void addKeys(GgufWriter& writer) const;
    void addNotices();
    std::string unseenNotice() const;

    const GgufFile* m_file;
    const Recipe* m_recipe;
    const Importance* m_importance;
    std::vector<TensorType> m_types; // of each tensor in the new file
    std::vector<uint64_t> m_offsets;
    std::string m_head;
    QuantizeResult m_result;
};

} // namespace steelyard
