// Who may include whom, as a table: the longest entry that holds a file decides.
//
// Invariant: a folder may always include itself; what no entry names may include nothing of ours. Knows nothing of files.
#pragma once

#include <QStringList>

namespace steelyard {

struct Arrow {
    QString from;      // a folder or one file
    QStringList to;    // folders or single files
};

inline const QList<Arrow>& arrows() {
    static const QList<Arrow> kArrows = {
        {"kernels", {"kernels"}},

        {"engine", {"engine", "kernels"}},
        {"engine/core", {}},
        {"engine/format", {"engine/core"}},
        {"engine/template", {"engine/core"}},
        {"engine/tokenizer", {"engine/core", "engine/format", "engine/template"}},
        {"engine/backend", {"engine/core", "kernels"}},
        {"engine/quant", {"engine/core", "engine/backend", "engine/format", "kernels"}},
        {"engine/sampling", {"engine/core", "engine/request.h", "engine/tokenizer", "engine/backend", "kernels"}},
        {"engine/cache", {"engine/core", "engine/quant", "engine/backend", "engine/model/model_spec.h", "kernels"}},
        {"engine/cache/block_pool.h", {"engine/core"}},
        {"engine/cache/block_pool.cpp", {"engine/core", "engine/cache/block_pool.h"}},
        {"engine/model", {"engine/core", "engine/cache", "engine/quant", "engine/backend", "engine/format", "kernels"}},
        {"engine/model/architectures", {"engine/core", "engine/format", "engine/model"}},
        {"engine/memory",
         {"engine/core", "engine/model/model_spec.h", "engine/model/activation_layout.h", "engine/cache", "engine/quant",
          "engine/backend", "engine/format", "kernels"}},
        {"engine/scheduler", {"engine/core", "engine/cache/block_pool.h", "engine/cache/prefix_tree.h"}},
        {"engine/decode", {"engine/core", "engine/scheduler", "engine/model", "engine/cache", "engine/sampling", "engine/backend", "kernels"}},
        {"engine/cli", {"engine"}},

        {"gui/theme", {}},
        {"gui/controls", {"gui/theme"}},
        {"gui/engine_client", {"engine"}},
        {"gui/store", {"engine/core"}},
        {"gui/hub", {"engine/core", "gui/store"}},
        {"gui/chat", {"gui/engine_client", "gui/store", "gui/hub", "gui/controls", "gui/theme", "engine/core"}},
        {"gui/library", {"gui/engine_client", "gui/store", "gui/hub", "gui/controls", "gui/theme", "engine/core"}},
        {"gui/memory", {"gui/engine_client", "gui/store", "gui/controls", "gui/theme", "engine/core"}},
        {"gui/settings", {"gui/engine_client", "gui/store", "gui/controls", "gui/theme", "engine/core"}},
        {"gui/shell", {"gui", "engine/core"}},
        {"gui/main.cpp", {"gui", "engine/core"}},

        {"tests", {"tests", "engine", "kernels", "gui"}},
    };
    return kArrows;
}

} // namespace steelyard
