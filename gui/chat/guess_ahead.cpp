#include "gui/chat/guess_ahead.h"

#include "gui/store/model_list.h"
#include "gui/store/store.h"

#include <algorithm>

namespace steelyard {
namespace {

const QString kOff = QStringLiteral("off"), kLookup = QStringLiteral("lookup"), kPredictor = QStringLiteral("predictor");
constexpr double kDraftShare = 0.5; // a draft model of more than this share of the model's size is no help

// How much of a model's size another one is, by parameters where both are known.
double shareOf(const ModelEntry& draft, const ModelEntry& model) {
    if (draft.parameters > 0 && model.parameters > 0) return double(draft.parameters) / double(model.parameters);
    return model.sizeBytes > 0 ? double(draft.sizeBytes) / double(model.sizeBytes) : 1;
}

} // namespace

GuessAhead::GuessAhead(Store* store, ModelList* models, QObject* parent) : QObject(parent), m_store(store), m_models(models) {
    connect(models, &ModelList::countChanged, this, &GuessAhead::changed);
}

QString GuessAhead::storedKey() { return QStringLiteral("state.guessAhead"); }

void GuessAhead::restore(const QJsonObject& choices) {
    m_choices = choices;
    emit changed();
}

void GuessAhead::setOn(bool on) {
    if (on == m_on) return;
    m_on = on;
    emit changed();
}

QString GuessAhead::choice(const QString& modelPath) const {
    const QString chosen = m_choices.value(modelPath).toString();
    if (chosen == kOff || chosen == kLookup || chosen == kPredictor) return chosen;
    if (!chosen.isEmpty()) return m_models->contains(chosen) ? chosen : kLookup;
    return m_on ? kLookup : kOff;
}

void GuessAhead::choose(const QString& modelPath, const QString& choice) {
    if (modelPath.isEmpty() || choice == this->choice(modelPath)) return;
    m_choices.insert(modelPath, choice);
    m_store->run([choices = m_choices](Repositories& r) { return r.settings.set(storedKey(), choices); }, Durability::Relaxed);
    emit changed();
}

QString GuessAhead::draft(const QString& modelPath) const {
    const QString chosen = choice(modelPath);
    return chosen == kOff || chosen == kLookup || chosen == kPredictor ? QString() : chosen;
}

bool GuessAhead::usesPredictor(const QString& modelPath) const { return choice(modelPath) == kPredictor; }

void GuessAhead::sawPredictor(const QString& modelPath) {
    if (m_predictors.contains(modelPath)) return;
    m_predictors += modelPath;
    emit changed();
}

SpeculationOptions GuessAhead::options(const QString& modelPath) const {
    SpeculationOptions options;
    options.lookup = choice(modelPath) != kOff;
    options.draft = !draft(modelPath).isEmpty() || usesPredictor(modelPath);
    return options;
}

QVariantList GuessAhead::choices(const QString& modelPath) const {
    const auto entry = [](const QString& value, const QString& text, const QString& note) {
        return QVariantMap{{QStringLiteral("value"), value}, {QStringLiteral("text"), text}, {QStringLiteral("note"), note}, {QStringLiteral("enabled"), !value.isEmpty()}};
    };
    QVariantList choices{entry(kOff, tr("Off"), {}), entry(kLookup, tr("By looking up"), {})};
    if (m_predictors.contains(modelPath) || usesPredictor(modelPath)) choices += entry(kPredictor, tr("With its own predictor"), {});
    const ModelEntry* model = m_models->find(modelPath);
    if (!model) return choices;
    QVector<ModelEntry> smaller;
    for (const ModelEntry& other : m_models->entries())
        if (other.path != modelPath && other.problem.isEmpty() && !other.reading && (shareOf(other, *model) <= kDraftShare || other.path == draft(modelPath)))
            smaller += other;
    if (smaller.isEmpty()) choices += entry({}, tr("With a smaller model"), tr("The library has none of at most half the size."));
    const auto isKin = [&](const ModelEntry& other) { return other.architecture == model->architecture; };
    std::stable_sort(smaller.begin(), smaller.end(), [&](const ModelEntry& a, const ModelEntry& b) {
        return isKin(a) != isKin(b) ? isKin(a) : a.sizeBytes < b.sizeBytes;
    });
    for (const ModelEntry& other : smaller)
        choices += entry(other.path, tr("With %1").arg(m_models->title(other.path)), isKin(other) ? QString() : tr("another family; its vocabulary may differ"));
    return choices;
}

QString GuessAhead::explanation(const QString& modelPath) const {
    const QString chosen = choice(modelPath);
    if (chosen == kOff) return tr("Each token is made on its own.");
    if (chosen == kLookup) return tr("What followed the same words before is guessed and checked in one step. The text stays the same.");
    if (chosen == kPredictor)
        return tr("A layer of the model's own file guesses the next tokens, the model checks them in one step. The text stays the same; the layer takes memory.");
    return tr("The smaller model guesses, this one checks its guesses in one step. The text stays the same; both take memory.");
}

} // namespace steelyard
