#include "gui/chat/markdown_blocks.h"
#include "gui/chat/markdown_stream.h"
#include "gui/chat/reasoning.h"

#include <QElapsedTimer>
#include <QRegularExpression>
#include <QTest>

using namespace steelyard;
using Kind = MarkdownBlock::Kind;

class TestMarkdownBlocks : public QObject {
    Q_OBJECT

private:
    // Everything that the blocks show, without tags.
    static QString shown(const QVector<MarkdownBlock>& blocks) {
        QStringList lines;
        for (const MarkdownBlock& block : blocks) {
            if (block.kind == Kind::Text) lines += (block.marker.isEmpty() ? QString() : block.marker + u' ') + block.plain;
            if (block.kind == Kind::Code || block.kind == Kind::Plain) lines += block.text;
            if (block.kind == Kind::Table) lines += block.plain;
        }
        return lines.join(u'\n');
    }

    // What is left of rich text when the tags that the parser may write are taken away.
    static QString strangeTags(QString html) {
        static const QRegularExpression known(QStringLiteral("</?(b|i|s|code)>|<br/>|</a>|<a href=\"https?://[^\"<>]+\">"));
        return html.remove(known);
    }

private slots:
    void blocksOfEveryKind() {
        const auto blocks = parseMarkdown(u"# Title\n\nSome *slanted* and **strong** `code`.\n\n- one\n- two\n  1. deep\n\n"
                                          "> quoted\n\n```cpp\nint x;\n```\n\n| a | b |\n|---|--:|\n| 1 | **2** |\n\n---\n");
        QCOMPARE(blocks.size(), 9);
        QCOMPARE(blocks[0].heading, 1);
        QCOMPARE(blocks[1].text, QStringLiteral("Some <i>slanted</i> and <b>strong</b> <code>code</code>."));
        QCOMPARE(blocks[2].marker, QStringLiteral("•"));
        QVERIFY(blocks[3].tight);
        QCOMPARE(blocks[4].marker, QStringLiteral("1."));
        QCOMPARE(blocks[4].indent, 2);
        QCOMPARE(blocks[5].quote, 1);
        QCOMPARE(blocks[6].language, QStringLiteral("cpp"));
        QCOMPARE(blocks[6].text, QStringLiteral("int x;"));
        QCOMPARE(blocks[7].cells, QStringList({"a", "b", "1", "<b>2</b>"}));
        QCOMPARE(blocks[7].alignments, QVector<int>({Qt::AlignLeft, Qt::AlignRight}));
        QVERIFY(blocks[8].kind == Kind::Rule);
    }

    void taskListsAndNumbers() {
        const auto blocks = parseMarkdown(u"3) a\n4) b\n\n- [ ] open\n- [x] done\n");
        QCOMPARE(blocks[0].marker, QStringLiteral("3)"));
        QCOMPARE(blocks[1].marker, QStringLiteral("4)"));
        QCOMPARE(blocks[2].marker, QStringLiteral("☐"));
        QCOMPARE(blocks[3].marker, QStringLiteral("☑"));
    }

    void showsWhatWasWritten_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        const auto same = [](const char* name, const QString& text) { QTest::newRow(name) << text << text; };
        same("angle brackets", "what is enclosed in <>\n<channel>");
        same("include", "#include <stdio.h>");
        same("tag", "<b>bold</b> and &amp; and &lt;");
        same("html block", "<div class=\"x\">\n<p>text</p>\n</div>");
        same("comment", "<!-- hidden? -->");
        same("script", "<script>alert(1)</script>");
        same("dollars", "$10K flat, Phase 2 at $8K");
        same("dollar range", "$123 - $234");
        same("tilde dollar", "~$1,550 and ~more~");
        same("escaped dollar", "$\\$0.60$");
        same("formula", "so $a*b*c$ and $x_1 + x_2$ hold");
        same("formula brackets", "then \\(a*b*c\\) and \\[x_i*y_i*z\\]");
        same("display formula", "$$\n\\sum_i x*y*z\n$$");
        same("lone bracket", "a \\( b");
        same("reference", "[name]: http://example.com/page \"title\"\nsee [text][name]");
        same("footnote", "text[^1]\n\n[^1]: note");
        same("entity", "&nbsp;&copy;&#65;");
        same("zero width joiner", QStringLiteral("family 👨‍👩‍👧 end"));
        QTest::newRow("escaped brackets") << "Nest tags \\<foo\\> and <bar>" << "Nest tags <foo> and <bar>";
        QTest::newRow("strong dollar") << "**$4** only" << "$4 only";
        QTest::newRow("sql") << "`a < b && c > d`\n\n```sql\nSELECT * WHERE a < 1 AND b > 2 & 3\n```"
                             << "a < b && c > d\nSELECT * WHERE a < 1 AND b > 2 & 3";
        QTest::newRow("unclosed fence") << "```py\nprint('<b>')\n# more" << "print('<b>')\n# more";
        QTest::newRow("formula in code") << "`$a*b*c$` `\\(x\\)`" << "$a*b*c$ \\(x\\)";
        QTest::newRow("reference in code") << "```\n[a]: b\n\\[x\\]\n&amp;\n```" << "[a]: b\n\\[x\\]\n&amp;";
    }
    void showsWhatWasWritten() {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        QString seen = shown(parseMarkdown(text));
        QCOMPARE(seen.replace(QStringLiteral("\n\n"), QStringLiteral("\n")), expected.replace(QStringLiteral("\n\n"), QStringLiteral("\n")));
    }

    void richTextHoldsOnlyOurTags_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : {
                 "![x](http://127.0.0.1:9/p.png?leak=TEXT)", "<img src=\"http://127.0.0.1:9/p.png\">", "![a][b]\n\n[b]: http://127.0.0.1:9/",
                 "[a](javascript:alert(1))", "[a](file:///etc/passwd)", "[a](data:text/html,x)", "[a](\\\\host\\share)", "[a](smb://host/x)",
                 "[![img](http://x/y)](http://z)", "<a href='javascript:x'>t</a>", "[x](http://e.com/\"onclick=\"y)", "<http://e.com/<b>>",
                 "| <img src=x> | [l](http://a.b) |\n|---|---|\n| ![i](http://c) | &lt; |", "<svg onload=x>", "<style>*{background:url(http://x)}</style>",
                 "[a]( http://e.com \"t<i>\")", "~~gone~~ `<img>`", "**<b>**"})
            QTest::newRow(text) << text;
    }
    void richTextHoldsOnlyOurTags() {
        QFETCH(QString, text);
        for (const MarkdownBlock& block : parseMarkdown(text)) {
            QStringList rich = block.cells;
            if (block.kind == Kind::Text) rich += block.text;
            for (const QString& html : rich) {
                const QString rest = strangeTags(html);
                QVERIFY2(!rest.contains(u'<') && !rest.contains(u'>'), qPrintable(html));
            }
        }
    }

    void imagesAreTheirTextAndAddress() {
        QCOMPARE(parseMarkdown(u"![a cat](http://e.com/cat.png)")[0].plain, QStringLiteral("a cat (http://e.com/cat.png)"));
    }

    void onlyWebAddressesAreLinks() {
        QCOMPARE(parseMarkdown(u"[t](https://e.com/?a=1&b=2)")[0].text,
                 QStringLiteral("<a href=\"https://e.com/?a=1&amp;b=2\">t</a>"));
        QCOMPARE(parseMarkdown(u"[t](file:///x)")[0].text, QStringLiteral("t (file:///x)"));
        QVERIFY(parseMarkdown(u"see https://e.com/x?a=1&b=2 there")[0].text.contains(
            QStringLiteral("<a href=\"https://e.com/x?a=1&amp;b=2\">https://e.com/x?a=1&amp;b=2</a>")));
    }

    void directionIsThatOfTheFirstStrongLetter() {
        QVERIFY(parseMarkdown(QStringLiteral("هذه جملة عربية."))[0].rightToLeft);
        QVERIFY(parseMarkdown(QStringLiteral("זה משפט עם Next.js ו-TypeScript"))[0].rightToLeft);
        QVERIFY(!parseMarkdown(QStringLiteral("1. English עברית"))[0].rightToLeft);
    }

    void longCodeIsCutIntoBlocksAndJoinsAgain() {
        QString code;
        for (int i = 0; i < 2000; ++i) code += QStringLiteral("line %1\n").arg(i);
        const auto blocks = parseMarkdown(QStringLiteral("```\n%1```\n").arg(code));
        QVERIFY(blocks.size() > 10);
        QStringList joined;
        for (const MarkdownBlock& block : blocks) joined += block.text;
        QCOMPARE(joined.join(u'\n') + u'\n', code);
        QVERIFY(blocks.first().first && !blocks.first().last && blocks.last().last);
    }

    void aStreamEndsLikeTheWholeText_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("mixed") << "# T\n\npara\nwith lines\n\n- a\n**b** c\n- d\n\n  e\n1. x\n2. y\n\n```c\nint a;\n\nint b;\n```\nafter\n| h | i |\n"
                                  "|---|---|\n| 1 | 2 |\n\nSetext\n---\n> q\nlazy\n\n\n* * *\n<div>\nx\n</div>\n\nend";
        QTest::newRow("carriage returns") << "a\r\n\r\nb\r\n- c\r\n- d\r\n\r\ntail";
        QTest::newRow("fences") << "````\n```\nx\n```\n````\n~~~\ny";
        QTest::newRow("emphasis at a line start") << "- a\n**b**\n\n*c*\n+ d\n1) e\n1. f";
    }
    void aStreamEndsLikeTheWholeText() {
        QFETCH(QString, text);
        for (int step : {1, 2, 3, 7}) {
            MarkdownStream stream;
            for (qsizetype at = 0; at < text.size(); at += step) {
                stream.append(QStringView(text).mid(at, step));
                QVERIFY2(stream.blocks() == parseMarkdown(QStringView(text).left(at + step)), qPrintable(text.left(at + step)));
            }
        }
    }

    void aStreamParsesOnlyItsEndAgain() {
        MarkdownStream stream;
        for (int i = 0; i < 500; ++i) stream.append(QStringLiteral("Paragraph number %1 with words.\n\n").arg(i));
        QVERIFY(stream.openLength() < 100);
        QCOMPARE(stream.blocks().size(), 500);
        QVERIFY(stream.firstChanged() >= 498);
    }

    void hostileNestingIsShownAndEnds_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("quotes") << QString(20000, u'>') + "x";
        QTest::newRow("lists") << QString("- ").repeated(5000) + "x";
        QTest::newRow("emphasis") << QString("*a **b ").repeated(3000);
        QTest::newRow("brackets") << QString(10000, u'[') + "x";
        QTest::newRow("images") << QString("![").repeated(5000) + "x";
        QTest::newRow("backticks") << QString("`x``y").repeated(3000);
        QTest::newRow("dollars") << QString("$a ").repeated(20000);
        QTest::newRow("formula brackets") << QString("\\(").repeated(8000);
        QTest::newRow("table") << "|" + QString("a|").repeated(2000) + "\n|" + QString("-|").repeated(2000) + "\n" + QString("|b\n").repeated(50);
    }
    void hostileNestingIsShownAndEnds() {
        QFETCH(QString, text);
        QElapsedTimer timer;
        timer.start();
        QVERIFY(!parseMarkdown(text).isEmpty());
        qInfo("%lld ms", timer.elapsed());
    }

    void reasoningIsToldApart_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("complete");
        QTest::addColumn<QString>("reasoning");
        QTest::addColumn<QString>("answer");
        QTest::addColumn<bool>("thinking");
        QTest::newRow("none") << "Hello" << false << "" << "Hello" << false;
        QTest::newRow("half a tag") << "<thi" << false << "" << "" << false;
        QTest::newRow("half a tag at the end") << "<thi" << true << "" << "<thi" << false;
        QTest::newRow("open") << "<think>\nI see" << false << "I see" << "" << true;
        QTest::newRow("closing tag half there") << "<think>I see</thi" << false << "I see" << "" << true;
        QTest::newRow("closed") << "\n<think>\nI see\n</think>\n\nYes" << false << "I see" << "Yes" << false;
        QTest::newRow("opened by the prompt") << "I see\n</think>\n\nYes" << false << "I see" << "Yes" << false;
        QTest::newRow("empty") << "<think>\n\n</think>\n\nYes" << true << "" << "Yes" << false;
        QTest::newRow("mentioned") << "Use `</think>` to close" << true << "" << "Use `</think>` to close" << false;
        QTest::newRow("inside a text") << "The tag <think> opens" << true << "" << "The tag <think> opens" << false;
        QTest::newRow("indented answer") << "<think>a</think>\n\n    code" << true << "a" << "    code" << false;
    }
    void reasoningIsToldApart() {
        QFETCH(QString, text);
        QFETCH(bool, complete);
        const ReplyParts parts = splitReply(text, complete);
        QTEST(parts.reasoning, "reasoning");
        QTEST(parts.answer, "answer");
        QTEST(parts.thinking, "thinking");
    }

    void aMegabyteIsParsedInLinearTime() {
        const QString once = QStringLiteral("Some *words* and `code` of a long answer, with a list:\n\n- one\n- two\n\n```c\nint x = 1;\n```\n\n");
        QElapsedTimer timer;
        timer.start();
        const auto blocks = parseMarkdown(once.repeated(1000000 / once.size()));
        qInfo("1 MB: %lld blocks in %lld ms", qlonglong(blocks.size()), timer.elapsed());
        QVERIFY(blocks.size() > 10000);
    }
};

QTEST_GUILESS_MAIN(TestMarkdownBlocks)
#include "test_markdown_blocks.moc"
