#include "engine/evaluate/measure_importance.h"

#include "engine/backend/backends.h"
#include "engine/backend/observing_device.h"
#include "engine/format/readable.h"
#include "engine/load_devices.h"
#include "engine/model/architectures.h"
#include "engine/model/transformer.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace steelyard {

namespace {

// The sums of all weights, found by their addresses.
class Sums {
public:
    // Learns where a model's weights are. A tensor that is taken apart has one input, which its first part tells.
    void learn(const ModelSpec& spec, ModelWeights& weights) {
        for (const auto& slot : weightSlots(spec, weights))
            if (slot.use == WeightUse::Matrix && slot.matrix->address != 0 && slot.selection.first == 0 &&
                slot.place.part != WeightPlace::Part::Output)
                m_names.emplace(slot.matrix->address, slot.name);
    }

    void add(const SeenProduct& seen) {
        const auto name = m_names.find(seen.weight);
        if (name == m_names.end()) return;
        ColumnSquares& squares = m_squares[name->second];
        if (squares.sums.empty()) {
            squares.sums.resize(size_t(seen.matrices) * seen.columns);
            squares.counts.resize(seen.matrices);
        }
        for (uint32_t row = 0; row < seen.rows; ++row)
            for (uint32_t slot = 0; slot < seen.slots; ++slot) {
                const uint32_t matrix = seen.ids ? static_cast<uint32_t>(seen.ids[row * seen.slots + slot]) : slot;
                if (matrix >= seen.matrices) continue; // an id that means none
                const float* x = seen.x + (size_t(row) * seen.inputSlots + (seen.inputSlots == 1 ? 0 : slot)) * seen.columns;
                float* sums = squares.sums.data() + size_t(matrix) * seen.columns;
                for (uint32_t column = 0; column < seen.columns; ++column) sums[column] += x[column] * x[column];
                ++squares.counts[matrix];
            }
    }

    // What was summed, unless it is no numbers.
    Result<ColumnSums> take() {
        if (m_squares.empty()) return Error{"The model has no weights of the kind whose columns could be weighed."};
        for (const auto& [name, squares] : m_squares)
            if (!std::all_of(squares.sums.begin(), squares.sums.end(), [](float sum) { return std::isfinite(sum); }))
                return Error{"The model makes values that are no numbers before " + quotedText(name) +
                             ": the file is damaged, or its numbers are too large."};
        return std::move(m_squares);
    }

private:
    std::unordered_map<uint64_t, std::string> m_names;
    ColumnSums m_squares;
};

// Matrices of experts to which no token came.
size_t unseenIn(const ColumnSums& tensors) {
    size_t count = 0;
    for (const auto& each : tensors) count += static_cast<size_t>(std::count(each.second.counts.begin(), each.second.counts.end(), 0u));
    return count;
}

// The model with its device, in the order of construction.
struct ObservedModel {
    Sums sums;
    std::unique_ptr<ObservingDevice> device;
    std::unique_ptr<Transformer> transformer;
};

Result<void> load(ObservedModel& model, const std::filesystem::path& path, uint32_t context, uint32_t threads, const std::atomic<bool>& cancelled) {
    const auto file = GgufFile::open(path);
    if (!file) return file.error();
    auto spec = readSpec(*file);
    if (!spec) return spec.error();
    auto processor = openDevice("cpu", {threads, {}});
    if (!processor) return processor.error();
    model.device = std::make_unique<ObservingDevice>(std::move(*processor), [&model](const SeenProduct& seen) { model.sums.add(seen); });
    PlanOptions options;
    options.contextLength = context;
    options.cacheTypes = {TensorType::F32, TensorType::F32};
    const auto plan = planMemory(*spec, *file, *model.device, options, freeBytesOf(*model.device));
    if (!plan) return plan.error();
    if (plan->fit == MemoryPlan::Fit::WillNotFit) return Error{willNotFit(*plan)};
    auto layout = layOutLoad(*spec, options);
    if (!layout) return layout.error();
    auto weights = loadWeights(*spec, *file, *model.device, {}, cancelled);
    if (!weights) return weights.error();
    model.sums.learn(*spec, **weights);
    auto transformer = Transformer::create(*model.device, std::move(*spec), std::move(*weights), std::move(layout->cache), layout->shape);
    if (!transformer) return transformer.error();
    model.transformer = std::move(*transformer);
    return {};
}

Result<void> read(Transformer& transformer, const std::vector<int32_t>& ids, const std::atomic<bool>& cancelled) {
    const auto length = static_cast<uint32_t>(ids.size());
    CachedSequence sequence;
    Result<void> done;
    for (uint32_t from = 0; from < length && done; from = sequence.length) {
        const uint32_t to = std::min(from + transformer.shape().maxRows, length);
        if (transformer.cache().extend(sequence, to)) return Error{"The cache has no room for a window of " + std::to_string(length) + " tokens."};
        Step step;
        step.tables = {&sequence};
        step.longFactors = transformer.spec().takesLongFactors(length);
        step.stops = [&cancelled] { return cancelled.load(); };
        for (uint32_t row = from; row < to; ++row) {
            step.ids.push_back(ids[row]);
            step.positions.push_back(static_cast<int32_t>(row));
            step.sequences.push_back(0);
        }
        done = transformer.run(step);
        if (done) done = transformer.cache().synchronize();
        if (done && cancelled) done = Error{"The work was cancelled, and no file was made."};
        transformer.cache().commit(sequence, to);
    }
    transformer.cache().release(sequence);
    return done;
}

// The file must not take the model's place, by whatever name.
Result<void> checkPlace(const ImportanceRequest& request) {
    std::error_code problem;
    if (std::filesystem::equivalent(request.model, request.output, problem))
        return Error{"The new file must not take the place of the model; choose another name for it."};
    const auto folder = std::filesystem::absolute(request.output, problem).parent_path();
    if (std::filesystem::is_directory(folder, problem)) return {};
    return Error{"The folder " + pathText(folder) + " does not exist, so the new file cannot be written there."};
}

} // namespace

Result<ImportanceResult> measureImportance(const ImportanceRequest& request, const std::function<void(size_t, size_t)>& progress,
                                           const std::atomic<bool>& cancelled) {
    if (auto done = checkPlace(request); !done) return done.error();
    const auto windows = readWindows(request.text, request.context, request.model, std::nullopt);
    if (!windows) return windows.error();
    auto tensors = sumColumns(request.model, *windows, request.threads, progress, cancelled);
    if (!tensors) return tensors.error();
    ImportanceResult result;
    result.tensors = tensors->size();
    result.tokens = windows->ids.size() * windows->ids.front().size();
    if (const size_t unseen = unseenIn(*tensors); unseen > 0)
        result.notices.push_back("No token came to " + std::to_string(unseen) +
                                 " of the experts' matrices, so nothing is known of them: a longer or more varied text reaches more.");
    const ImportanceSource source{request.textName, static_cast<uint32_t>(windows->ids.size()), request.context};
    if (auto done = writeImportance(request.output, *tensors, source); !done) return done.error();
    return result;
}

Result<ColumnSums> sumColumns(const std::filesystem::path& path, const TextWindows& windows, uint32_t threads,
                              const std::function<void(size_t, size_t)>& progress, const std::atomic<bool>& cancelled) {
    ObservedModel model;
    const auto context = static_cast<uint32_t>(windows.ids.front().size());
    if (auto done = load(model, path, context, threads, cancelled); !done) return done.error();
    for (size_t i = 0; i < windows.ids.size(); ++i) {
        if (auto done = read(*model.transformer, windows.ids[i], cancelled); !done) return done.error();
        if (progress) progress(i + 1, windows.ids.size());
    }
    return model.sums.take();
}

} // namespace steelyard
