// The ideal times of a loaded model, from what its devices reach.
#include "engine/loaded_model.h"

namespace steelyard {

void measureIdealTimes(LoadedModel& model, std::map<std::string, std::optional<DeviceLimits>>& known, const LogSink& log) {
    IdealTimes ideal;
    for (size_t number = 0; number < model.devices.size(); ++number) {
        const TokenWork& work = model.work[number];
        const std::string& id = model.devices[number]->info().id;
        auto place = known.find(id);
        if (place == known.end()) {
            // A device object of its own, so that nothing of it stays in the model's.
            const auto device = openDevice(id, {0, log});
            place = known.emplace(id, device ? measureLimits(**device) : std::nullopt).first;
        }
        if (work.bytesRead == 0) continue; // it has no part in a token
        if (!place->second) return;
        const DeviceLimits& limits = *place->second;
        ideal.stepMs += static_cast<double>(work.bytesRead) * 1000 / limits.readBytesPerSecond;
        ideal.promptTokenMs += static_cast<double>(work.products) * 1000 / limits.productsPerSecond;
        if (number == 0) ideal.cachedTokenMs = static_cast<double>(model.facts.kvBytesPerToken) * 1000 / limits.readBytesPerSecond;
    }
    model.ideal = ideal;
}

} // namespace steelyard
