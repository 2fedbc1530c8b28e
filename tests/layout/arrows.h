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
    // What the engine says in the user's words, and what every page stands on.
    static const QStringList plainData = {"engine/core", "engine/request.h", "engine/event.h", "engine/snapshot.h"};
    static const QStringList below = QStringList{"gui/engine_client", "gui/store", "gui/controls", "gui/theme"} + plainData;
    static const QList<Arrow> kArrows = {
        {"kernels", {"kernels"}},

        {"engine", {"engine", "kernels"}},
        {"engine/core", {}},
        {"engine/format", {"engine/core"}},
        {"engine/template", {"engine/core"}},
        {"engine/tokenizer", {"engine/core", "engine/format", "engine/template"}},
        {"engine/backend", {"engine/core", "kernels"}},
        {"engine/backend/vulkan", {"engine/core", "engine/backend", "kernels", "shaders/shader_table.h"}},
        {"engine/quant", {"engine/core", "engine/backend", "engine/format", "kernels"}},
        {"engine/grammar", {"engine/core", "engine/tokenizer"}},
        {"engine/sampling", {"engine/core", "engine/request.h", "engine/grammar", "engine/tokenizer", "engine/backend", "kernels"}},
        {"engine/cache", {"engine/core", "engine/quant", "engine/backend", "engine/format", "engine/model/model_spec.h", "kernels"}},
        {"engine/cache/block_pool.h", {"engine/core"}},
        {"engine/cache/block_pool.cpp", {"engine/core", "engine/cache/block_pool.h"}},
        {"engine/model", {"engine/core", "engine/cache", "engine/quant", "engine/backend", "engine/format", "kernels"}},
        {"engine/model/architectures", {"engine/core", "engine/format", "engine/model"}},
        {"engine/memory",
         {"engine/core", "engine/model/model_spec.h", "engine/model/activations.h", "engine/model/placement.h", "engine/model/weights.h",
          "engine/cache",
          "engine/quant", "engine/backend", "engine/format", "kernels"}},
        {"engine/scheduler", {"engine/core", "engine/cache/block_pool.h", "engine/cache/prefix_tree.h"}},
        {"engine/decode",
         {"engine/core", "engine/request.h", "engine/event.h", "engine/scheduler", "engine/model", "engine/cache", "engine/sampling",
          "engine/grammar", "engine/tokenizer", "engine/backend", "kernels"}},
        {"engine/cli", {"engine"}},

        {"gui/theme", {}},
        {"gui/controls", {"gui/theme"}},
        {"gui/engine_client", {"engine"}},
        {"gui/store", {"engine/core"}},
        {"gui/hub", {"engine/core", "gui/store"}},
        {"gui/chat", below + QStringList{"gui/hub"}},
        {"gui/library", below + QStringList{"gui/hub"}},
        {"gui/compare", below},
        {"gui/memory", below},
        {"gui/settings", below},
        {"gui/shell", QStringList{"gui"} + plainData},
        {"gui/main.cpp", QStringList{"gui"} + plainData},

        {"tests", {"tests", "engine", "kernels", "gui"}},
    };
    return kArrows;
}

} // namespace steelyard
