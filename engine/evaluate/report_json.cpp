// A report to JSON and back (report_files.h). What is written and what is read is one list of fields for each structure.
#include "engine/evaluate/report_files.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

namespace steelyard {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;
constexpr const char* kFormat = "steelyard-comparison";
constexpr size_t kMostColumnsRead = 64;

constexpr std::array<const char*, 8> kTraitNames = {"model", "quantization", "kv_type", "context", "filler_tokens", "speculation", "device", "file"};
constexpr std::array<const char*, 2> kSources = {"answer", "benchmark"};
constexpr std::array<const char*, 9> kKinds = {"against",     "smallest_good",       "none_good",  "not_tellable", "more_than_expected",
                                               "as_expected", "reference_quantized", "short_text", "failed"};

// --- The fields.
template <class Archive>
void fields(Archive& archive, Quality& quality) {
    archive("tokens", quality.tokens);
    archive("perplexity", quality.perplexity);
    archive("perplexity_error", quality.perplexityError);
    archive("perplexity_ratio", quality.perplexityRatio);
    archive("perplexity_ratio_error", quality.perplexityRatioError);
    archive("mean_kl", quality.meanKl);
    archive("mean_kl_error", quality.klError);
    archive("kl_median", quality.medianKl);
    archive("kl_p99", quality.klP99);
    archive("kl_max", quality.maxKl);
    archive("same_top", quality.sameTop);
    archive("same_top_error", quality.sameTopError);
    archive("mean_change", quality.meanChange);
    archive("mean_change_error", quality.meanChangeError);
    archive("change_deviation", quality.changeDeviation);
    archive("is_reference", quality.isReference);
}

template <class Archive>
void fields(Archive& archive, ReportSpeed& speed) {
    archive.name("source", speed.source, kSources);
    archive("beside_others", speed.besideOthers);
    archive("prefill_tokens_per_second", speed.prefillTokensPerSecond);
    archive("decode_tokens_per_second", speed.decodeTokensPerSecond);
    archive("ttft_ms", speed.ttftMs);
    archive("itl_p50_ms", speed.itlP50Ms);
    archive("itl_p95_ms", speed.itlP95Ms);
    archive("load_ms", speed.loadMs);
    archive("accepted_share", speed.acceptedShare);
}

template <class Archive>
void fields(Archive& archive, ReportAnswer& answer) {
    archive("text", answer.text);
    archive("prompt_tokens", answer.promptTokens);
    archive("tokens", answer.tokens);
    archive("stop_reason", answer.stopReason);
}

template <class Archive>
void fields(Archive& archive, TraitValue& value) {
    archive.name("trait", value.trait, kTraitNames);
    archive("value", value.value);
}

template <class Archive>
void fields(Archive& archive, ReportColumn& column) {
    archive("name", column.name);
    archive("file", column.file);
    archive("differs", column.differs);
    archive("model", column.model);
    archive("architecture", column.architecture);
    archive("quantization", column.quantization);
    archive("kv_type", column.kvTypes);
    archive("speculation", column.speculation);
    archive("device", column.device);
    archive("parameters", column.parameters);
    archive("file_bytes", column.fileBytes);
    archive("bits_per_weight", column.bitsPerWeight);
    archive("context_length", column.contextLength);
    archive("filler_tokens", column.fillerTokens);
    archive("weights_bytes", column.weightsBytes);
    archive("kv_bytes", column.kvBytes);
    archive("compute_bytes", column.computeBytes);
    archive("kv_bytes_per_token", column.kvBytesPerToken);
    archive("speed", column.speed);
    archive("answer", column.answer);
    archive("quality", column.quality);
    archive("same_text_kl", column.sameTextKl);
    archive("same_text_perplexity", column.sameTextPerplexity);
    archive("same_text_top_share", column.sameTextTopShare);
    archive("problem", column.problem);
}

template <class Archive>
void fields(Archive& archive, ReportReference& reference) {
    archive("name", reference.name);
    archive("quantization", reference.quantization);
    archive("bits_per_weight", reference.bitsPerWeight);
    archive("column", reference.column);
    archive("quality", reference.quality);
}

template <class Archive>
void fields(Archive& archive, ReportText& text) {
    archive("name", text.name);
    archive("tokens", text.tokens);
    archive("context", text.context);
    archive("windows", text.windows);
    archive("reference_bytes", text.referenceBytes);
    archive("kept_mass", text.keptMass);
}

template <class Archive>
void fields(Archive& archive, ComparisonReport& report) {
    archive("title", report.title);
    archive("created", report.created);
    archive("prompt", report.prompt);
    archive("seed", report.seed);
    archive("temperature", report.temperature);
    archive("base_column", report.baseColumn);
    archive("good_kl", report.goodKl);
    archive("reference", report.reference);
    archive("text", report.text);
    archive("columns", report.columns);
}

// --- Writing.
class Writer {
public:
    template <class Value>
    void operator()(const char* key, Value& value) {
        if constexpr (std::is_arithmetic_v<Value> || std::is_same_v<Value, std::string>) json[key] = value;
        else json[key] = Writer::of(value);
    }
    template <class Value>
    void operator()(const char* key, std::optional<Value>& value) {
        if (value) (*this)(key, *value);
    }
    template <class Value>
    void operator()(const char* key, std::vector<Value>& values) {
        Json& list = json[key] = Json::array();
        for (auto& value : values) list.push_back(Writer::of(value));
    }
    template <class Value, size_t Count>
    void name(const char* key, Value& value, const std::array<const char*, Count>& names) {
        json[key] = names[static_cast<size_t>(value)];
    }

    template <class Value>
    static Json of(Value& value) {
        Writer writer;
        fields(writer, value);
        return std::move(writer.json);
    }

    Json json = Json::object();
};

// --- Reading. The first thing that is wrong is told; what is missing stays as it is.
class Reader {
public:
    Reader(const Json& json, std::string& problem) : m_json(json), m_problem(problem) {}

    template <class Value>
    void operator()(const char* key, Value& value) {
        const Json* found = find(key);
        if (!found) return;
        if constexpr (std::is_same_v<Value, bool>) read(key, value, *found, found->is_boolean());
        else if constexpr (std::is_floating_point_v<Value>) read(key, value, *found, found->is_number());
        else if constexpr (std::is_unsigned_v<Value>) readUnsigned(key, value, *found);
        else if constexpr (std::is_same_v<Value, std::string>) read(key, value, *found, found->is_string());
        else inside(key, value, *found);
    }
    template <class Value>
    void operator()(const char* key, std::optional<Value>& value) {
        if (find(key)) (*this)(key, value.emplace());
    }
    template <class Value>
    void operator()(const char* key, std::vector<Value>& values) {
        const Json* found = find(key);
        if (!found) return;
        if (!found->is_array() || found->size() > kMostColumnsRead) return fail(key);
        for (const auto& entry : *found) inside(key, values.emplace_back(), entry);
    }
    template <class Value, size_t Count>
    void name(const char* key, Value& value, const std::array<const char*, Count>& names) {
        const Json* found = find(key);
        for (size_t i = 0; found && i < Count; ++i) {
            if (*found != names[i]) continue;
            value = static_cast<Value>(i);
            return;
        }
        fail(key);
    }

private:
    const Json* find(const char* key) const {
        const auto found = m_json.find(key);
        return found == m_json.end() || found->is_null() ? nullptr : &*found;
    }
    void fail(const char* key) {
        if (m_problem.empty()) m_problem = key;
    }
    template <class Value>
    void read(const char* key, Value& value, const Json& found, bool fits) {
        if (fits) value = found.get<Value>();
        else fail(key);
    }
    template <class Value>
    void readUnsigned(const char* key, Value& value, const Json& found) {
        if (found.is_number_unsigned() && found.get<uint64_t>() <= std::numeric_limits<Value>::max()) value = static_cast<Value>(found.get<uint64_t>());
        else fail(key);
    }
    template <class Value>
    void inside(const char* key, Value& value, const Json& found) {
        if (!found.is_object()) return fail(key);
        Reader reader(found, m_problem);
        fields(reader, value);
    }

    const Json& m_json;
    std::string& m_problem;
};

void put(Json& json, const char* key, const std::optional<double>& value) {
    if (value) json[key] = *value;
}

Json ratiosJson(const ColumnRatios& ratios) {
    Json json = Json::object();
    put(json, "file_bytes", ratios.fileBytes);
    put(json, "memory_bytes", ratios.memoryBytes);
    put(json, "prefill_speed", ratios.prefillSpeed);
    put(json, "decode_speed", ratios.decodeSpeed);
    put(json, "perplexity_loss_percent", ratios.perplexityLossPercent);
    put(json, "perplexity_loss_error_percent", ratios.perplexityLossErrorPercent);
    put(json, "same_top_loss_percent", ratios.sameTopLossPercent);
    return json;
}

Json verdictJson(const ComparisonReport& report) {
    Json list = Json::array();
    for (const auto& part : verdictOf(report)) {
        Json json = {{"kind", kKinds[static_cast<size_t>(part.kind)]}, {"sentence", sentenceOf(part)}};
        if (!part.name.empty()) json["name"] = part.name;
        if (!part.otherName.empty()) json["other"] = part.otherName;
        put(json, "kl", part.kl);
        put(json, "memory_ratio", part.memoryRatio);
        put(json, "speed_ratio", part.speedRatio);
        put(json, "loss_percent", part.lossPercent);
        put(json, "limit", part.limit);
        list.push_back(std::move(json));
    }
    return list;
}

} // namespace

std::string jsonOf(const ComparisonReport& report) {
    ComparisonReport own = report; // the one list of fields takes what can be changed
    Json json = {{"format", kFormat}, {"version", kVersion}};
    json.update(Writer::of(own));
    for (size_t i = 0; i < report.columns.size(); ++i) {
        json["columns"][i]["ratios"] = ratiosJson(ratiosOf(report, i));
        if (const auto expected = expectedLossOf(report.columns[i]))
            json["columns"][i]["published_loss_percent"] = Json::array({expected->leastPercent, expected->mostPercent});
    }
    if (report.reference) json["reference"]["is_quantized"] = report.reference->isQuantized();
    json["verdict"] = verdictJson(report);
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<ComparisonReport> reportFromJson(const std::string& text) {
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded() || !json.is_object() || json.value("format", Json()) != kFormat) return Error{"This is no comparison report."};
    const auto version = json.find("version");
    if (version == json.end() || !version->is_number_integer() || *version > kVersion)
        return Error{"The report was written by a newer version of the program."};
    ComparisonReport report;
    std::string problem;
    Reader reader(json, problem);
    fields(reader, report);
    if (!problem.empty()) return Error{"The comparison report is damaged: \"" + problem + "\" does not hold what belongs there."};
    const bool outside = (!report.columns.empty() && report.baseColumn >= report.columns.size()) ||
                         (report.reference && report.reference->column && *report.reference->column >= report.columns.size());
    if (outside) return Error{"The comparison report is damaged: it names a column that is not there."};
    return report;
}

} // namespace steelyard
