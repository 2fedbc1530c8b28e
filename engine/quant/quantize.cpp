#include "engine/quant/quantize.h"

#include "engine/core/bytes_text.h"
#include "engine/core/checked_math.h"
#include "engine/core/job_pool.h"
#include "engine/format/gguf_writer.h"
#include "engine/format/output_file.h"
#include "engine/format/readable.h"
#include "engine/quant/encoders.h"
#include "engine/quant/file_type.h"
#include "engine/quant/importance.h"
#include "engine/quant/recipes.h"
#include "kernels/quant/formats.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace steelyard {

namespace {

// Values of one job and of one step between two looks at `cancelled`: whole blocks of every format.
constexpr uint64_t kJobValues = 1u << 16, kStepValues = 1u << 22;
constexpr uint32_t kAlignment = 32, kQuantizationVersion = 2; // of new files; the version of the formats that ggml has

bool isOfOldFile(const std::string& key) {
    return key.compare(0, 6, "split.") == 0 || key == "general.alignment" || key == "general.file_type" ||
           key == "general.quantization_version" || key == "general.quantized_by" || key.compare(0, 17, "quantize.imatrix.") == 0;
}

bool isExact(TensorType type) { return info(type).blockValues == 1; }

// One conversion: what is settled before writing, then the writing.
class Conversion {
public:
    Conversion(const GgufFile& file, const Recipe& recipe, uint32_t threads, const Importance* importance = nullptr)
        : m_file(file), m_recipe(recipe), m_importance(importance), m_pool(threads), m_types(typesIn(recipe, file, importance != nullptr)) {}

    Result<void> settle(QuantizeResult& result) {
        for (const auto& key : m_file.keys())
            if (!isOfOldFile(key.name)) m_writer.add(key);
        m_writer.add("general.quantized_by", "Steelyard");
        m_writer.add("general.quantization_version", kQuantizationVersion);
        m_writer.add("general.file_type", fileTypeNumber(m_recipe.name).value());
        if (m_importance) addImportanceKeys();
        uint64_t values = 0, bytes = 0;
        for (size_t i = 0; i < m_types.size(); ++i) {
            const GgufTensor& tensor = m_file.tensors()[i];
            const TensorType type = m_types[i];
            if (auto done = checkTensor(tensor, type); !done) return done;
            if (auto done = m_writer.declareTensor(tensor.name, type, tensor.shape); !done) return done;
            const uint64_t count = tensor.columns() * tensor.rows();
            values += count;
            bytes += tensorBytes(type, count).value_or(0);
            m_inputBytes += tensor.bytes;
            ++result.tensorsByType[std::string(info(type).name)];
        }
        const auto outputBytes = m_writer.fileBytes();
        if (values == 0 || !outputBytes) return Error{"The file has no weights, so there is nothing to convert."};
        result.inputBytes = m_file.fileBytes();
        result.outputBytes = *outputBytes;
        result.bitsPerWeight = static_cast<double>(bytes) * 8 / static_cast<double>(values);
        noteLosses(result);
        if (m_importance) noteUnseen(result);
        return {};
    }

    Result<void> write(const std::filesystem::path& path, const std::function<void(float)>& progress, const std::atomic<bool>& cancelled) {
        auto output = OutputFile::create(path);
        if (!output) return output.error();
        const std::string head = m_writer.head();
        if (auto done = output->write({reinterpret_cast<const uint8_t*>(head.data()), head.size()}); !done) return done;
        uint64_t doneBytes = 0;
        for (size_t i = 0; i < m_types.size(); ++i) {
            const GgufTensor& tensor = m_file.tensors()[i];
            const uint64_t count = tensor.columns() * tensor.rows();
            for (uint64_t first = 0; first < count; first += kStepValues) {
                if (cancelled) return Error{"The conversion was cancelled, and no file was made."};
                const uint64_t step = std::min(kStepValues, count - first);
                if (auto done = convert(tensor, m_types[i], first, step); !done) return done;
                if (first + step == count) m_bytes.resize(paddedBytes(m_types[i], count, first));
                if (auto done = output->write(m_bytes); !done) return done;
                doneBytes += tensorBytes(tensor.type, step).value_or(0);
                if (progress) progress(static_cast<float>(static_cast<double>(doneBytes) / static_cast<double>(m_inputBytes)));
            }
        }
        if (!m_file.stillWhole()) return Error{"The model file changed while it was being read; convert it again."};
        return output->finish();
    }

private:
    Result<void> checkTensor(const GgufTensor& tensor, TensorType type) const {
        if (type == tensor.type || kernels::isSupportedType(static_cast<uint32_t>(tensor.type))) return {};
        return Error{"The tensor " + quotedText(tensor.name) + " is of type " + std::string(info(tensor.type).name) +
                     ", which cannot be turned into another type."};
    }

    // Names the format that most of what is turned has.
    void noteLosses(QuantizeResult& result) const {
        std::map<std::string_view, uint64_t> values;
        for (size_t i = 0; i < m_types.size(); ++i) {
            const GgufTensor& tensor = m_file.tensors()[i];
            if (tensor.type != m_types[i] && !isExact(tensor.type)) values[info(tensor.type).name] += tensor.columns() * tensor.rows();
        }
        if (values.empty()) return;
        const auto most = std::max_element(values.begin(), values.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
        result.notices.push_back("This model is already quantized (" + std::string(most->first) +
                                 "), and what that lost does not come back: convert an F16, BF16 or F32 file of it where there is one.");
    }

    // As the field's own tool says where the importance came from, without its path.
    void addImportanceKeys() {
        const auto& texts = m_importance->texts();
        m_writer.add("quantize.imatrix.dataset", texts.empty() ? std::string() : pathText(std::filesystem::path(texts.front()).filename()));
        m_writer.add("quantize.imatrix.entries_count", static_cast<uint32_t>(m_importance->tensors()));
        m_writer.add("quantize.imatrix.chunks_count", static_cast<uint32_t>(m_importance->chunks()));
    }

    // Names what is searched for without importance; the embedding is always.
    void noteUnseen(QuantizeResult& result) const {
        std::string first;
        size_t unseen = 0;
        for (size_t i = 0; i < m_types.size(); ++i) {
            const GgufTensor& tensor = m_file.tensors()[i];
            if (tensor.type == m_types[i] || isExact(m_types[i]) || m_importance->has(tensor.name) || tensor.name == "token_embd.weight") continue;
            if (unseen++ == 0) first = quotedText(tensor.name);
        }
        if (unseen == 0) return;
        result.notices.push_back("The importance matrix says nothing of " + first +
                                 (unseen > 1 ? " and " + std::to_string(unseen - 1) + " other " + (unseen > 2 ? "tensors" : "tensor") : std::string()) +
                                 ": all their columns count alike.");
    }

    // Bytes of a tensor's last step, with the gap up to the next tensor.
    static uint64_t paddedBytes(TensorType type, uint64_t count, uint64_t first) {
        const uint64_t before = tensorBytes(type, first).value_or(0);
        return alignUp(tensorBytes(type, count).value_or(0), kAlignment) - before;
    }

    // Values [first, first + count) of a tensor into m_bytes.
    Result<void> convert(const GgufTensor& tensor, TensorType type, uint64_t first, uint64_t count) {
        const uint64_t jobs = (count + kJobValues - 1) / kJobValues;
        m_bytes.resize(tensorBytes(type, count).value_or(0));
        std::vector<std::string> problems(jobs);
        m_pool.forEach(jobs, [&](uint64_t job) {
            const uint64_t from = job * kJobValues, values = std::min(kJobValues, count - from);
            problems[job] = convertPart(tensor, type, first + from, values, m_bytes.data() + tensorBytes(type, from).value_or(0)).sentence();
        });
        for (auto& problem : problems)
            if (!problem.empty()) return Error{std::move(problem)};
        return {};
    }

    Result<void> convertPart(const GgufTensor& tensor, TensorType type, uint64_t first, uint64_t count, uint8_t* bytes) const {
        const MappedFile& part = *m_file.parts()[tensor.part];
        const uint64_t offset = tensor.offset + tensorBytes(tensor.type, first).value_or(0);
        const uint64_t sourceBytes = tensorBytes(tensor.type, count).value_or(0);
        if (type == tensor.type) return part.read(offset, {bytes, sourceBytes});
        std::vector<uint8_t> source(sourceBytes);
        if (auto done = part.read(offset, source); !done) return done;
        std::vector<float> values(count);
        kernels::decodeRow(static_cast<uint32_t>(tensor.type), source.data(), static_cast<uint32_t>(count), values.data());
        const Encoder& encoder = *encoderOf(type);
        const bool fits = std::all_of(values.begin(), values.end(), [&](float value) { return std::fabs(value) <= encoder.largest; });
        if (!fits) return doesNotFit(tensor, type, values);
        encodeRows(encoder, tensor, first, values, bytes);
        return {};
    }

    // Values of which the first is the tensor's value `first`, row by row.
    void encodeRows(const Encoder& encoder, const GgufTensor& tensor, uint64_t first, const std::vector<float>& values, uint8_t* bytes) const {
        const uint64_t columns = tensor.columns();
        for (uint64_t from = 0; from < values.size();) {
            const uint64_t column = (first + from) % columns, count = std::min<uint64_t>(columns - column, values.size() - from);
            const float* importance = m_importance ? m_importance->columnsOf(tensor, (first + from) / columns) : nullptr;
            encoder.encode(&values[from], importance ? importance + column : nullptr, count, bytes + tensorBytes(encoder.type, from).value_or(0));
            from += count;
        }
    }

    static Error doesNotFit(const GgufTensor& tensor, TensorType type, const std::vector<float>& values) {
        const bool finite = std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
        if (finite)
            return {"The tensor " + quotedText(tensor.name) + " holds values that are too large for " + std::string(info(type).name) +
                    "; choose BF16 or F32."};
        return {"The tensor " + quotedText(tensor.name) + " holds values that are no numbers (infinite or undefined): the file is damaged."};
    }

    const GgufFile& m_file;
    const Recipe& m_recipe;
    const Importance* m_importance; // null = all columns count alike
    JobPool m_pool;
    GgufWriter m_writer{kAlignment};
    std::vector<TensorType> m_types; // of each tensor in the new file
    uint64_t m_inputBytes = 0;       // of all tensors
    std::vector<uint8_t> m_bytes;    // of the step that is being written
};

// The output must be another file than the input, by whatever name, and there must be room for it.
Result<void> checkPlace(const GgufFile& file, const std::filesystem::path& output, uint64_t bytes) {
    std::error_code problem;
    for (const auto& part : file.parts())
        if (std::filesystem::equivalent(part->path(), output, problem))
            return Error{"The new file must not take the place of the one that it is made from; choose another name for it."};
    const auto folder = std::filesystem::absolute(output, problem).parent_path();
    if (!std::filesystem::is_directory(folder, problem))
        return Error{"The folder " + pathText(folder) + " does not exist, so the new file cannot be written there."};
    const auto space = std::filesystem::space(folder, problem);
    if (problem || bytes <= space.available) return {};
    return Error{"The new file needs " + bytesText(bytes) + ", and the disk has " + bytesText(space.available) +
                 " free: " + bytesText(bytes - space.available) + " short. Make room or choose another folder."};
}

} // namespace

Result<std::vector<QuantizedSize>> quantizedSizes(const std::filesystem::path& input) {
    const auto file = GgufFile::open(input, false);
    if (!file) return file.error();
    std::vector<QuantizedSize> sizes;
    for (const auto& recipe : recipes()) {
        QuantizeResult result;
        if (!canBeMade(recipe) || !Conversion(*file, recipe, 1).settle(result)) continue;
        sizes.push_back({std::string(recipe.name), result.outputBytes, result.bitsPerWeight, recipe.needsImportance});
    }
    if (sizes.empty()) return Error{"Nothing can be made of this file: it has no weights of a type that can be read."};
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
    QuantizeResult result;
    Conversion conversion(*file, **recipe, request.threads, importance ? &*importance : nullptr);
    if (auto done = conversion.settle(result); !done) return done.error();
    if (auto done = checkPlace(*file, request.output, result.outputBytes); !done) return done.error();
    if (auto done = conversion.write(request.output, progress, cancelled); !done) return done.error();
    return result;
}

} // namespace steelyard
