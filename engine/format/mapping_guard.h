// Keeps the process alive when a mapped file shrinks: memory beyond the file's new end cannot be read, and the system
// would end the process for trying. From then on such memory reads as zeros, and MappedFile::stillWhole() tells that the
// file changed. A signal belongs to the whole process, so the list of guarded mappings does too; it is the only such
// thing in this folder. Knows nothing of what is mapped.
#pragma once

#include <cstddef>

namespace steelyard {

// Guards a mapping until it is released. More than some thousand at once are not guarded.
void guardMapping(const void* data, size_t size);
void releaseMapping(const void* data);

} // namespace steelyard
