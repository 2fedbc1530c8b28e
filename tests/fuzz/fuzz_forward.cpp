// A whole model file of strangers: loading it and writing a few tokens gives text or a sentence, whatever its head
// says. The mutator changes a few bytes of the head in place, so that most inputs stay models.

#include "engine/engine.h"
#include "engine/format/gguf_file.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <unistd.h>

using namespace steelyard;

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t maxSize);

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

std::filesystem::path scratchPath() {
    static const auto path =
        std::filesystem::temp_directory_path() / ("steelyard_fuzz_forward_" + std::to_string(::getpid()) + ".gguf");
    return path;
}

// True when the load succeeded.
bool load(Engine& engine) {
    LoadRequest request;
    request.model = 1;
    request.path = scratchPath();
    request.device = "cpu";
    request.contextLength = 64;
    request.threads = 1;
    require(engine.load(request));
    for (;;)
        for (const auto& event : engine.waitForEvents(1000)) {
            if (std::holds_alternative<LoadFinished>(event)) return true;
            if (const auto* failed = std::get_if<LoadFailed>(&event)) {
                require(!failed->sentence.empty());
                return false;
            }
        }
}

void generate(Engine& engine, RequestId id) {
    GenerateRequest request;
    request.id = id;
    request.model = 1;
    request.prompt.kind = Prompt::Kind::Text;
    request.prompt.text = "ab cd";
    request.sampling.temperature = 0;
    request.maxTokens = 3;
    require(engine.submit(request));
    for (;;)
        for (const auto& event : engine.waitForEvents(1000))
            if (std::holds_alternative<GenerationFinished>(event)) return;
}

void unload(Engine& engine) {
    require(engine.unload(1));
    for (;;)
        for (const auto& event : engine.waitForEvents(1000))
            if (std::holds_alternative<Unloaded>(event)) return;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static Engine engine{EngineOptions{}};
    static RequestId id = 0;
    std::ofstream(scratchPath(), std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    (void)Engine::inspect(scratchPath());
    if (load(engine)) {
        generate(engine, ++id);
        unload(engine);
    }
    std::error_code ignored;
    std::filesystem::remove(scratchPath(), ignored);
    return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t maxSize, unsigned int seed) {
    constexpr size_t kWindow = 16;
    std::minstd_rand random(seed);
    const auto file = GgufFile::parse({data, size}, size, false);
    const size_t head = file ? std::min<size_t>(file->dataOffset(), size) : size;
    if (head < kWindow || random() % 16 == 0) return LLVMFuzzerMutate(data, size, maxSize);
    const unsigned changes = 1 + static_cast<unsigned>(random() % 3);
    for (unsigned change = 0; change < changes; ++change)
        LLVMFuzzerMutate(data + random() % (head - kWindow + 1), 1 + random() % kWindow, kWindow);
    return size;
}
