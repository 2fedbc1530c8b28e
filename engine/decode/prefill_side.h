// A second device that reads prompts for the one that decodes, and hands the pages over.
//
// It has the same model with a cache of the same layout, and a prefix tree of its own. One prompt is read at a time: all but
// its last token, a chunk between two steps of the other device; then its pages go over in slices. The last token is read where
// the decoding goes on. Knows nothing of replies. Used by the engine thread.
#pragma once

#include "engine/cache/prefix_cache.h"
#include "engine/event.h"
#include "engine/model/transformer.h"
#include "engine/request.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace steelyard {

// What came over of a prompt, and what it took.
struct Handover {
    CachedSequence sequence;     // in the cache of the device that decodes; empty when nothing came over
    uint32_t reusedTokens = 0;   // that the reading device had already
    std::string reuseReason;
    double prefillMs = 0, transferMs = 0;
    uint64_t transferBytes = 0;
};

class PrefillSide {
public:
    PrefillSide(std::unique_ptr<Device> device, std::unique_ptr<Transformer> transformer);
    ~PrefillSide();
    PrefillSide(const PrefillSide&) = delete;
    PrefillSide& operator=(const PrefillSide&) = delete;

    struct Target { // the device that decodes
        KvCache& cache;
        PrefixCache& prefixes;
    };
    // A chunk or slice of a request's prompt; the handover when all is there, and an error when it fails. Nothing while it goes on,
    // or while another request's goes on: ask again after a step. A prompt of which the target lacks little is left to it.
    Result<std::optional<Handover>> advance(const GenerateRequest& request, const std::vector<int32_t>& ids, bool longFactors, Target target);
    // The request is gone.
    void giveUp(RequestId id);
    bool isBusy() const { return m_job != nullptr; }
    // How far a request's prompt is, while it is read.
    std::optional<PromptProgress> progress(RequestId id) const;
    void forget(uint64_t chat) { m_prefixes.forget(chat); }

    const Transformer& transformer() const { return *m_transformer; }
    const Device& device() const { return *m_device; }
    const PrefixCache& prefixes() const { return m_prefixes; }

private:
    struct Job {
        RequestId id = 0;
        CachedSequence sequence; // here
        Handover done;
        std::optional<HeldPages> here, there;
        PageImage image;
        std::shared_ptr<std::vector<uint8_t>> bytes;
        std::optional<PageCopy> out, in;
        uint32_t tokens = 0;
    };
    Result<void> readChunk(const std::vector<int32_t>& ids, bool longFactors);
    Result<bool> transfer(Target target);
    void end();

    std::unique_ptr<Device> m_device;
    std::unique_ptr<Transformer> m_transformer;
    PrefixCache m_prefixes;
    LossWatch m_watch;
    std::unique_ptr<Job> m_job; // null: none
    KvCache* m_target = nullptr; // of the job's pages there
};

} // namespace steelyard
