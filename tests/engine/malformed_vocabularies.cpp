// Small vocabularies with each mistake in the keys of the tokenizer.
#include "tests/engine/malformed_files.h"

#include "engine/format/gguf_writer.h"

#include <functional>

namespace steelyard {

namespace {

using Texts = std::vector<std::string>;
using Kinds = std::vector<int32_t>;

class VocabularyList {
public:
    std::vector<MalformedFile> files;

    void tokens();
    void arrays();
    void ids();
    void merges();
    void bytesAndNames();
    void oddities();

private:
    void add(const std::string& name, const GgufWriter& writer, const std::string& says) {
        files.push_back({name, writer.bytes(), says});
    }
};

GgufWriter ofModel(const char* model) {
    GgufWriter writer;
    writer.add("tokenizer.ggml.model", model);
    if (std::string(model) == "gpt2") writer.add("tokenizer.ggml.pre", "gpt-2");
    return writer;
}

// The letters a to d, two merges, a control token; without kinds and merges where these are to be wrong.
GgufWriter letters() {
    GgufWriter writer = ofModel("gpt2");
    writer.add("tokenizer.ggml.tokens", Texts{"a", "b", "c", "d", "ab", "abc", "<|end|>", "<note>"});
    return writer;
}
GgufWriter whole(const std::function<void(GgufWriter&)>& change = {}) {
    GgufWriter writer = letters();
    writer.add("tokenizer.ggml.token_type", Kinds{1, 1, 1, 1, 1, 1, 3, 4});
    writer.add("tokenizer.ggml.merges", Texts{"a b", "ab c"});
    if (change) change(writer);
    return writer;
}

std::string arrayOf(uint32_t type, uint64_t count, size_t bytes) {
    return RawBytes().u32(type).u64(count).zeros(bytes).bytes;
}

void VocabularyList::tokens() {
    add("V13 nothing", GgufWriter(), "tokenizer.ggml.model");
    add("V01 missing", ofModel("gpt2"), "tokenizer.ggml.tokens");
    GgufWriter empty = ofModel("gpt2"), numbers = ofModel("gpt2"), one = ofModel("gpt2");
    empty.add("tokenizer.ggml.tokens", Texts());
    add("V01 empty", empty, "tokenizer.ggml.tokens");
    numbers.add("tokenizer.ggml.tokens", Kinds{1});
    add("V01 numbers", numbers, "tokenizer.ggml.tokens");
    one.add("tokenizer.ggml.tokens", "a");
    add("V01 text", one, "tokenizer.ggml.tokens");
}

void VocabularyList::arrays() {
    const std::pair<const char*, uint32_t> types[] = {{"u8", 0}, {"i8", 1}, {"u16", 2}, {"i16", 3}};
    for (const auto& type : types)
        for (const char* key : {"scores", "token_type"}) {
            GgufWriter writer = letters();
            writer.addRaw(std::string("tokenizer.ggml.") + key, 9, arrayOf(type.second, 8, type.second < 2 ? 8 : 16));
            add(std::string("V02 ") + key + " " + type.first, writer, std::string("tokenizer.ggml.") + key);
        }
    GgufWriter doubles = letters(), reals = letters(), texts = letters();
    doubles.addRaw("tokenizer.ggml.scores", 9, arrayOf(12, 8, 64));
    add("V02 scores f64", doubles, "tokenizer.ggml.scores");
    reals.add("tokenizer.ggml.token_type", std::vector<float>(8, 1));
    add("V02 token_type f32", reals, "tokenizer.ggml.token_type");
    texts.add("tokenizer.ggml.scores", Texts(8, "1"));
    add("V02 scores texts", texts, "tokenizer.ggml.scores");
    for (const size_t count : {0u, 7u, 9u}) {
        add("V03 scores " + std::to_string(count),
            whole([&](GgufWriter& w) { w.add("tokenizer.ggml.scores", std::vector<float>(count)); }),
            std::to_string(count) + " scores for 8 tokens");
        GgufWriter kinds = letters();
        kinds.add("tokenizer.ggml.token_type", Kinds(count, 1));
        add("V03 token_type " + std::to_string(count), kinds, std::to_string(count) + " entries for 8 tokens");
    }
    GgufWriter noScores = ofModel("llama"), unigram = ofModel("t5");
    for (GgufWriter* writer : {&noScores, &unigram}) {
        writer->add("tokenizer.ggml.tokens", Texts{"a"});
        add(writer == &unigram ? "V03 no scores unigram" : "V03 no scores", *writer, "tokenizer.ggml.scores");
    }
}

void VocabularyList::ids() {
    for (const char* name : {"bos", "eos", "unknown", "padding", "eot", "eom"})
        for (const int64_t id : {int64_t(8), int64_t(0xFFFFFFFF), int64_t(-1)}) {
            const std::string key = std::string("tokenizer.ggml.") + name + "_token_id";
            add("V06 " + std::string(name) + " " + std::to_string(id), whole([&](GgufWriter& w) {
                    if (id < 0)
                        w.add(key, static_cast<int32_t>(id));
                    else
                        w.add(key, static_cast<uint32_t>(id));
                }),
                key);
        }
    add("V06 text", whole([](GgufWriter& w) { w.add("tokenizer.ggml.eos_token_id", "7"); }), "eos_token_id");
    add("V07", whole([](GgufWriter& w) { w.add("tokenizer.ggml.add_bos_token", true); }), "");
    add("V07 number", whole([](GgufWriter& w) { w.add("tokenizer.ggml.add_bos_token", uint32_t(1)); }),
        "add_bos_token");
}

void VocabularyList::merges() {
    GgufWriter missing = letters();
    add("V10 missing", missing, "tokenizer.ggml.merges");
    for (const char* merge : {"ab", "", "a", "a  b", " b", "a ", "a x", "x a", "c d"}) {
        GgufWriter writer = letters();
        writer.add("tokenizer.ggml.merges", Texts{"a b", merge});
        add(std::string("V09 ") + merge, writer, "Merge 1");
    }
    GgufWriter many = letters(), numbers = letters();
    many.add("tokenizer.ggml.merges", Texts(300000, "a b"));
    add("V10 many", many, "");
    numbers.add("tokenizer.ggml.merges", Kinds{1});
    add("V10 numbers", numbers, "tokenizer.ggml.merges");
}

void VocabularyList::bytesAndNames() {
    for (const char* byte : {"<0x-1>", "<0x1G>", "<0x100>", "<0x>", "0x11", "<0x 1>", ""}) {
        GgufWriter writer = ofModel("llama");
        writer.add("tokenizer.ggml.tokens", Texts{"<unk>", byte});
        writer.add("tokenizer.ggml.scores", std::vector<float>{0, 0});
        writer.add("tokenizer.ggml.token_type", Kinds{2, 6});
        add(std::string("V11 ") + byte, writer, "Byte token 1 is malformed");
    }
    GgufWriter some = ofModel("llama");
    some.add("tokenizer.ggml.tokens", Texts{"a", "<0x00>"});
    some.add("tokenizer.ggml.scores", std::vector<float>{0, 0});
    some.add("tokenizer.ggml.token_type", Kinds{1, 6});
    add("V11 some of 256", some, "no token for byte 1");
    add("V13 model", ofModel("martian"), "unknown tokenizer \"martian\"");
    GgufWriter noPre, unknownPre;
    for (GgufWriter* writer : {&noPre, &unknownPre})
        writer->add("tokenizer.ggml.model", "gpt2");
    add("V13 no pre", noPre, "tokenizer.ggml.pre");
    unknownPre.add("tokenizer.ggml.pre", "martian");
    add("V13 pre", unknownPre, "unknown way \"martian\"");
}

// What is odd and must be read all the same.
void VocabularyList::oddities() {
    GgufWriter kinds = letters(), doubled = ofModel("gpt2"), prefix = ofModel("gpt2"), long1 = ofModel("gpt2");
    kinds.add("tokenizer.ggml.token_type", Kinds{0, 7, -1, 1, 1, 1, 99, 1});
    kinds.add("tokenizer.ggml.merges", Texts{"a b"});
    add("V05", kinds, "");
    doubled.add("tokenizer.ggml.tokens", Texts{"a", "a", "b", "<x>", "<x>"});
    doubled.add("tokenizer.ggml.token_type", Kinds{1, 1, 1, 3, 4});
    doubled.add("tokenizer.ggml.merges", Texts());
    add("V08", doubled, "");
    prefix.add("tokenizer.ggml.tokens", Texts{"a", "<x", "<x>", "<x>>"});
    prefix.add("tokenizer.ggml.token_type", Kinds{1, 4, 3, 4});
    prefix.add("tokenizer.ggml.merges", Texts());
    add("V15", prefix, "");
    long1.add("tokenizer.ggml.tokens", Texts{"", std::string(1 << 20, 'a'), "a"});
    long1.add("tokenizer.ggml.token_type", Kinds{1, 4, 4});
    long1.add("tokenizer.ggml.merges", Texts());
    add("V14", long1, "");
}

} // namespace

std::vector<MalformedFile> malformedVocabularies() {
    VocabularyList list;
    list.tokens();
    list.arrays();
    list.ids();
    list.merges();
    list.bytesAndNames();
    list.oddities();
    return list.files;
}

std::vector<MalformedFile> malformedTemplates() {
    const auto repeated = [](const std::string& text, size_t count) {
        std::string all;
        all.reserve(text.size() * count);
        while (count-- > 0)
            all += text;
        return all;
    };
    const std::string many = repeated("a", 5 << 20);
    return {
        {"C01 empty", "", ""},
        {"C02 first", "{% if", "Line 1"},
        {"C02 middle", "a\n{{ 1 + }}\nb", "Line 2"},
        {"C02 last", "{% if 1 %}\n{{ 2 }}", "Line 2"},
        {"C03 macro", "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "too deep"},
        {"C03 two macros", "{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}{{ a() }}{% endmacro %}{{ a() }}",
         "too deep"},
        {"C03 brackets", "{{ " + repeated("(", 10000) + "1" + repeated(")", 10000) + " }}", "too deep"},
        {"C03 lists", "{{ " + repeated("[", 10000) + " }}", "too deep"},
        {"C03 ifs", repeated("{% if 1 %}", 10000) + repeated("{% endif %}", 10000), "too deep"},
        {"C03 fors", repeated("{% for a in b %}", 10000), "too deep"},
        {"C03 elifs", "{% if 0 %}" + repeated("{% elif 0 %}", 2000) + "{% endif %}", ""},
        {"C03 attributes", "{{ a" + repeated(".a", 10000) + " }}", "Line 1"},
        {"C03 filters", "{{ 1" + repeated("|string", 10000) + " }}", ""},
        {"C03 calls", "{{ a" + repeated("()", 10000) + " }}", "Line 1"},
        {"C03 sums", "{{ 1" + repeated(" + 1", 10000) + " }}", ""},
        {"C03 tests", "{{ 1" + repeated(" is defined", 10000) + " }}", "cannot follow"},
        {"C03 comparisons", "{{ 1" + repeated(" < 2", 10000) + " }}", ""},
        {"C03 conditions", "{{ 1" + repeated(" if 1 else 1", 10000) + " }}", "deep"},
        {"C04 range", "{{ range(1000000000) }}", "budget"},
        {"C04 repeat", "{{ '-' * 10000000000 }}", "budget"},
        {"C04 loops", "{% for a in range(25000) %}{% for b in range(25000) %}{% endfor %}{% endfor %}", "budget"},
        {"C04 indent", "{{ [1]|tojson(indent=1000000000) }}", "budget"},
        {"C05 lipsum", "{{ lipsum.__globals__['os'].popen('id').read() }}", "Line 1"},
        {"C05 class", "{{ ''.__class__.__mro__[1].__subclasses__() }}", "Line 1"},
        {"C05 self", "{{ self.__init__.__globals__ }}", "Line 1"},
        {"C06 large", many, ""},
        {"C06 zero", std::string("a\0b{{ 1 }}", 10), ""},
        {"C06 utf8", "\xFF\xFE{{ 1 }}", ""},
        {"C06 mark", "\xEF\xBB\xBF{{ 1 }}", ""},
        {"C07 filter", "{{ 1|martian }}", "martian"},
        {"C07 test", "{{ 1 is martian }}", "martian"},
        {"C07 function", "{{ martian() }}", "martian"},
        {"C07 tag", "{% martian %}", "martian"},
    };
}

} // namespace steelyard
