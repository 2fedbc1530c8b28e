// Reads what a person pastes as the address of a model.
//
// Invariant: an address that passes names one .gguf file at an http(s) host, without user name or password, and a safe
// name to store it under. No request is made here. Knows nothing of transfers.
#pragma once

#include "engine/core/result.h"

#include <QString>
#include <QUrl>

namespace steelyard {

struct ModelAddress {
    QUrl url;         // to be asked for
    QString fileName; // safe, ends in .gguf
    QString label;    // for people: "owner/name/file.gguf", or host and file
};

// `hub` is the hub's base, for instance https://huggingface.co or a mirror of it. Accepted: a full address of a file (pages
// of the hub that show a file are turned into the file), and the hub's short form owner/name/file.gguf.
Result<ModelAddress> readModelAddress(const QString& text, const QUrl& hub);

// https://huggingface.co, or what STEELYARD_HUB says.
QUrl defaultHub();

} // namespace steelyard
