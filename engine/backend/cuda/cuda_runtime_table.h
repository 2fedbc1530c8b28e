// The functions of the CUDA runtime that the device needs, as one table, so that tests bind the emulator to it and can let
// any call fail. A status is CUDA's own number, 0 for success. Addresses of device memory are plain 64-bit numbers.
//
// Knows nothing of models or of the engine's errors; cuda_error.h turns a status into a sentence.
#pragma once

#include <cstdint>
#include <string>

namespace steelyard {

class CudaRuntime {
public:
    using Status = int;
    using Stream = void*;
    using Event = void*;
    using Graph = void*;

    static constexpr Status kSuccess = 0, kOutOfMemory = 2, kLaunchFailure = 719;

    struct Properties {
        std::string name;
        uint64_t memoryBytes = 0; // 0 = not known
        int major = 0, minor = 0; // compute capability
        uint32_t multiprocessors = 1;
        bool sharesSystemMemory = false;
    };

    virtual ~CudaRuntime() = default;

    // The newest CUDA version that the driver understands, as 1000 * major + 10 * minor; 0 without a driver.
    virtual Status driverVersion(int& version) = 0;
    virtual Status deviceCount(int& count) = 0;
    virtual Status properties(int device, Properties& properties) = 0;
    // Makes a device the calling thread's own.
    virtual Status setDevice(int device) = 0;
    virtual Status memoryInfo(uint64_t& freeBytes, uint64_t& totalBytes) = 0; // 0, 0 where not known

    virtual Status allocate(uint64_t& address, uint64_t bytes) = 0;
    virtual Status release(uint64_t address) = 0;
    // Memory of the host that the card reads by itself.
    virtual Status allocatePinned(void*& memory, uint64_t bytes) = 0;
    virtual Status releasePinned(void* memory) = 0;

    virtual Status createStream(Stream& stream) = 0;
    virtual Status destroyStream(Stream stream) = 0;
    virtual Status synchronize(Stream stream) = 0;
    virtual Status copyToDevice(uint64_t address, const void* source, uint64_t bytes, Stream stream) = 0;
    virtual Status copyToHost(void* destination, uint64_t address, uint64_t bytes, Stream stream) = 0;

    virtual Status createEvent(Event& event) = 0;
    virtual Status destroyEvent(Event event) = 0;
    virtual Status recordEvent(Event event, Stream stream) = 0;
    virtual Status waitForEvent(Event event) = 0; // the host waits

    // Launches between begin and end are noted in a graph instead of being run.
    virtual Status beginCapture(Stream stream) = 0;
    virtual Status endCapture(Stream stream, Graph& graph) = 0;
    virtual Status launchGraph(Graph graph, Stream stream) = 0;
    virtual Status destroyGraph(Graph graph) = 0;

    // Starts an op; `refusal` says what the op cannot do here, else it is null.
    virtual Status launch(uint32_t op, const void* bytes, Stream stream, const char*& refusal) = 0;

    // The runtime's own words for a status.
    virtual std::string words(Status status) const = 0;
};

} // namespace steelyard
