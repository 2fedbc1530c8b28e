// Qt's own checker finds nothing to say about the pages: types, properties, signals and unqualified names.

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
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
    // What the module names: a page that was taken out of the sources may still lie in the build.
    QFile module(folder + "/qmldir");
    QVERIFY(module.open(QIODevice::ReadOnly));
    QStringList files;
    for (const QByteArray& line : module.readAll().split('\n'))
        if (line.trimmed().endsWith(".qml")) files += folder + '/' + QString::fromUtf8(line.trimmed().split(' ').last());
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
