// Working memory that grows to the largest size asked for and stays, aligned to cache lines; contents are not kept.
#pragma once

#include <cstdint>
#include <memory>
#include <new>

namespace steelyard::cpu {

class Scratch {
public:
    // At least `count` values of T.
    template <class T>
    T* need(uint64_t count) {
        const uint64_t bytes = count * sizeof(T) + 64;
        if (bytes > m_bytes) {
            m_memory.reset();
            m_memory.reset(static_cast<unsigned char*>(::operator new(bytes, std::align_val_t(64))));
            m_bytes = bytes;
        }
        return reinterpret_cast<T*>(m_memory.get());
    }

private:
    struct Free {
        void operator()(unsigned char* memory) const { ::operator delete(memory, std::align_val_t(64)); }
    };
    std::unique_ptr<unsigned char, Free> m_memory;
    uint64_t m_bytes = 0;
};

} // namespace steelyard::cpu
