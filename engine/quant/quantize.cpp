#include "engine/quant/quantize.h"

#include "engine/core/bytes_text.h"
#include "engine/core/job_pool.h"
#include "engine/format/readable.h"
#include "engine/quant/partial_file.h"
#include "engine/quant/quantize_plan.h"
#include "engine/quant/recipes.h"
#include "engine/quant/tensor_conversion.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <thread>

namespace steelyard {

namespace {

// Values of one piece: whole blocks of every format, and few enough to stay in a processor's cache.
constexpr uint64_t kPieceValues = 1u << 16;
constexpr uint32_t kReadAhead = 64; // pieces
// What is done is made certain from time to time, so that a run that is ended has not much to do again.
constexpr uint64_t kRememberBytes = 1ull << 30;
constexpr auto kRememberTime = std::chrono::seconds(30);
constexpr const char* kEncoderVersion = "encoders 1"; // another one where bytes of a format change

struct Piece {
    uint32_t tensor;
    uint64_t first, count; // values
    uint64_t offset;       // in the new file
};

// Writes a plan's tensors piece by piece; pieces are taken in order by as many threads as there are, each of which reads,
// turns and writes its own.
class Run {
public:
    Run(const QuantizePlan& plan, PartialFile& output, const std::function<void(float)>& progress, const std::atomic<bool>& cancelled)
        : m_plan(plan), m_output(output), m_progress(progress), m_cancelled(cancelled), m_caller(std::this_thread::get_id()) {
        for (uint32_t i = 0; i < plan.file().tensors().size(); ++i) addPieces(i);
        m_done.resize(m_pieces.size());
        while (m_settled < m_pieces.size() && m_pieces[m_settled].offset < output.doneBytes()) m_done[m_settled++] = true;
        m_next = m_settled;
        m_finished = m_settled;
    }

    Result<void> run(uint32_t threads) {
        if (threads == 0) threads = std::max(std::thread::hardware_concurrency(), 1u);
        JobPool pool(std::max(threads - 1, 1u)); // the caller is the other one
        pool.forEach(threads, [this](uint64_t) { work(); });
        if (!m_problem.empty()) return Error{m_problem};
        if (m_cancelled && m_finished < m_pieces.size()) return Error{"The conversion was cancelled, and no file was made."};
        if (!m_plan.file().stillWhole()) return Error{"The model file changed while it was being read; convert it again."};
        return {};
    }

    // Everything before this place is written.
    uint64_t settledBytes() const { return m_settled < m_pieces.size() ? m_pieces[m_settled].offset : m_plan.result().outputBytes; }

private:
    void addPieces(uint32_t index) {
        const GgufTensor& tensor = m_plan.file().tensors()[index];
        const uint64_t values = tensor.columns() * tensor.rows();
        for (uint64_t first = 0; first < values; first += kPieceValues)
            m_pieces.push_back({index, first, std::min(kPieceValues, values - first),
                                m_plan.offset(index) + tensorBytes(m_plan.type(index), first).value_or(0)});
    }

    void work() {
        TensorConversion conversion(m_plan);
        for (size_t i = m_next++; i < m_pieces.size() && !m_stopped && !m_cancelled; i = m_next++) {
            const Piece& piece = m_pieces[i];
            if (i + kReadAhead < m_pieces.size()) readAhead(m_pieces[i + kReadAhead]);
            auto done = conversion.convert(piece.tensor, piece.first, piece.count);
            if (done) done = m_output.write(piece.offset, conversion.bytes());
            if (!settle(i, done)) return;
            if (m_progress && std::this_thread::get_id() == m_caller)
                m_progress(static_cast<float>(static_cast<double>(m_finished) / static_cast<double>(m_pieces.size())));
        }
    }

    void readAhead(const Piece& piece) const {
        const GgufTensor& tensor = m_plan.file().tensors()[piece.tensor];
        m_plan.file().parts()[tensor.part]->willNeed(tensor.offset + tensorBytes(tensor.type, piece.first).value_or(0),
                                                     tensorBytes(tensor.type, piece.count).value_or(0));
    }

    // Notes that a piece is done, or why all ends; false where it does.
    bool settle(size_t i, const Result<void>& done) {
        std::lock_guard lock(m_mutex);
        if (!done) {
            if (m_problem.empty()) m_problem = done.sentence();
            m_stopped = true;
            return false;
        }
        m_done[i] = true;
        ++m_finished;
        while (m_settled < m_pieces.size() && m_done[m_settled]) ++m_settled;
        const auto now = std::chrono::steady_clock::now();
        if (settledBytes() < m_output.doneBytes() + kRememberBytes && now < m_remembered + kRememberTime) return true;
        m_remembered = now;
        if (auto kept = m_output.remember(settledBytes()); !kept) { // as full a disk as any other
            m_problem = kept.sentence();
            m_stopped = true;
        }
        return !m_stopped;
    }

    const QuantizePlan& m_plan;
    PartialFile& m_output;
    const std::function<void(float)>& m_progress;
    const std::atomic<bool>& m_cancelled;
    const std::thread::id m_caller;
    std::vector<Piece> m_pieces;
    std::atomic<size_t> m_next{0}, m_finished{0};
    std::atomic<bool> m_stopped{false};
    std::mutex m_mutex; // of what follows
    std::vector<bool> m_done;
    size_t m_settled = 0; // the first piece that is not done
    std::string m_problem;
    std::chrono::steady_clock::time_point m_remembered = std::chrono::steady_clock::now();
};

// The output must be another file than those that are read, by whatever name, and there must be room for it.
Result<void> checkPlace(const GgufFile& file, const QuantizeRequest& request, uint64_t bytes) {
    std::error_code problem;
    for (const auto& part : file.parts())
        for (const auto& place : {request.output, PartialFile::partialOf(request.output)})
            if (std::filesystem::equivalent(part->path(), place, problem))
                return Error{"The new file must not take the place of the one that it is made from; choose another name for it."};
    if (!request.importance.empty() && std::filesystem::equivalent(request.importance, request.output, problem))
        return Error{"The new file must not take the place of the importance matrix; choose another name for it."};
    const auto folder = std::filesystem::absolute(request.output, problem).parent_path();
    if (!std::filesystem::is_directory(folder, problem))
        return Error{"The folder " + pathText(folder) + " does not exist, so the new file cannot be written there."};
    const auto space = std::filesystem::space(folder, problem);
    if (problem || bytes <= space.available) return {};
    return Error{"The new file needs " + bytesText(bytes) + ", and the disk has " + bytesText(space.available) +
                 " free: " + bytesText(bytes - space.available) + " short. Make room or choose another folder."};
}

// A line that says which file this is and as of when.
std::string lineOf(const char* role, const std::filesystem::path& path) {
    std::error_code problem;
    const auto place = std::filesystem::canonical(path, problem);
    const auto bytes = std::filesystem::file_size(path, problem);
    const auto changed = std::filesystem::last_write_time(path, problem).time_since_epoch().count();
    return std::string("\n") + role + " " + pathText(place) + " " + std::to_string(bytes) + " " + std::to_string(changed);
}

std::string identityOf(const GgufFile& file, const Recipe& recipe, const QuantizeRequest& request) {
    std::string identity = std::string(kEncoderVersion) + "\ntype " + std::string(recipe.name);
    for (const auto& part : file.parts()) identity += lineOf("from", part->path());
    if (!request.importance.empty()) identity += lineOf("importance", request.importance);
    return identity;
}

} // namespace

Result<std::vector<QuantizedSize>> quantizedSizes(const std::filesystem::path& input) {
    const auto file = GgufFile::open(input, false);
    if (!file) return file.error();
    std::vector<QuantizedSize> sizes;
    std::string problem;
    for (const auto& recipe : recipes()) {
        if (!canBeMade(recipe)) continue;
        const auto plan = QuantizePlan::make(*file, recipe, nullptr);
        if (plan) sizes.push_back({std::string(recipe.name), plan->result().outputBytes, plan->result().bitsPerWeight, recipe.needsImportance});
        else if (problem.empty()) problem = plan.sentence();
    }
    if (sizes.empty()) return Error{problem};
    return sizes;
}

Result<QuantizeResult> quantizeFile(const QuantizeRequest& request, const std::function<void(float)>& progress,
                                    const std::atomic<bool>& cancelled) {
    const auto recipe = recipeOf(request.type);
    if (!recipe) return recipe.error();
    const auto file = GgufFile::open(request.input);
    if (!file) return file.error();
    std::optional<Importance> importance;
    if (!request.importance.empty()) {
        auto read = Importance::open(request.importance);
        if (!read) return read.error();
        if (auto fits = read->checkFits(*file); !fits) return fits.error();
        importance = std::move(*read);
    }
    const auto plan = QuantizePlan::make(*file, **recipe, importance ? &*importance : nullptr);
    if (!plan) return plan.error();
    QuantizeResult result = plan->result();
    std::error_code ignored;
    const bool begun = std::filesystem::exists(PartialFile::partialOf(request.output), ignored); // by an earlier run: less may do
    if (auto done = checkPlace(*file, request, begun ? 0 : result.outputBytes); !done) return done.error();
    auto output = PartialFile::open(request.output, identityOf(*file, **recipe, request), plan->head(), result.outputBytes);
    if (!output) return output.error();
    const bool goesOn = output->doneBytes() > plan->head().size();
    result.resumedBytes = goesOn ? output->doneBytes() : 0;
    if (auto done = checkPlace(*file, request, result.outputBytes - output->doneBytes()); !done) return done.error();
    Run run(*plan, *output, progress, cancelled);
    auto done = run.run(request.threads);
    if (!done && request.keepPartial && run.settledBytes() > plan->head().size() && output->remember(run.settledBytes())) output->keep();
    if (done) done = output->finish();
    if (!done) return done.error();
    return result;
}

} // namespace steelyard
