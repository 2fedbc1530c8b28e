// Qt's own checker finds nothing to say about the pages: types, properties, signals and unqualified names.

#include <QDir>
#include <QDirIterator>
#include <QProcess>
#include <QTest>

class TestQmllint : public QObject {
    Q_OBJECT

private slots:
    void moduleIsClean_data();
    void moduleIsClean();
};

void TestQmllint::moduleIsClean_data() {
    QTest::addColumn<QString>("folder");
    QDirIterator walk(STEELYARD_QML, {"qmldir"}, QDir::Files, QDirIterator::Subdirectories);
    while (walk.hasNext()) {
        const QString folder = QFileInfo(walk.next()).absolutePath();
        QTest::newRow(qPrintable(QDir(STEELYARD_QML).relativeFilePath(folder))) << folder;
    }
}

void TestQmllint::moduleIsClean() {
    QFETCH(QString, folder);
    QStringList files;
    QDirIterator walk(folder, {"*.qml"}, QDir::Files, QDirIterator::Subdirectories);
    while (walk.hasNext()) files += walk.next();
    if (files.isEmpty()) return;
    QProcess lint;
    lint.setProcessChannelMode(QProcess::MergedChannels);
    lint.setWorkingDirectory(folder);
    lint.start(STEELYARD_QMLLINT, QStringList{"-I", STEELYARD_QML} + files);
    QVERIFY2(lint.waitForFinished(300000), qPrintable(lint.errorString()));
    QVERIFY2(lint.exitStatus() == QProcess::NormalExit && lint.exitCode() == 0, lint.readAll().constData());
}

QTEST_GUILESS_MAIN(TestQmllint)
#include "test_qmllint.moc"
