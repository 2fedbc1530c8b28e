// The tree keeps its shape: each rule of the house that a machine can check.

#include "tests/layout/arrows.h"
#include "tests/layout/tree.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <QTest>

using namespace steelyard;

namespace {

const QStringList kCode = {"h", "cpp", "cu", "cuh"};
const QStringList kShaders = {"comp", "glsl"};

const Arrow* arrowOf(const QString& path) {
    const Arrow* best = nullptr;
    for (const Arrow& arrow : arrows())
        if (isUnder(path, arrow.from) && (!best || arrow.from.size() > best->from.size())) best = &arrow;
    return best;
}

bool mayInclude(const QString& path, const QString& included) {
    if (isUnder(included, folderOf(path)) && !path.startsWith("engine/cache/block_pool")) return true;
    const Arrow* arrow = arrowOf(path);
    if (!arrow) return false;
    if (isUnder(included, arrow->from)) return true;
    for (const QString& place : arrow->to)
        if (isUnder(included, place)) return true;
    return false;
}

} // namespace

class TestLayout : public QObject {
    Q_OBJECT

private slots:
    void topHoldsOnlyItsNames();
    void topListIsShort();
    void includesFollowTheArrows();
    void engineKnowsNothingOfQt();
    void onlyTheEngineClientIncludesTheEngine();
    void filesAreShort();
    void readmesAreShort();
    void everyFolderHasAReadme();
    void opsShareOneStem();
    void formatsShareOneStem();
    void headersSayWhyTheyExist();
    void typesHaveNamesOfTheirOwn();
    void noMacros();
    void noForbiddenWords();
    void engineDoesNotPrint();
    void qmlHasNoSingletonButTheTheme();
    void qmlTextsAreTranslatable();
    void qmlModulesAreInThePackages();

private:
    // Fails with every offence at once, so that one run shows all that is to be done.
    void report(const QStringList& offences) {
        if (!offences.isEmpty()) QFAIL(qPrintable("\n  " + offences.join("\n  ")));
    }
    QStringList offendingLines(const QStringList& paths, const QRegularExpression& pattern) const;

    Tree m_tree{STEELYARD_TREE};
};

QStringList TestLayout::offendingLines(const QStringList& paths, const QRegularExpression& pattern) const {
    QStringList offences;
    for (const QString& path : paths) {
        int number = 0;
        for (const QString& line : m_tree.linesOf(path)) {
            ++number;
            if (pattern.match(line).hasMatch()) offences += QString("%1:%2: %3").arg(path).arg(number).arg(line.trimmed());
        }
    }
    return offences;
}

void TestLayout::topHoldsOnlyItsNames() {
    const QStringList allowed = {"CMakeLists.txt", "CMakePresets.json", "LICENSE",   "README.md", "engine", "gui",
                                 "installer",      "kernels",           "resources", "shaders",   "tests"};
    QStringList offences;
    for (const QString& name : m_tree.namesAtTop())
        if (!allowed.contains(name) && !name.startsWith("build")) offences += name + " does not belong at the top";
    report(offences);
}

void TestLayout::topListIsShort() { QVERIFY(m_tree.linesOf("CMakeLists.txt").size() <= 120); }

void TestLayout::includesFollowTheArrows() {
    static const QRegularExpression kInclude(R"(^\s*#\s*include\s+"([^"]+)\")");
    QStringList offences;
    for (const QString& path : m_tree.filesIn("", kCode)) {
        for (const QString& line : m_tree.linesOf(path)) {
            const auto match = kInclude.match(line);
            if (!match.hasMatch()) continue;
            const QString included = match.captured(1);
            // Names without a folder are what the build generates (moc files, the table of compiled shaders).
            if (!included.contains('/')) continue;
            if (!mayInclude(path, included)) offences += path + " must not include " + included;
        }
    }
    report(offences);
}

void TestLayout::engineKnowsNothingOfQt() {
    static const QRegularExpression kQt(R"(#\s*include\s*[<"](Q[A-Z]|Qt|sqlite))");
    report(offendingLines(m_tree.filesIn("engine", kCode) + m_tree.filesIn("kernels", kCode), kQt));
}

void TestLayout::onlyTheEngineClientIncludesTheEngine() {
    static const QRegularExpression kEngine(R"(#\s*include\s+"engine/(?!core/|request\.h|event\.h|snapshot\.h))");
    QStringList paths;
    for (const QString& path : m_tree.filesIn("gui", kCode))
        if (!isUnder(path, "gui/engine_client")) paths += path;
    report(offendingLines(paths, kEngine));
}

void TestLayout::filesAreShort() {
    QStringList offences;
    for (const QString& path : m_tree.files()) {
        const QString suffix = QFileInfo(path).suffix();
        const bool qml = suffix == "qml";
        if (!qml && !kCode.contains(suffix) && !kShaders.contains(suffix)) continue;
        const auto lines = m_tree.linesOf(path).size();
        const int wanted = qml ? 250 : 400, most = qml ? 400 : 800;
        if (lines > most) offences += QString("%1 has %2 lines, more than %3").arg(path).arg(lines).arg(most);
        else if (lines > wanted) qInfo().noquote() << path << "has" << lines << "lines; wanted are at most" << wanted;
    }
    report(offences);
}

void TestLayout::readmesAreShort() {
    QStringList offences;
    for (const QString& path : m_tree.filesIn("", {"md"})) {
        const auto lines = m_tree.linesOf(path).size();
        // The first page of the tree and the path of a prompt through the engine are texts of their own.
        const int most = path == "README.md" || path == "engine/README.md" ? 120 : 60;
        if (lines > most) offences += QString("%1 has %2 lines, more than %3").arg(path).arg(lines).arg(most);
    }
    report(offences);
}

void TestLayout::everyFolderHasAReadme() {
    QStringList offences;
    for (const QString& folder : m_tree.foldersWithSources()) {
        // A folder that is a target of the build speaks for itself; others may be told of one folder up, and all tests are.
        const bool isTarget = m_tree.has(folder + "/CMakeLists.txt") && !isUnder(folder, "tests");
        const bool explained = m_tree.has(folder + "/README.md") || (!isTarget && m_tree.has(folderOf(folder) + "/README.md"));
        if (!explained) offences += folder + " has no README.md";
    }
    report(offences);
}

void TestLayout::opsShareOneStem() {
    // These headers are no ops: the base, the list of all ops, and what ops of the cache and of states share.
    const QStringList notOps = {"op", "ops", "cache_layout", "sequence_runs"};
    QStringList offences;
    for (const QString& path : m_tree.filesIn("kernels/ops", {"h"})) {
        const QString stem = stemOf(path);
        if (notOps.contains(stem)) continue;
        if (!m_tree.has("shaders/ops/" + stem + ".comp")) offences += path + " has no shader shaders/ops/" + stem + ".comp";
    }
    for (const QString& path : m_tree.filesIn("kernels/ops", {"cu"}) + m_tree.filesIn("shaders/ops", {"comp"}))
        if (!m_tree.has("kernels/ops/" + stemOf(path) + ".h")) offences += path + " has no contract in kernels/ops";
    report(offences);
}

void TestLayout::formatsShareOneStem() {
    QStringList offences;
    for (const QString& path : m_tree.filesIn("kernels/quant", {"cuh"})) {
        const QString stem = stemOf(path);
        if (!m_tree.has("shaders/quant/" + stem + ".glsl")) offences += path + " has no twin shaders/quant/" + stem + ".glsl";
    }
    report(offences);
}

void TestLayout::headersSayWhyTheyExist() {
    QStringList offences;
    for (const QString& path : m_tree.filesIn("", {"h", "cuh"})) {
        const QStringList lines = m_tree.linesOf(path);
        if (lines.size() < 2 || !lines[0].startsWith("//")) offences += path + " does not open with what it is for";
    }
    report(offences);
}

// Two types of one name are one type to the linker, which then takes the functions of either for both.
void TestLayout::typesHaveNamesOfTheirOwn() {
    static const QRegularExpression kOpens(R"(^(?:inline )?namespace ?([\w:]*) ?\{)"), kCloses(R"(^\} // (?:anonymous )?namespace)");
    static const QRegularExpression kType(R"(^(?:struct|class|enum class|union)\s+(?:\[\[.*?\]\]\s*|alignas\(\w+\)\s*)?(\w+)\b(?!\s*;|::))");
    QMap<QString, QString> known; // where each was defined first
    QStringList offences;
    for (const QString& path : m_tree.filesIn("engine", {"h"}) + m_tree.filesIn("gui", {"h"}) + m_tree.filesIn("kernels", {"h", "cuh"})) {
        QStringList names;
        for (const QString& line : m_tree.linesOf(path)) {
            if (const auto opens = kOpens.match(line); opens.hasMatch()) names << opens.captured(1);
            else if (kCloses.match(line).hasMatch() && !names.isEmpty()) names.removeLast();
            const auto type = kType.match(line);
            if (!type.hasMatch() || names.contains(QString())) continue; // a namespace without a name keeps its own to itself
            const QString name = (names + QStringList{type.captured(1)}).join("::");
            if (known.contains(name) && known[name] != path) offences << path + ": " + name + " is also a type of " + known[name];
            known.insert(name, path);
        }
    }
    report(offences);
}

void TestLayout::noMacros() {
    static const QRegularExpression kDefine(R"(^\s*#\s*define\s+(?!__host__|__device__|__global__|__shared__|__forceinline__|__launch_bounds__|__constant__|WIN32_LEAN_AND_MEAN|NOMINMAX|VK_|VOLK_|__SANITIZE_))");
    report(offendingLines(m_tree.filesIn("", kCode), kDefine));
}

void TestLayout::noForbiddenWords() {
    QStringList paths;
    for (const QString& path : m_tree.files())
        if (!isUnder(path, "tests/layout")) paths += path;
    QStringList text;
    for (const QString& path : paths)
        if (kCode.contains(QFileInfo(path).suffix()) || kShaders.contains(QFileInfo(path).suffix()) ||
            QStringList{"qml", "md", "txt", "cmake", "sh", "json", "sql", "py", ""}.contains(QFileInfo(path).suffix()))
            text += path;
    // Unfinished work, and paths of one person's machine.
    static const QRegularExpression kWords(R"(\b(TODO|FIXME|HACK|XXX)\b|(^|[\s"'=(:])(/home/[a-z]+/|/work/|/root/))");
    report(offendingLines(text, kWords));
    // What later compilers have and the two that build this do not.
    static const QRegularExpression kTooNew(R"(#\s*include\s*<(ranges|format|source_location|print|expected)>|using namespace std;)");
    report(offendingLines(m_tree.filesIn("engine", kCode) + m_tree.filesIn("kernels", kCode) + m_tree.filesIn("gui", kCode), kTooNew));
}

void TestLayout::engineDoesNotPrint() {
    QStringList paths;
    for (const QString& path : m_tree.filesIn("engine", kCode))
        if (!isUnder(path, "engine/cli") && !isUnder(path, "engine/core")) paths += path;
    static const QRegularExpression kPrint(R"(\b(std::cout|std::cerr|std::printf|std::puts|printf\(|puts\(|fputs\(|fprintf\())");
    report(offendingLines(paths, kPrint));
}

void TestLayout::qmlHasNoSingletonButTheTheme() {
    QStringList paths;
    for (const QString& path : m_tree.filesIn("gui", {"qml"}))
        if (path != "gui/theme/Theme.qml") paths += path;
    static const QRegularExpression kSingleton(R"(^\s*pragma\s+Singleton)");
    static const QRegularExpression kContext(R"(\bsetContextProperty\b|\bQML_SINGLETON\b)");
    report(offendingLines(paths, kSingleton) + offendingLines(m_tree.filesIn("gui", kCode), kContext));
}

void TestLayout::qmlTextsAreTranslatable() {
    // A text with two letters in a row that stands bare in the file.
    static const QRegularExpression kBare(
        R"re(^\s*(text|title|placeholderText|label|description|toolTip|Accessible\.name|Accessible\.description)\s*:\s*"[^"]*\p{L}{2})re");
    report(offendingLines(m_tree.filesIn("gui", {"qml"}), kBare));
}

void TestLayout::qmlModulesAreInThePackages() {
    static const QRegularExpression kImport(R"(^import\s+(Qt[\w.]*))");
    const QString needed = m_tree.linesOf("installer/packages.txt").join('\n') + '\n';
    const QString packaged = m_tree.linesOf("installer/CMakeLists.txt").join(' ').replace(')', ' ');
    QStringList offences;
    for (const QString& path : m_tree.filesIn("gui", {"qml"})) {
        for (const QString& line : m_tree.linesOf(path)) {
            const auto match = kImport.match(line);
            if (!match.hasMatch()) continue;
            const QString module = match.captured(1).toLower().replace('.', '-');
            if (!needed.contains("run qml6-module-" + module + '\n') || !packaged.contains(' ' + module + ' '))
                offences += path + " imports " + match.captured(1) + ", whose package is not named in installer/";
        }
    }
    offences.removeDuplicates();
    report(offences);
}

QTEST_APPLESS_MAIN(TestLayout)
#include "test_layout.moc"
