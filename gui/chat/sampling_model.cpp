#include "gui/chat/sampling_model.h"

#include "gui/engine_client/engine_words.h"

#include <QCoreApplication>

#include <algorithm>

namespace steelyard {
namespace {

constexpr int kCheckMs = 250; // after the last key

const std::vector<SamplingParameter>& numbers() { return samplingParameters(); }
const std::vector<SamplingText>& texts() { return samplingTexts(); }

QString words(const char* text) { return text ? QCoreApplication::translate("SamplingModel", text) : QString(); }

} // namespace

SamplingModel::SamplingModel(EngineClient* engine, QObject* parent) : QAbstractListModel(parent), m_engine(engine) {
    m_formTimer.setSingleShot(true);
    m_formTimer.setInterval(kCheckMs);
    connect(&m_formTimer, &QTimer::timeout, this, &SamplingModel::checkForm);
}

void SamplingModel::show(const QJsonObject& own, const SamplingOptions& model) {
    m_own = own;
    m_model = model;
    emit dataChanged(index(0), index(rowCount() - 1));
    emit shown();
    if (m_checkedForm != form() || m_checkedText != formText()) m_formTimer.start();
}

void SamplingModel::retranslate() {
    emit dataChanged(index(0), index(rowCount() - 1));
    m_formTimer.start();
}

int SamplingModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(numbers().size() + texts().size()); }

QHash<int, QByteArray> SamplingModel::roleNames() const {
    return {{KeyRole, "key"},   {LabelRole, "label"}, {TipRole, "tip"},       {GroupRole, "group"}, {FromRole, "from"},       {ToRole, "to"},          {StepRole, "step"},
            {ValueRole, "value"}, {OwnRole, "own"},     {IsTextRole, "isText"}, {TextRole, "text"},   {ExampleRole, "example"}, {ProblemRole, "problem"},
            {BeginsRole, "begins"}};
}

QVariant SamplingModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const auto row = static_cast<size_t>(index.row());
    const SamplingParameter* number = row < numbers().size() ? &numbers()[row] : nullptr;
    const SamplingText* text = number ? nullptr : &texts()[row - numbers().size()];
    const QString key = QLatin1String(number ? number->key : text->key);
    switch (role) {
    case KeyRole: return key;
    case LabelRole: return words(number ? number->label : text->label);
    case TipRole: return words(number ? number->tip : text->tip);
    case GroupRole: return number ? words(number->group) : tr("Exactly");
    case BeginsRole: return index.row() > 0 && data(index, GroupRole) != data(this->index(index.row() - 1), GroupRole);
    case FromRole: return number ? number->from : 0;
    case ToRole: return number ? number->to : 0;
    case StepRole: return number ? number->step : 0;
    case ValueRole: return number ? m_own.value(key).toDouble(number->of(m_model)) : 0;
    case OwnRole: return m_own.contains(key);
    case IsTextRole: return text != nullptr;
    case TextRole: return m_own.value(key).toString();
    case ExampleRole: return text ? words(text->example) : QString();
    case ProblemRole: return text ? problemOf(*text) : QString();
    default: return {};
    }
}

QString SamplingModel::problemOf(const SamplingText& row) const {
    const QString text = m_own.value(QLatin1String(row.key)).toString();
    SamplingOptions unused;
    if (text.trimmed().isEmpty() || row.apply(text, unused)) return {};
    return tr("This cannot be read, so it does not count: %1").arg(words(row.tip));
}

int SamplingModel::ownCount() const {
    const auto isOwn = [&](const auto& row) { return m_own.contains(QLatin1String(row.key)); };
    return static_cast<int>(std::count_if(numbers().begin(), numbers().end(), isOwn) + std::count_if(texts().begin(), texts().end(), isOwn));
}

int SamplingModel::hiddenOwnCount() const {
    return ownCount() - static_cast<int>(std::count_if(numbers().begin(), numbers().end(), [&](const auto& row) { return !row.group && m_own.contains(QLatin1String(row.key)); }));
}

QString SamplingModel::formText() const { return m_own.value(QLatin1String(kFormTextKey)).toString(); }

void SamplingModel::setNumber(const QString& key, double value) {
    const auto row = std::find_if(numbers().begin(), numbers().end(), [&](const auto& one) { return key == QLatin1String(one.key); });
    if (row != numbers().end()) emit chosen(key, std::clamp(value, row->from, row->to));
}

void SamplingModel::setText(const QString& key, const QString& text) {
    const auto row = std::find_if(texts().begin(), texts().end(), [&](const auto& one) { return key == QLatin1String(one.key); });
    if (row != texts().end()) emit chosen(key, text.trimmed().isEmpty() ? QJsonValue(QJsonValue::Undefined) : QJsonValue(text.trimmed()));
}

void SamplingModel::reset(const QString& key) { emit chosen(key, QJsonValue::Undefined); }

void SamplingModel::resetAll() {
    for (const auto& row : numbers()) reset(QLatin1String(row.key));
    for (const auto& row : texts()) reset(QLatin1String(row.key));
}

void SamplingModel::setForm(int form) { emit chosen(QLatin1String(kFormKey), form); }
void SamplingModel::setFormText(const QString& text) { emit chosen(QLatin1String(kFormTextKey), text); }
void SamplingModel::setLogprobs(bool on) { emit chosen(QLatin1String(kLogprobsKey), on); }

void SamplingModel::checkForm() {
    m_checkedForm = form();
    m_checkedText = formText();
    const int check = ++m_check;
    const ReplyForm kind = replyFormOf(m_own);
    if (kind == ReplyForm::AnyText || kind == ReplyForm::Json) return setFormProblem({});
    if (m_checkedText.trimmed().isEmpty())
        return setFormProblem(kind == ReplyForm::Grammar ? tr("Write or paste a grammar here; without one replies are free.") : tr("Write or paste a JSON schema here; without one replies are free."));
    m_engine->checkForm(m_checkedText, kind == ReplyForm::JsonSchema, this, [this, check](const Result<void>& found) {
        if (check == m_check) setFormProblem(found ? QString() : inWords(found.sentence()));
    });
}

void SamplingModel::setFormProblem(const QString& problem) {
    if (problem == m_formProblem) return;
    m_formProblem = problem;
    emit formProblemChanged();
}

} // namespace steelyard
