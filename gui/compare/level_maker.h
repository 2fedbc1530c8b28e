// Makes levels that are not there from a better one: what a model could be made into, how large each would be, one after the other.
//
// Invariant: the source stays as it is; a level stands in the library's own folder only when it is whole. Nothing here waits. Knows
// nothing of columns: what was made is told by a signal.
#pragma once

#include "gui/engine_client/comparison_client.h"
#include "gui/store/model_list.h"

#include <QObject>
#include <QStringList>
#include <QVariantList>
#include <QtQml/qqmlregistration.h>

namespace steelyard {

class LevelMaker : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by the comparison")
    Q_PROPERTY(QString source READ source NOTIFY levelsChanged)
    Q_PROPERTY(QString sourceTitle READ sourceTitle NOTIFY levelsChanged)
    Q_PROPERTY(QString warning READ warning NOTIFY levelsChanged)     // the source is itself quantized
    Q_PROPERTY(QVariantList sources READ sources NOTIFY levelsChanged) // {path, text, note}: files of the same model
    Q_PROPERTY(QVariantList levels READ levels NOTIFY levelsChanged)  // {type, sizeText, bitsText, there, note}
    Q_PROPERTY(bool reading READ reading NOTIFY levelsChanged)
    Q_PROPERTY(QString problem READ problem NOTIFY levelsChanged)
    Q_PROPERTY(bool making READ making NOTIFY makingChanged)
    Q_PROPERTY(QString current READ current NOTIFY makingChanged)     // "Q4_0", and how many follow
    Q_PROPERTY(double fraction READ fraction NOTIFY progressed)

public:
    // `folder` is the library's own. All outlive the maker.
    LevelMaker(const QString& folder, ComparisonClient* client, const ModelList* models, QObject* parent = nullptr);

    QString source() const { return m_source; }
    QString sourceTitle() const { return m_models->title(m_source); }
    QString warning() const;
    QVariantList sources() const;
    QVariantList levels() const;
    bool reading() const { return m_reading; }
    QString problem() const;
    bool making() const { return !m_queue.isEmpty(); }
    QString current() const;
    double fraction() const { return m_fraction; }

    // Shows what can be made of the best file of the model that `path` is of.
    Q_INVOKABLE void look(const QString& path);
    Q_INVOKABLE void chooseSource(const QString& path);
    Q_INVOKABLE void make(const QStringList& types);
    Q_INVOKABLE void cancel();
    void retranslate();

signals:
    void levelsChanged();
    void makingChanged();
    void progressed();
    void made(const QString& path, const QString& title);
    void failed(const QString& sentence);

private:
    struct Order {
        QString source, type, output;
    };

    QVector<const ModelEntry*> filesOfModel() const;
    QString outputFor(const QString& type) const;
    bool isThere(const QString& type) const;
    void makeNext();
    void finish(const QString& problem);

    QString m_folder, m_source, m_problem;
    ComparisonClient* m_client;
    const ModelList* m_models;
    std::vector<QuantizedSize> m_sizes;
    bool m_reading = false, m_cancelled = false;
    int m_lookNumber = 0;
    QVector<Order> m_queue; // the first is being made
    double m_fraction = 0;
};

} // namespace steelyard
