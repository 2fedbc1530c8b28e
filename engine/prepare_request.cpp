// What comes before a reply: its prompt, and what of it is kept elsewhere or read elsewhere and must come into the cache first.
#include "engine/engine_thread.h"
#include "engine/prompt_ids.h"

namespace steelyard {

// Work that goes on between steps, and without any.
bool EngineThread::hasUnseenWork() const { return m_model && (m_model->warm->copies() || (m_model->prefill && m_model->prefill->isBusy())); }

Result<ReplyPrompt> EngineThread::checkedPromptOf(const GenerateRequest& request) const {
    if (request.model != m_model->id) return Error{"The model was replaced by another one; send the message again."};
    if (const auto sound = checkOptions(request.sampling, m_model->transformer->spec().vocabulary); !sound) return sound.error();
    if (!m_model->transformer->spec().causal)
        return Error{"This is a diffusion model: it fills in masked tokens instead of continuing a text, and the decoder for that is not here yet. Choose another model for this chat."};
    return promptOf(request);
}

// Whether what a request needs to keep to a form is there.
bool EngineThread::hasTree(const GenerateRequest& request) {
    if (!asksForm(request) || m_model->tokenTrie) return true;
    m_model->tokenTrie = m_model->trieMaker.get(m_model->tokenizer, [this] { m_commands.tryPush(WakeCommand{}); });
    return m_model->tokenTrie != nullptr;
}

// Whether a request can start, or has failed: its prompt is there, and what is kept of it elsewhere is back in the cache.
bool EngineThread::isPrepared(SubmitCommand& command) {
    if (command.prepared) return true;
    if (!hasTree(command.request)) return false;
    const uint64_t chat = command.request.chat;
    if (!command.prompt) {
        if (command.request.temporary) m_model->warm->setTemporary(chat);
        if (!m_model->warm->looked(chat)) return false;
        const auto begin = Clock::now();
        command.prompt = checkedPromptOf(command.request);
        command.tokenizeMs = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    }
    command.prepared = !command.prompt->ok();
    if (command.prepared) return true;
    const auto& ids = (*command.prompt)->ids;
    const bool longFactors = m_model->transformer->spec().takesLongFactors(static_cast<uint32_t>(ids.size()));
    command.prepared = m_model->warm->bringBack(chat, ids, longFactors) && isReadElsewhere(command, longFactors);
    return command.prepared;
}

// Whether the other device, where there is one, has read a request's prompt and handed it over, or has nothing to do with it.
bool EngineThread::isReadElsewhere(SubmitCommand& command, bool longFactors) {
    if (!m_model->prefill) return true;
    auto& side = *m_model->prefill;
    auto handover = side.advance(command.request, (*command.prompt)->ids, longFactors, {m_model->transformer->cache(), *m_model->prefixes});
    if (!handover) {
        command.prompt = Result<ReplyPrompt>(handover.error());
        return true;
    }
    if (*handover) command.handover = std::move(**handover);
    else if (const auto progress = side.progress(command.request.id)) m_events.push(*progress);
    return handover->has_value();
}

// A request that waited is gone; what was made for it goes too.
void EngineThread::giveUp(SubmitCommand& command) {
    if (!m_model) return;
    m_model->warm->giveUp(command.request.chat);
    if (m_model->prefill) m_model->prefill->giveUp(command.request.id);
    if (command.request.model == m_model->id) m_model->transformer->cache().release(command.handover.sequence);
}

Result<PromptTokens> EngineThread::promptTokens(const GenerateRequest& request) const {
    if (!m_model || request.model != m_model->id) return Error{"The model is not loaded."};
    auto prompt = promptIds(*m_model, request);
    if (!prompt) return prompt.error();
    return PromptTokens{std::move(prompt->ids), prompt->replyTokens};
}

Result<uint32_t> EngineThread::carryChat(CarryChatCommand command) {
    std::promise<Result<uint32_t>> answer;
    command.answer = &answer;
    if (!post(command)) return Error{"The engine has too much to do; try again."};
    return answer.get_future().get();
}

Result<uint32_t> EngineThread::carry(const CarryChatCommand& command) {
    if (!m_model || m_model->id != command.model || !m_batch.empty()) return Error{"The model is not loaded or is busy."};
    return command.saves ? m_model->warm->save(command.chat, *command.path) : m_model->warm->restore(command.chat, *command.path);
}

} // namespace steelyard
