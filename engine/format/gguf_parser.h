// The one reader of GGUF heads: keys first, then tensor records, then the layout of the data, each checked before it is
// believed. It stops at the first wrong thing with a sentence that names the field and its value. Memory taken is
// bounded by the bytes that are really there. Used by GgufFile alone.
#pragma once

#include "engine/format/byte_reader.h"
#include "engine/format/gguf_file.h"

#include <string>

namespace steelyard {

class GgufParser {
public:
    static Result<GgufFile> parse(std::span<const uint8_t> head, uint64_t fileBytes, bool requireData);

private:
    GgufParser(std::span<const uint8_t> head, uint64_t fileBytes, bool requireData)
        : m_head(head), m_reader(head), m_requireData(requireData) {
        m_file.m_fileBytes = fileBytes;
    }

    // Each returns false after having set the sentence.
    bool readHeader();
    bool readKeys();
    bool readKey(uint64_t number);
    bool readKeyName(uint64_t number, std::string& name);
    bool readScalar(GgufKey& key);
    bool readArray(GgufKey& key);
    bool readStringArray(GgufKey& key, uint64_t count);
    bool readString(const std::string& what, std::string& text);
    bool indexKeys();
    bool readAlignment();
    bool readTensors();
    bool readTensor(uint64_t number);
    bool readTensorName(uint64_t number, std::string& name);
    bool readShape(GgufTensor& tensor);
    bool readTypeAndSize(GgufTensor& tensor);
    bool indexTensors();
    bool placeTensors();
    void noteWhatFollows(uint64_t dataEnd);
    bool fail(std::string sentence);

    std::span<const uint8_t> m_head;
    ByteReader m_reader;
    const bool m_requireData;
    uint64_t m_keyCount = 0, m_tensorCount = 0, m_alignment = 32;
    std::string m_sentence;
    GgufFile m_file;
};

} // namespace steelyard
