// A queue of launches as the emulator understands it: work runs as soon as it is submitted, or is noted while the stream
// records, to be run by each replay. Problems stick until they are taken, as on a card.
#pragma once

#include "kernels/emulator/emulator.h"

#include <functional>
#include <string>
#include <vector>

namespace steelyard::emulator {

class Stream {
public:
    using Work = std::function<void(Emulator&)>;
    using Recording = std::vector<Work>;

    explicit Stream(uint64_t seed = 1, bool shuffled = true) : m_emulator(seed, shuffled) {}

    void submit(Work work) {
        if (m_isRecording) m_recording.push_back(std::move(work));
        else if (m_problem.empty()) run(work);
    }
    void beginRecording() { m_isRecording = true; }
    Recording endRecording() {
        m_isRecording = false;
        return std::exchange(m_recording, {});
    }
    void replay(const Recording& recording) {
        for (const auto& work : recording)
            if (m_problem.empty()) run(work);
    }
    // What a kernel did wrong; empty when nothing.
    const std::string& problem() const { return m_problem; }

private:
    void run(const Work& work) {
        work(m_emulator);
        m_problem = m_emulator.takeProblem();
    }
    Emulator m_emulator;
    Recording m_recording;
    bool m_isRecording = false;
    std::string m_problem;
};

} // namespace steelyard::emulator
