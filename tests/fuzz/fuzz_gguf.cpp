// A model file may be any bytes: the reader gives a file whose tensors lie inside it, or a sentence.

#include "engine/format/foreign_file.h"
#include "engine/format/gguf_file.h"

#include <cstdlib>

using namespace steelyard;

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

void checkFile(const GgufFile& file, uint64_t fileBytes, bool hasData) {
    for (const GgufTensor& tensor : file.tensors()) {
        require(file.findTensor(tensor.name) == &tensor);
        require(tensor.rows() > 0 && tensor.columns() > 0);
        if (hasData) require(tensor.offset <= fileBytes && tensor.bytes <= fileBytes - tensor.offset);
    }
    for (const GgufKey& key : file.keys()) {
        require(file.find(key.name) == &key);
        // Each look-up gives a value or a sentence, whatever the key really holds.
        (void)file.unsignedValue(key.name);
        (void)file.realValue(key.name);
        (void)file.boolValue(key.name);
        (void)file.stringValue(key.name);
        (void)file.stringArray(key.name);
        (void)file.integerArray(key.name);
        (void)file.realArray(key.name);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::span<const uint8_t> head(data, size);
    for (const bool hasData : {true, false}) {
        const Result<GgufFile> file = GgufFile::parse(head, size, hasData);
        if (file) checkFile(*file, size, hasData);
        else require(!file.sentence().empty());
    }
    require(!describeForeignFile(head, size).empty());
    return 0;
}
