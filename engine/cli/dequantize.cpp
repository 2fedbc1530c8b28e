#include "engine/backend/backends.h"
#include "engine/cli/command.h"
#include "engine/cli/files.h"

#include <algorithm>

namespace steelyard::cli {

namespace {

// Rows looked up at once; long files go through the device in parts.
constexpr uint64_t kValuesAtOnce = uint64_t(1) << 24;

struct Options {
    std::string type, in, out;
};

// Decodes whole blocks on a device: they are the rows of a table, each looked up once.
Result<void> decode(Device& device, TensorType type, std::string_view blocks, std::string& floats) {
    const auto& row = info(type);
    const auto count = static_cast<uint32_t>(blocks.size() / row.blockBytes);
    const uint64_t bytes = uint64_t(count) * row.blockValues * sizeof(float);
    std::vector<int32_t> ids(count);
    for (uint32_t i = 0; i < count; ++i)
        ids[i] = static_cast<int32_t>(i);
    auto table = device.allocate(blocks.size());
    if (!table) return table.error();
    auto indexes = device.allocate(ids.size() * sizeof(int32_t));
    if (!indexes) return indexes.error();
    auto values = device.allocate(bytes);
    if (!values) return values.error();
    device.write(*table, 0, {reinterpret_cast<const uint8_t*>(blocks.data()), blocks.size()});
    device.write(*indexes, 0, {reinterpret_cast<const uint8_t*>(ids.data()), ids.size() * sizeof(int32_t)});
    device.run(ops::GetRows{table->address(), indexes->address(), values->address(), count, row.blockValues, count,
                            static_cast<uint32_t>(type), 1.0f, 0});
    const size_t before = floats.size();
    floats.resize(before + bytes);
    return device.read(*values, 0, {reinterpret_cast<uint8_t*>(floats.data()) + before, bytes});
}

Result<Output> dequantize(const Options& options, const CommonOptions& common) {
    const auto type = tensorTypeFromName(options.type);
    if (!type) throw UsageError{"There is no tensor type '" + options.type + "'."};
    const auto blocks = readFile(options.in);
    if (!blocks) return blocks.error();
    const auto& row = info(*type);
    if (blocks->empty() || blocks->size() % row.blockBytes != 0)
        return Error{"'" + options.in + "' has " + std::to_string(blocks->size()) +
                     " bytes, no whole number of blocks of " + std::to_string(row.blockBytes) + " bytes."};
    auto device = openDevice(common.device, {common.threads, {}});
    if (!device) return device.error();
    if (const std::string reason = (*device)->unsupported(ops::opId<ops::GetRows>, *type); !reason.empty())
        return Error{reason};
    std::string floats;
    const size_t step = std::max<uint64_t>(kValuesAtOnce / row.blockValues, 1) * row.blockBytes;
    for (size_t at = 0; at < blocks->size(); at += step)
        if (auto done = decode(**device, *type, std::string_view(*blocks).substr(at, step), floats); !done)
            return done.error();
    if (auto written = writeFile(options.out, floats); !written) return written.error();
    Output output;
    output.json["values"] = floats.size() / sizeof(float);
    output.text = std::to_string(floats.size() / sizeof(float)) + " values are in " + options.out + "\n";
    return output;
}

} // namespace

Work declareDequantize(CLI::App& app, const CommonOptions& common) {
    auto options = std::make_shared<Options>();
    app.add_option("TYPE", options->type, "A tensor type: q4_0, q4_k, ...")->required();
    app.add_option("--in", options->in, "File of raw blocks")->required();
    app.add_option("--out", options->out, "File for the values: float32")->required();
    return [options, &common] { return dequantize(*options, common); };
}

} // namespace steelyard::cli
