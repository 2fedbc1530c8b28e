#include "gui/chat/model_control.h"

#include "gui/engine_client/amounts.h"
#include "gui/store/model_list.h"

#include <QLocale>

namespace steelyard {

ModelControl::ModelControl(EngineClient* engine, ModelList* models, QObject* parent)
    : QObject(parent), m_engine(engine), m_models(models) {
    connect(engine, &EngineClient::modelStateChanged, this, &ModelControl::changed);
    connect(engine, &EngineClient::loadFractionChanged, this, &ModelControl::fractionChanged);
    connect(models, &ModelList::countChanged, this, &ModelControl::modelsChanged);
    connect(models, &ModelList::entryChanged, this, &ModelControl::modelsChanged);
}

ModelControl::State ModelControl::state() const {
    switch (m_engine->modelState()) {
    case EngineClient::ModelState::None: return None;
    case EngineClient::ModelState::Loading: return Loading;
    case EngineClient::ModelState::Ready: return Ready;
    case EngineClient::ModelState::Failed: return Failed;
    }
    return None;
}

QString ModelControl::title() const { return titleOf(path()); }

QString ModelControl::titleOf(const QString& path) const { return path.isEmpty() ? QString() : m_models->title(path); }

bool ModelControl::isStarter(const QString& path) const {
    const ModelEntry* entry = m_models->find(path);
    return entry && entry->starter;
}

QString ModelControl::facts() const {
    if (!m_engine->facts()) return {};
    const ModelFacts& facts = *m_engine->facts();
    QStringList parts;
    if (!facts.architecture.empty()) parts += QString::fromStdString(facts.architecture);
    if (!facts.quantization.empty()) parts += QString::fromStdString(facts.quantization);
    parts += tr("on %1").arg(shownDeviceName(facts.deviceName));
    if (!facts.draftName.empty()) parts += tr("guesses ahead with %1").arg(QString::fromStdString(facts.draftName));
    parts += tr("loaded in %1").arg(durationInWords(m_engine->loadMs()));
    return parts.join(QStringLiteral(" · "));
}

bool ModelControl::baseModel() const { return m_engine->facts() && !m_engine->facts()->hasChatTemplate; }

QString ModelControl::templateProblem() const { return m_engine->facts() ? inWords(m_engine->facts()->templateProblem) : QString(); }

QString ModelControl::notices() const {
    QStringList sentences;
    if (m_engine->facts())
        for (const std::string& notice : m_engine->facts()->notices) sentences += inWords(notice);
    return sentences.join(u'\n');
}

int ModelControl::contextLength() const { return m_engine->facts() ? static_cast<int>(m_engine->facts()->contextLength) : 0; }

int ModelControl::trainedContext() const { return m_engine->facts() ? static_cast<int>(m_engine->facts()->trainedContext) : 0; }

QAbstractItemModel* ModelControl::models() const { return m_models; }

int ModelControl::modelCount() const { return m_models->usableCount(); }

} // namespace steelyard
