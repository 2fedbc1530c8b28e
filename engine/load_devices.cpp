#include "engine/load_devices.h"

#include "engine/core/bytes_text.h"
#include "engine/memory/system_memory.h"

#include <algorithm>

namespace steelyard {

namespace {

constexpr double kTestBytes = 32.0 * (1u << 20); // that the self-test's product reads

bool isProcessor(const Device& device) { return device.info().kind == DeviceKind::Cpu; }

// The first hardware device by preference.
std::string preferredDevice() {
    for (const auto& row : listDevices())
        if (row.usable && !row.software && row.kind != DeviceKind::Emulated) return row.id;
    return "cpu";
}

std::vector<std::string> namesIn(const std::string& list) {
    std::vector<std::string> names;
    for (size_t at = 0; at <= list.size();) {
        const size_t comma = std::min(list.find(',', at), list.size());
        names.push_back(list.substr(at, comma - at));
        at = comma + 1;
    }
    return names;
}

// The device of a request that names one, if it can run this file; with "auto" the fastest one that can.
Result<std::unique_ptr<Device>> deviceFor(const std::string& name, const DeviceOptions& options, const ModelSpec& spec, const GgufFile& file,
                                          bool measures, std::vector<std::string>& notices) {
    if (name == "auto" && measures)
        return openFastest(options, [&](Device& device) { return weightSize(spec, file, device).sentence(); }, notices);
    auto device = openDevice(name == "auto" ? preferredDevice() : name, options);
    if (!device) return device;
    if (const auto size = weightSize(spec, file, **device); !size) return size.error();
    return device;
}

// Bytes per second that a device reads weights with; nothing of the emulator, whose speed says nothing.
std::optional<double> readSpeed(Device& device) {
    if (device.info().kind == DeviceKind::Emulated) return std::nullopt;
    const auto milliseconds = selfTestMilliseconds(device);
    if (!milliseconds || *milliseconds <= 0) return std::nullopt;
    return kTestBytes * 1000 / *milliseconds;
}

// Divides the model over the devices, the processor being the last.
Result<void> divide(LoadDevices& load, const LoadRequest& request, const ModelSpec& spec, const GgufFile& file) {
    std::vector<SplitDevice> parts;
    for (const auto& device : load.devices)
        parts.push_back({device.get(), freeBytesOf(*device, isProcessor(*device) ? 0 : request.memoryLimitBytes), readSpeed(*device)});
    auto split = planSplit(spec, file, parts, planOptionsOf(request), request.gpuLayers);
    if (!split) return split.error();
    load.placement = std::move(split->placement);
    load.plan = std::move(split->plan);
    return {};
}

// All on the processor.
Result<void> takeProcessor(LoadDevices& load, const LoadRequest& request, const ModelSpec& spec, const GgufFile& file) {
    if (!isProcessor(*load.devices.back())) {
        auto processor = openDevice("cpu", {request.threads, {}});
        if (!processor) return processor.error();
        load.devices.push_back(std::move(*processor));
    }
    load.devices.erase(load.devices.begin(), load.devices.end() - 1);
    load.placement = {};
    auto plan = planMemory(spec, file, *load.devices.front(), planOptionsOf(request), freeBytesOf(*load.devices.front()));
    if (!plan) return plan.error();
    load.plan = std::move(*plan);
    return {};
}

} // namespace

PlanOptions planOptionsOf(const LoadRequest& request) {
    PlanOptions options;
    options.contextLength = request.contextLength;
    options.defaultContext = kDefaultContext;
    options.cacheTypes = {request.kvTypeK, request.kvTypeV, request.kvRotation};
    options.maxRows = request.maxRows;
    options.sequences = std::min(request.parallel ? request.parallel : kDefaultParallel, kMaxParallel);
    return options;
}

bool usesSystemMemory(const Device& device) { return device.info().sharesSystemMemory || isProcessor(device); }

std::optional<uint64_t> freeBytesOf(const Device& device, uint64_t limitBytes) {
    const auto free = usesSystemMemory(device) ? systemMemory().availableBytes : device.memory().freeBytes;
    return limitBytes == 0 ? free : std::min(limitBytes, free.value_or(limitBytes));
}

std::string willNotFit(const MemoryPlan& plan) {
    if (!plan.devices.empty()) {
        std::string names;
        for (const auto& device : plan.devices) names += (names.empty() ? "" : " and ") + device.id;
        return "The model needs " + bytesText(plan.totalBytes) + ", more than " + names + " have free: " + bytesText(plan.missingBytes) +
               " short. Choose a smaller quantization or close other programs.";
    }
    std::string sentence = "The model needs " + bytesText(plan.totalBytes) + " and " + plan.deviceId + " has " +
                           bytesText(plan.freeBytes.value_or(0)) + " free: " + bytesText(plan.missingBytes) + " short. ";
    if (plan.contextLimit > 0) return sentence + "A context of " + std::to_string(plan.contextLimit) + " tokens would fit.";
    return sentence + "Choose a smaller quantization or close other programs.";
}

Result<LoadDevices> devicesFor(const LoadRequest& request, const ModelSpec& spec, const GgufFile& file, const LogSink& log, bool measures) {
    LoadDevices load;
    const DeviceOptions options{request.threads, log};
    for (const auto& name : namesIn(request.device)) {
        auto device = deviceFor(name, options, spec, file, measures, load.notices);
        if (!device) return device.error();
        load.devices.push_back(std::move(*device));
    }
    const auto layers = static_cast<uint32_t>(spec.layers.size());
    if (load.devices.size() == 1) {
        Device& device = *load.devices.front();
        auto plan = planMemory(spec, file, device, planOptionsOf(request), freeBytesOf(device, request.memoryLimitBytes));
        if (!plan) return plan.error();
        load.plan = std::move(*plan);
        const bool whole = request.gpuLayers ? *request.gpuLayers >= layers : load.plan.fit != MemoryPlan::Fit::WillNotFit;
        if (whole || isProcessor(device)) return load;
    }
    if (request.gpuLayers == 0u) {
        if (auto done = takeProcessor(load, request, spec, file); !done) return done.error();
        return load;
    }
    if (!isProcessor(*load.devices.back())) {
        auto processor = openDevice("cpu", options);
        if (!processor) return processor.error();
        load.devices.push_back(std::move(*processor));
    }
    if (auto done = divide(load, request, spec, file); !done) return done.error();
    const bool onProcessorOnly = std::all_of(load.plan.devices.begin(), load.plan.devices.end() - 1, [](const auto& device) { return device.layers == 0; });
    if (!onProcessorOnly) {
        load.notices.push_back(splitSentence(load.plan));
        return load;
    }
    load.notices.push_back(load.devices.front()->info().name + " is not used: it has no room for a layer of this model.");
    if (auto done = takeProcessor(load, request, spec, file); !done) return done.error();
    return load;
}

} // namespace steelyard
