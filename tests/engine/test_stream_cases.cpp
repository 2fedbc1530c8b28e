// What went wrong in other engines' streams: half characters, stop strings across tokens, text that leaks, is lost or doubled. A grammar makes
// a real model write the text of each case, so that its own tokens cut it.
#include "engine/core/utf8.h"
#include "engine/decode/stop_matcher.h"
#include "engine/tokenizer/incremental_decoder.h"
#include "tests/engine/loaded_engine.h"
#include "tests/engine/small_vocabulary.h"

#include <nlohmann/json.hpp>

using namespace steelyard;

namespace {

bool isWholeText(const std::string& text) {
    for (size_t at = 0; at < text.size();) {
        const size_t length = utf8Length(std::string_view(text).substr(at));
        if (length == 0) return false;
        at += length;
    }
    return true;
}

// The grammar of one text.
std::string only(const std::string& text) {
    std::string quoted;
    for (const char c : text) quoted += c == '\n' ? std::string("\\n") : c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    return "root ::= \"" + quoted + "\"";
}

// The pieces that are shown when a text arrives in tokens of `size` bytes; the last one comes with the end.
std::vector<std::string> streamed(const std::string& text, std::vector<std::string> stops, size_t size) {
    std::vector<std::string> texts;
    for (size_t at = 0; at < text.size(); at += size) texts.push_back(text.substr(at, size));
    auto vocabulary = std::make_shared<SmallVocabulary>(texts);
    const auto first = static_cast<TokenId>(vocabulary->vocabularySize() - texts.size());
    IncrementalDecoder decoder(vocabulary, false);
    StopMatcher matcher(std::move(stops));
    std::vector<std::string> pieces;
    for (size_t i = 0; i < texts.size() && !matcher.matched(); ++i) pieces.push_back(matcher.push(decoder.push(first + static_cast<TokenId>(i))));
    if (!matcher.matched()) pieces.push_back(matcher.push(decoder.finish()) + matcher.finish());
    return pieces;
}

std::string joined(const std::vector<std::string>& pieces) {
    std::string text;
    for (const auto& piece : pieces) text += piece;
    return text;
}

} // namespace

class TestStreamCases : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        if (QFile::exists(QString::fromStdString(modelFolder() + "/" + kSmolLm2))) QCOMPARE(m_engine.load(modelFolder() + "/" + kSmolLm2, "cpu", TensorType::F16, 512), std::string());
        else m_absent = true;
    }

    void S01_charactersArriveWhole() {
        const std::string text = "Emoji 😊😊 und 漢字, \xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9!";
        for (size_t size = 1; size <= 7; ++size) {
            const auto pieces = streamed(text, {}, size);
            for (const auto& piece : pieces) QVERIFY2(isWholeText(piece) && piece.find("\xEF\xBF\xBD") == std::string::npos, piece.c_str());
            QCOMPARE(joined(pieces), text);
        }
        if (m_absent) QSKIP("the model is not here; the synthetic stream passed");
        const auto answer = forced(text);
        for (const auto& piece : answer.pieces) QVERIFY2(isWholeText(piece), piece.c_str());
        QCOMPARE(answer.text, text);
        QVERIFY(answer.ids.size() > 10); // more tokens than characters of the emoji
    }

    // What is broken for good is replaced at the end, and only there.
    void S01_aBrokenTailIsReplacedAtTheEnd() {
        const auto pieces = streamed("ab\xF0\x9F", {}, 1);
        QCOMPARE(joined(pieces), std::string("ab\xEF\xBF\xBD"));
        QCOMPARE(pieces.back(), std::string("\xEF\xBF\xBD"));
    }

    void S02_aLimitNeverCutsACharacter() {
        if (m_absent) QSKIP("the model is not here");
        const std::string text = "Hello! 😊 \xE4\xBD\xA0\xE5\xA5\xBD";
        std::string before;
        for (int limit = 1; limit <= 20; ++limit) {
            const auto answer = forced(text, {}, limit);
            QVERIFY2(isWholeText(answer.text), answer.text.c_str());
            QCOMPARE(joined(answer.pieces), answer.text);
            QCOMPARE(text.compare(0, answer.text.size(), answer.text), 0);
            QVERIFY(answer.text.size() >= before.size());
            before = answer.text;
            if (answer.end.reason == StopReason::EndToken) break;
            QCOMPARE(answer.ids.size(), static_cast<size_t>(limit));
        }
        QCOMPARE(before, text);
    }

    // Stopped anywhere, a text is whole characters, so that no half of a UTF-16 pair can be stored.
    void S04_stoppingLeavesWholeCharacters() {
        if (m_absent) QSKIP("the model is not here");
        auto request = m_engine.request(textPrompt("Emoji:"), 400);
        request.grammar = "root ::= [😀-😏🌍]*";
        const RequestId id = request.id;
        m_engine.engine.submit(std::move(request));
        std::string text;
        for (bool over = false, cancelled = false; !over;) {
            for (auto& event : m_engine.engine.waitForEvents(1000)) {
                if (auto* delta = std::get_if<TextDelta>(&event)) text += delta->text;
                if (std::holds_alternative<GenerationFinished>(event)) over = true;
            }
            if (text.size() >= 12 && !cancelled) cancelled = m_engine.engine.cancel(id);
        }
        QVERIFY(isWholeText(text));
        const QString wide = QString::fromStdString(text);
        QCOMPARE(wide.toUtf8().toStdString(), text);
    }

    // The strict writer of JSON takes every answer, at each limit.
    void S05_answersAreAlwaysValidJson() {
        if (m_absent) QSKIP("the model is not here");
        for (int limit = 1; limit <= 20; ++limit) {
            auto request = m_engine.request(textPrompt("\xE4\xBD\xA0\xE5\xA5\xBD\xEF\xBC\x8C\xE4\xB8\x96\xE7\x95\x8C\xE3\x80\x82"), limit);
            request.grammar = "root ::= [\\u4e00-\\u9fff]+";
            const auto answer = m_engine.generate(std::move(request));
            QVERIFY(!nlohmann::json(answer.text).dump().empty());
        }
    }

    void S07_theLastCharacterComes() {
        QCOMPARE(joined(streamed("?\nRobot: Red.", {"\n"}, 1)), std::string("?"));
        if (m_absent) QSKIP("the model is not here; the synthetic stream passed");
        const auto answer = forced("?\nRobot: Red.", {"\n"}, 8);
        QCOMPARE(answer.text, std::string("?"));
        QCOMPARE(answer.end.reason, StopReason::StopString);
    }

    void S08_nothingComesTwice() {
        const std::string text = "Potatoes are round.\n\nThey grow underground.\n\nHello there, they feed many.";
        for (size_t size = 1; size <= 9; ++size) QCOMPARE(joined(streamed(text, {"\nHello:"}, size)), text);
        if (m_absent) QSKIP("the model is not here; the synthetic stream passed");
        QCOMPARE(forced(text, {"\nHello:"}).text, text);
    }

    void S10_stopInsideAWord() { stopsAt("The quick brown fox. The quick brown fox.", {"own fox"}, "The quick br"); }
    void S10_stopAtANewLine() { stopsAt("Yes, it is.\nUser: thanks", {"\nUser:"}, "Yes, it is."); }
    void S11_nothingAfterTheStop() {
        const std::string count = "one, two, three, four, five, six, seven, eight, nine, ten";
        stopsAt(count, {"five"}, "one, two, three, four, ");
        stopsAt(count, {"three"}, "one, two, ");
    }
    void S13_stopIsText() {
        stopsAt("{\"a\": {\"b\": 1}}", {"}"}, "{\"a\": {\"b\": 1");
        stopsAt("[ }, ]", {"}"}, "[ ");
        stopsAt("baa baa", {"a"}, "b");
    }

    // Only a true beginning of a stop string waits: everything else is shown with the token that brought it.
    void S14_onlyATrueBeginningWaits() {
        const std::string stop = "### End of the answer, nothing follows ##", text = "plain # text ## with ### signs ### En and more";
        const auto pieces = streamed(text, {stop}, 1);
        std::string seen, shown;
        for (size_t i = 0; i < text.size(); ++i) {
            seen += text[i];
            shown += pieces[i];
            size_t waiting = 0; // the longest tail that begins the stop string
            for (size_t length = 1; length <= std::min(stop.size(), seen.size()); ++length)
                if (stop.compare(0, length, seen, seen.size() - length, length) == 0) waiting = length;
            QCOMPARE(shown, seen.substr(0, seen.size() - waiting));
        }
        QCOMPARE(joined(pieces), text);
    }

    void timesAreToldForEachToken() {
        if (m_absent) QSKIP("the model is not here");
        const auto answer = forced("Once upon a time there was a fox.");
        QCOMPARE(answer.timesMs.size(), answer.ids.size());
        QVERIFY(std::is_sorted(answer.timesMs.begin(), answer.timesMs.end()));
        const auto& statistics = answer.end.statistics;
        QVERIFY(std::fabs(answer.timesMs.front() - statistics.firstTokenMs) < 0.01);
        QVERIFY(statistics.firstTokenMs >= statistics.queueMs + statistics.tokenizeMs + statistics.prefillMs - 0.01);
        QVERIFY(statistics.ttftMs >= statistics.firstTokenMs);
    }

private:
    LoadedEngine::Answer forced(const std::string& text, std::vector<std::string> stops = {}, int32_t limit = 120) {
        auto request = m_engine.request(textPrompt("Text:"), limit);
        request.grammar = only(text);
        request.stop = std::move(stops);
        return m_engine.generate(std::move(request));
    }

    void stopsAt(const std::string& text, const std::vector<std::string>& stops, const std::string& right) {
        for (size_t size = 1; size <= text.size(); ++size) QCOMPARE(joined(streamed(text, stops, size)), right);
        if (m_absent) return;
        const auto answer = forced(text, stops);
        QCOMPARE(answer.text, right);
        QCOMPARE(joined(answer.pieces), right);
        QCOMPARE(answer.end.reason, StopReason::StopString);
    }

    LoadedEngine m_engine;
    bool m_absent = false;
};

QTEST_GUILESS_MAIN(TestStreamCases)
#include "test_stream_cases.moc"
