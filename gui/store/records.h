// The rows of the database as plain structs.
//
// Invariant: an id of 0 means "not stored yet" or "none"; times are milliseconds since 1970 UTC. Knows nothing of SQL,
// QML or the engine: stop reasons and sampling settings are kept as their owners write them.
#pragma once

#include <QJsonObject>
#include <QString>
#include <QVector>

#include <optional>

namespace steelyard {

struct ChatRecord {
    qint64 id = 0;
    QString title;
    bool titleIsOwn = false;   // renamed by the person: the first question no longer sets it
    QString systemPrompt;
    QJsonObject sampling;      // temperature, top-p, reply limit and so on
    QString modelPath;         // chosen for this chat, or empty
    bool pinned = false;
    QString folder;            // empty = none
    qint64 selectedLeaf = 0;   // the message at the end of the shown branch
    QString draft;             // typed and not sent
    qint64 createdAtMs = 0;    // 0 on create = now
    qint64 updatedAtMs = 0;    // of the last message
    qint64 deletedAtMs = 0;    // 0 = not deleted; gone for good at the next start
};

enum class MessageRole { User, Assistant, System, Tool };

// What guessing ahead did for a reply; `asked` says that it was on.
struct GuessFigures {
    bool asked = false;
    int steps = 0, guessed = 0, accepted = 0;      // steps that checked guesses; tokens
    int lookupGuessed = 0, lookupAccepted = 0;     // of these by looking up, the rest by a draft model
    double draftMs = 0;
    QString whyNot;                                // what kept it from guessing, or empty

    bool operator==(const GuessFigures&) const = default;
};

// Tokens whose pages came from elsewhere than the device's own cache, or went there.
struct MoveFigures {
    int fromDisk = 0, fromMemory = 0; // of the reused ones
    int andBack = 0;                  // left for system memory and came back while the reply ran
    int handedOver = 0;               // read by another device
    quint64 handedOverBytes = 0;
    double handOverMs = 0;

    bool operator==(const MoveFigures&) const = default;
};

// What a reply took, as the engine measured it.
struct ReplyFigures {
    int tokens = 0, promptTokens = 0, reusedTokens = 0;
    double ttftMs = 0, itlP50Ms = 0, itlP95Ms = 0;
    double prefillTokensPerSecond = 0, decodeTokensPerSecond = 0;
    double prefillArithmeticShare = 0, decodeBandwidthShare = 0; // of what the device does at best; 0 = not known
    double prefillMs = 0, queueMs = 0, tokenizeMs = 0, reuseMs = 0;
    quint64 seed = 0;
    QString reuseReason; // why the rest of the prompt was read again
    GuessFigures guesses;
    MoveFigures moves;
    int shiftedTokens = 0;                          // left a full cache without reading again: what follows is approximate
    int droppedMessages = 0, droppedTokens = 0;     // left out because the context was full
    int wouldDropMessages = 0, wouldDropTokens = 0; // of a reply that found it full: what leaving out the oldest turns would leave out

    bool operator==(const ReplyFigures&) const = default;
};

struct MessageRecord {
    qint64 id = 0;
    qint64 chatId = 0;
    qint64 parentId = 0;             // 0 = the first message of a branch of the chat
    MessageRole role = MessageRole::User;
    QString content;
    QString reasoning;
    qint64 reasoningMs = 0;          // how long it thought
    QString modelPath, modelName;    // who wrote a reply; empty for a person
    std::optional<int> stopReason;   // the engine's StopReason; none = streaming, or cut off by the program's end
    QString stopSentence;            // what the engine said about it, or empty
    std::optional<ReplyFigures> figures;
    bool hasTokens = false;          // how probable its tokens were is stored; only read
    qint64 createdAtMs = 0;          // 0 on add = now
};

// A message of the shown branch, and where its siblings are.
struct ThreadMessage {
    MessageRecord message;
    QVector<qint64> siblings; // ids in order of creation, this one included
    int branch = 0;           // index of this message in siblings
};

struct SearchHit {
    qint64 chatId = 0;
    qint64 messageId = 0; // 0 = the title matched
    QString title;
    QString excerpt;      // plain text around the match
    qint64 createdAtMs = 0;
};

// What is known of a model file. Facts come from its header and count for this size and modification time only.
struct ModelRecord {
    QString path;
    QString sha256;          // 64 hex digits, or empty when it was never computed
    qint64 sizeBytes = 0;
    qint64 modifiedAtMs = 0;
    QString name, architecture, quantization;
    qint64 trainedContext = 0; // tokens
    qint64 parameters = 0;
    double bitsPerWeight = 0;
    bool hasChatTemplate = false;
    QString problem;         // why it cannot be used, or empty
    QString source;          // where it was downloaded from, or empty
    bool hidden = false;     // removed from the list by the person
    bool addedAlone = false; // chosen as a file, not found in a folder
    qint64 addedAtMs = 0;    // 0 on save = now
};

// A comparison of columns as it was left. What its content and report hold is their owners' matter.
struct ComparisonRecord {
    qint64 id = 0;
    QString title;
    bool titleIsOwn = false; // renamed by the person: what is asked later no longer sets it
    QJsonObject content;
    QString report;          // JSON text, or empty
    qint64 createdAtMs = 0;  // 0 on save = now
    qint64 updatedAtMs = 0;
};

// What a list of comparisons shows of each.
struct ComparisonTitle {
    qint64 id = 0;
    QString title;
    bool hasReport = false;
    qint64 updatedAtMs = 0;
};

// How often each of two levels was preferred by someone who did not know their names.
struct VoteCount {
    QString first, second; // in their order by code points
    int firstWins = 0, secondWins = 0, ties = 0;

    bool operator==(const VoteCount&) const = default;
};

} // namespace steelyard
