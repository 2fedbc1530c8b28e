#include "engine/backend/cuda/emulated_runtime.h"

#include "kernels/emulator/stream.h"
#include "kernels/launchers.h"

#include <cstring>
#include <map>
#include <new>

namespace steelyard {

namespace {

constexpr std::align_val_t kAlignment{256};

class EmulatedRuntime : public CudaRuntime {
public:
    EmulatedRuntime(const EmulatedOptions& options, std::shared_ptr<EmulatedUse> use)
        : m_options(options), m_use(use ? std::move(use) : std::make_shared<EmulatedUse>()) {}

    Status driverVersion(int& version) override {
        version = m_options.driverVersion;
        return count();
    }
    Status deviceCount(int& devices) override {
        devices = m_options.cards;
        const Status status = count();
        return m_options.countStatus ? m_options.countStatus : status;
    }
    Status properties(int, Properties& properties) override {
        properties.name = "CUDA kernels on the processor";
        properties.memoryBytes = m_options.memoryBytes;
        properties.major = m_options.major;
        properties.minor = m_options.minor;
        properties.multiprocessors = m_options.multiprocessors;
        properties.sharesSystemMemory = true;
        return count();
    }
    Status setDevice(int) override { return count(); }
    Status memoryInfo(uint64_t& freeBytes, uint64_t& totalBytes) override {
        totalBytes = m_options.memoryBytes;
        freeBytes = totalBytes > m_taken ? totalBytes - m_taken : 0;
        return count();
    }

    Status allocate(uint64_t& address, uint64_t bytes) override {
        if (const Status status = count()) return status;
        if (m_options.memoryBytes > 0 && (bytes > m_options.memoryBytes || m_taken > m_options.memoryBytes - bytes))
            return kOutOfMemory;
        void* memory = ::operator new(bytes, kAlignment, std::nothrow);
        if (!memory) return kOutOfMemory;
        address = reinterpret_cast<uint64_t>(memory);
        m_sizes[address] = bytes;
        m_taken += bytes;
        ++m_use->live;
        return kSuccess;
    }
    Status release(uint64_t address) override {
        const Status status = count();
        const auto place = m_sizes.find(address);
        if (place == m_sizes.end()) return kInvalidValue;
        m_taken -= place->second;
        m_sizes.erase(place);
        ::operator delete(reinterpret_cast<void*>(address), kAlignment);
        --m_use->live;
        return status;
    }
    Status allocatePinned(void*& memory, uint64_t bytes) override {
        if (const Status status = count()) return status;
        memory = ::operator new(bytes, kAlignment, std::nothrow);
        if (!memory) return kOutOfMemory;
        ++m_use->live;
        return kSuccess;
    }
    Status releasePinned(void* memory) override {
        ::operator delete(memory, kAlignment);
        --m_use->live;
        return count();
    }

    Status createStream(Stream& stream) override {
        if (const Status status = count()) return status;
        stream = new emulator::Stream(m_options.seed);
        ++m_use->live;
        return kSuccess;
    }
    Status destroyStream(Stream stream) override {
        delete static_cast<emulator::Stream*>(stream);
        --m_use->live;
        return count();
    }
    Status synchronize(Stream stream) override { return count(stream); }
    Status copyToDevice(uint64_t address, const void* source, uint64_t bytes, Stream stream) override {
        if (const Status status = count(stream)) return status;
        std::memcpy(reinterpret_cast<void*>(address), source, bytes);
        return kSuccess;
    }
    Status copyToHost(void* destination, uint64_t address, uint64_t bytes, Stream stream) override {
        if (const Status status = count(stream)) return status;
        std::memcpy(destination, reinterpret_cast<const void*>(address), bytes);
        return kSuccess;
    }

    // Work is done when it is submitted: an event has always happened.
    Status createEvent(Event& event) override {
        if (const Status status = count()) return status;
        event = new char(0);
        ++m_use->live;
        return kSuccess;
    }
    Status destroyEvent(Event event) override {
        delete static_cast<char*>(event);
        --m_use->live;
        return count();
    }
    Status recordEvent(Event, Stream stream) override { return count(stream); }
    Status waitForEvent(Event) override { return count(); }

    Status beginCapture(Stream stream) override {
        if (const Status status = count(stream)) return status;
        static_cast<emulator::Stream*>(stream)->beginRecording();
        return kSuccess;
    }
    Status endCapture(Stream stream, Graph& graph) override {
        auto recording = static_cast<emulator::Stream*>(stream)->endRecording();
        if (const Status status = count(stream)) return status;
        graph = new emulator::Stream::Recording(std::move(recording));
        ++m_use->live;
        return kSuccess;
    }
    Status launchGraph(Graph graph, Stream stream) override {
        if (const Status status = count(stream)) return status;
        static_cast<emulator::Stream*>(stream)->replay(*static_cast<const emulator::Stream::Recording*>(graph));
        return kSuccess;
    }
    Status destroyGraph(Graph graph) override {
        delete static_cast<emulator::Stream::Recording*>(graph);
        --m_use->live;
        return count();
    }

    Status launch(uint32_t op, const void* bytes, Stream stream, const char*& refusal) override {
        if (const Status status = count(stream)) return status;
        refusal = m_launchers[op](bytes, stream);
        return kSuccess;
    }

    std::string words(Status status) const override {
        if (!m_problem.empty()) return m_problem;
        return status == kLaunchFailure ? "unspecified launch failure" : "emulated failure";
    }

private:
    static constexpr Status kInvalidValue = 1;

    Status count() {
        const uint64_t call = ++m_use->calls;
        const bool fails = m_options.failingCall > 0 &&
                           (call == m_options.failingCall || (m_options.failsForever && call > m_options.failingCall));
        return fails ? m_options.failure : kSuccess;
    }
    // Also what an earlier kernel on the stream did.
    Status count(Stream stream) {
        const auto& problem = static_cast<emulator::Stream*>(stream)->problem();
        if (!problem.empty()) m_problem = problem;
        const Status status = count();
        return problem.empty() ? status : kLaunchFailure;
    }

    EmulatedOptions m_options;
    std::shared_ptr<EmulatedUse> m_use;
    std::array<kernels::Launcher, ops::AllOps::count> m_launchers = kernels::launchers<kernels::EmulatedTarget>();
    std::map<uint64_t, uint64_t> m_sizes; // address to bytes
    uint64_t m_taken = 0;
    std::string m_problem;
};

} // namespace

std::shared_ptr<CudaRuntime> makeEmulatedRuntime(const EmulatedOptions& options, std::shared_ptr<EmulatedUse> use) {
    return std::make_shared<EmulatedRuntime>(options, std::move(use));
}

} // namespace steelyard
