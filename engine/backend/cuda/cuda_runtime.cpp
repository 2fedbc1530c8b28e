#include "engine/backend/cuda/cuda_runtime.h"

#include "kernels/launchers.h"

#include <cuda_runtime_api.h>

namespace steelyard {

namespace {

cudaStream_t asStream(void* stream) { return static_cast<cudaStream_t>(stream); }
cudaEvent_t asEvent(void* event) { return static_cast<cudaEvent_t>(event); }

// A failed call also leaves its number behind for the next question; that must not be taken for a later call's.
CudaRuntime::Status done(cudaError_t error) {
    if (error != cudaSuccess) cudaGetLastError();
    return static_cast<CudaRuntime::Status>(error);
}

class NvidiaRuntime : public CudaRuntime {
public:
    Status driverVersion(int& version) override { return done(cudaDriverGetVersion(&version)); }
    Status deviceCount(int& count) override { return done(cudaGetDeviceCount(&count)); }
    Status properties(int device, Properties& properties) override {
        cudaDeviceProp found{};
        if (const Status status = done(cudaGetDeviceProperties(&found, device))) return status;
        properties.name = found.name;
        properties.memoryBytes = found.totalGlobalMem;
        properties.major = found.major;
        properties.minor = found.minor;
        properties.multiprocessors = static_cast<uint32_t>(found.multiProcessorCount);
        properties.sharesSystemMemory = found.integrated != 0;
        return kSuccess;
    }
    Status setDevice(int device) override { return done(cudaSetDevice(device)); }
    Status memoryInfo(uint64_t& freeBytes, uint64_t& totalBytes) override {
        size_t free = 0, total = 0;
        const Status status = done(cudaMemGetInfo(&free, &total));
        freeBytes = free;
        totalBytes = total;
        return status;
    }

    Status allocate(uint64_t& address, uint64_t bytes) override {
        void* memory = nullptr;
        const Status status = done(cudaMalloc(&memory, bytes));
        address = reinterpret_cast<uint64_t>(memory);
        return status;
    }
    Status release(uint64_t address) override { return done(cudaFree(reinterpret_cast<void*>(address))); }
    Status allocatePinned(void*& memory, uint64_t bytes) override {
        return done(cudaHostAlloc(&memory, bytes, cudaHostAllocDefault));
    }
    Status releasePinned(void* memory) override { return done(cudaFreeHost(memory)); }

    Status createStream(Stream& stream) override {
        cudaStream_t created = nullptr;
        const Status status = done(cudaStreamCreateWithFlags(&created, cudaStreamNonBlocking));
        stream = created;
        return status;
    }
    Status destroyStream(Stream stream) override { return done(cudaStreamDestroy(asStream(stream))); }
    Status synchronize(Stream stream) override { return done(cudaStreamSynchronize(asStream(stream))); }
    Status copyToDevice(uint64_t address, const void* source, uint64_t bytes, Stream stream) override {
        return done(cudaMemcpyAsync(reinterpret_cast<void*>(address), source, bytes, cudaMemcpyHostToDevice, asStream(stream)));
    }
    Status copyToHost(void* destination, uint64_t address, uint64_t bytes, Stream stream) override {
        const auto* source = reinterpret_cast<const void*>(address);
        return done(cudaMemcpyAsync(destination, source, bytes, cudaMemcpyDeviceToHost, asStream(stream)));
    }

    Status createEvent(Event& event) override {
        cudaEvent_t created = nullptr;
        const Status status = done(cudaEventCreateWithFlags(&created, cudaEventDisableTiming));
        event = created;
        return status;
    }
    Status destroyEvent(Event event) override { return done(cudaEventDestroy(asEvent(event))); }
    Status recordEvent(Event event, Stream stream) override { return done(cudaEventRecord(asEvent(event), asStream(stream))); }
    Status waitForEvent(Event event) override { return done(cudaEventSynchronize(asEvent(event))); }

    Status beginCapture(Stream stream) override {
        return done(cudaStreamBeginCapture(asStream(stream), cudaStreamCaptureModeThreadLocal));
    }
    Status endCapture(Stream stream, Graph& graph) override {
        cudaGraph_t captured = nullptr;
        if (const Status status = done(cudaStreamEndCapture(asStream(stream), &captured))) return status;
        cudaGraphExec_t executable = nullptr;
        const Status status = done(cudaGraphInstantiateWithFlags(&executable, captured, 0));
        cudaGraphDestroy(captured);
        graph = executable;
        return status;
    }
    Status launchGraph(Graph graph, Stream stream) override {
        return done(cudaGraphLaunch(static_cast<cudaGraphExec_t>(graph), asStream(stream)));
    }
    Status destroyGraph(Graph graph) override { return done(cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(graph))); }

    Status launch(uint32_t op, const void* bytes, Stream stream, const char*& refusal) override {
        refusal = m_launchers[op](bytes, stream);
        return done(cudaGetLastError());
    }

    std::string words(Status status) const override { return cudaGetErrorString(static_cast<cudaError_t>(status)); }

private:
    std::array<kernels::Launcher, ops::AllOps::count> m_launchers = kernels::launchers<kernels::CudaTarget>();
};

} // namespace

std::shared_ptr<CudaRuntime> makeCudaRuntime() { return std::make_shared<NvidiaRuntime>(); }

int cudaLibraryVersion() { return CUDART_VERSION; }

} // namespace steelyard
