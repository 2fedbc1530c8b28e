#include "engine/evaluate/measurement_setup.h"

#include "engine/core/bytes_text.h"
#include "engine/core/little_endian.h"
#include "engine/evaluate/measurement_folder.h"
#include "engine/evaluate/model_identity.h"
#include "engine/evaluate/statistics.h"
#include "engine/evaluate/window_file.h"
#include "engine/model/architectures.h"

#include <algorithm>

namespace steelyard {

namespace {

constexpr uint64_t kVersion = 1; // of what the files' windows hold
constexpr uint32_t kFewestEntries = 16;

struct Head {
    GgufFile file;
    CacheKey identity;
    uint32_t vocabulary = 0;
};

Result<Head> headOf(const ComparisonColumn& column, uint32_t context) {
    auto file = GgufFile::open(column.load.path);
    if (!file) return file.error();
    const auto spec = readSpec(*file);
    if (!spec) return spec.error();
    if (spec->trainedContext > 0 && context > spec->trainedContext)
        return Error{"Windows of " + std::to_string(context) + " tokens are longer than the " + std::to_string(spec->trainedContext) +
                     " tokens that the model was trained for. Choose a shorter context."};
    const auto identity = identityOf(*file, column.load);
    if (!identity) return identity.error();
    return Head{std::move(*file), *identity, spec->vocabulary};
}

std::vector<uint8_t> numbers(std::initializer_list<uint64_t> values) {
    std::vector<uint8_t> bytes;
    for (const uint64_t value : values) appendLittle(bytes, value);
    return bytes;
}

CacheKey referenceKeyOf(const CacheKey& identity, const MeasurementSetup& setup) {
    std::vector<uint8_t> ids;
    for (const auto& window : setup.windows.ids)
        for (const int32_t id : window) appendLittle(ids, static_cast<uint32_t>(id));
    const auto settings = numbers({kVersion, setup.windows.ids.front().size(), setup.vocabulary, setup.compact.mostEntries,
                                   static_cast<uint64_t>(setup.compact.restMass * 1e9)});
    return hashOf({settings, identity.bytes, ids});
}

uint64_t mostBytesOf(const MeasurementSetup& setup, uint32_t entries) {
    return WindowFile::kHeadBytes + setup.windows.ids.size() * WindowFile::kWindowHeadBytes + setup.scoredTokens() * CompactDistribution::mostBytes(entries, setup.vocabulary);
}

// As many entries as the limit has room for.
Result<uint32_t> entriesWithin(uint64_t mostBytes, const MeasurementSetup& setup) {
    const uint64_t least = mostBytesOf(setup, kFewestEntries);
    if (mostBytes < least)
        return Error{"The distributions of " + std::to_string(setup.scoredTokens()) + " tokens take at least " + bytesText(least) + ", and the limit is " +
                     bytesText(mostBytes) + ". Raise the limit or choose a shorter text."};
    uint32_t fits = kFewestEntries, above = CompactOptions().mostEntries + 1;
    while (above - fits > 1) {
        const uint32_t middle = fits + (above - fits) / 2;
        (mostBytesOf(setup, middle) <= mostBytes ? fits : above) = middle;
    }
    return fits;
}

std::string problemOf(const Result<Head>& head, const Head& reference) {
    if (!head) return head.sentence();
    if (auto difference = vocabularyDifference(head->file, reference.file); !difference.empty()) return difference;
    if (head->vocabulary == reference.vocabulary) return {};
    return differentSizes(head->vocabulary, reference.vocabulary).sentence;
}

} // namespace

Result<MeasurementSetup> setUpMeasurement(const std::vector<ComparisonColumn>& columns, const MeasureRequest& request) {
    MeasurementSetup setup;
    if (request.reference >= columns.size() && !request.otherReference) return Error{"There is no such column to measure against."};
    setup.reference = request.otherReference ? *request.otherReference : columns[request.reference];
    auto windows = readWindows(request.text, request.context, setup.reference.load.path, std::nullopt);
    if (!windows) return windows.error();
    setup.windows = std::move(*windows);
    const auto reference = headOf(setup.reference, request.context);
    if (!reference) return Error{"The reference cannot be used. " + reference.sentence()};
    setup.vocabulary = reference->vocabulary;
    const auto entries = entriesWithin(request.mostBytes, setup);
    if (!entries) return entries.error();
    setup.compact.mostEntries = *entries;
    setup.referenceKey = referenceKeyOf(reference->identity, setup);
    for (size_t i = 0; i < columns.size(); ++i) {
        setup.wanted.push_back(request.columns.empty() || std::find(request.columns.begin(), request.columns.end(), i) != request.columns.end());
        const auto head = headOf(columns[i], request.context);
        setup.problems.push_back(problemOf(head, *reference));
        if (!head) {
            setup.columnKeys.emplace_back();
            continue;
        }
        setup.columnKeys.push_back(hashOf({setup.referenceKey.bytes, head->identity.bytes}));
        const bool isReference = request.otherReference ? !setup.referenceColumn && head->identity == reference->identity : i == request.reference;
        if (isReference) setup.referenceColumn = i;
    }
    return setup;
}

Result<MeasurePlan> planMeasurement(const std::vector<ComparisonColumn>& columns, const MeasureRequest& request) {
    const auto setup = setUpMeasurement(columns, request);
    if (!setup) return setup.error();
    MeasurePlan plan;
    plan.windows = setup->windows.ids.size();
    plan.textTokens = uint64_t(plan.windows) * setup->windows.ids.front().size();
    plan.scoredTokens = setup->scoredTokens();
    plan.mostEntries = setup->compact.mostEntries;
    plan.mostBytes = mostBytesOf(*setup, plan.mostEntries);
    plan.problems = setup->problems;
    plan.columnWindowsDone.resize(columns.size());
    if (request.folder.empty()) return plan;
    plan.referenceWindowsDone = WindowFile::windowsIn(distributionsPath(request.folder, setup->referenceKey), setup->referenceKey, plan.windows);
    for (size_t i = 0; i < columns.size(); ++i)
        if (setup->isMeasured(i)) plan.columnWindowsDone[i] = WindowFile::windowsIn(resultsPath(request.folder, setup->columnKeys[i]), setup->columnKeys[i], plan.windows);
    return plan;
}

} // namespace steelyard
