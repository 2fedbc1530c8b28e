// The text that columns are measured on: one that comes with the program, one of the person's own, a file, or their past chats.
//
// Invariant: value() is the text of the chosen source, empty while there is none; a file or chats are read on other threads. Knows
// nothing of tokens and of measuring.
#pragma once

#include "gui/store/store.h"

#include <QObject>
#include <QString>
#include <QThreadPool>
#include <QUrl>
#include <QtQml/qqmlregistration.h>

namespace steelyard {

class MeasureText : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by the report")
    Q_PROPERTY(Source source READ source WRITE setSource NOTIFY changed)
    Q_PROPERTY(QString own READ own WRITE setOwn NOTIFY changed)
    Q_PROPERTY(QString name READ name NOTIFY changed)         // of the text, as reports name it
    Q_PROPERTY(QString description READ description NOTIFY changed)
    Q_PROPERTY(QString problem READ problem NOTIFY changed)

public:
    enum Source { Sample, Own, File, Chats };
    Q_ENUM(Source)

    explicit MeasureText(Store* store, QObject* parent = nullptr);
    ~MeasureText() override;

    Source source() const { return m_source; }
    void setSource(Source source);
    const QString& own() const { return m_own; }
    void setOwn(const QString& text);
    QString name() const;
    QString description() const;
    const QString& problem() const { return m_problem; }
    const QString& value() const;

    Q_INVOKABLE void chooseFile(const QUrl& file); // and makes it the source
    void retranslate() { emit changed(); }

    static QString sample();

signals:
    void changed();

private:
    void readChats();

    Store* m_store;
    Source m_source = Sample;
    QString m_sample, m_own, m_fileName, m_fileText, m_chats, m_problem;
    int m_chatCount = 0;
    bool m_reading = false;
    QThreadPool m_jobs;
};

} // namespace steelyard
