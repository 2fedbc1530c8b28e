#include "engine/backend/cuda/nvidia_card.h"

#include <fstream>
#include <string>

namespace steelyard {

namespace {

std::string firstWord(const std::filesystem::path& file) {
    std::ifstream stream(file);
    std::string word;
    stream >> word;
    return word;
}

} // namespace

bool hasNvidiaCard(const std::filesystem::path& root) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    if (!fs::is_empty(root / "proc/driver/nvidia/gpus", ignored) && !ignored) return true;
    ignored.clear();
    // PCI devices: maker 0x10de, class 0x03.... (display).
    for (fs::directory_iterator entry(root / "sys/bus/pci/devices", ignored), end; !ignored && entry != end; entry.increment(ignored))
        if (firstWord(entry->path() / "vendor") == "0x10de" && firstWord(entry->path() / "class").rfind("0x03", 0) == 0)
            return true;
    return false;
}

} // namespace steelyard
