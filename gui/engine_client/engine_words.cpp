#include "gui/engine_client/engine_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>
#include <QVector>

namespace steelyard {

namespace {

// The engine's sentences, %1 to %5 for what it fills in. The first row that fits counts, so that a longer one stands before
// a shorter one that would fit too.
constexpr const char* kEngine[] = {
    QT_TRANSLATE_NOOP("EngineWords", "%1 bytes"),
    QT_TRANSLATE_NOOP("EngineWords", "%1 kB"),
    QT_TRANSLATE_NOOP("EngineWords", "%1 MB"),
    QT_TRANSLATE_NOOP("EngineWords", "%1 GB"),
    QT_TRANSLATE_NOOP("EngineWords", "%1 MiB"),
    QT_TRANSLATE_NOOP("EngineWords", "%1 GiB"),
    QT_TRANSLATE_NOOP("EngineWords", "\"%1\" cannot be read. %2"),
    QT_TRANSLATE_NOOP("EngineWords", "This is an old GGML file from before GGUF; get the model again as a GGUF file."),
    QT_TRANSLATE_NOOP("EngineWords", "This is a web page, not a model: the download saved a page of the site. Copy the address of the file itself."),
    QT_TRANSLATE_NOOP("EngineWords", "This file begins with GGUF in reverse order: it was written for a big-endian machine or is damaged. Get a little-endian GGUF file."),
    QT_TRANSLATE_NOOP("EngineWords", "This is a Git LFS pointer, not the model: the real file has to be downloaded with Git LFS or from the site."),
    QT_TRANSLATE_NOOP("EngineWords", "This is a zip archive (perhaps a PyTorch checkpoint), not a GGUF model."),
    QT_TRANSLATE_NOOP("EngineWords", "This is a gzip archive, not a GGUF model; unpack it first."),
    QT_TRANSLATE_NOOP("EngineWords", "This is a 7-Zip archive, not a GGUF model; unpack it first."),
    QT_TRANSLATE_NOOP("EngineWords", "This is a PyTorch checkpoint, not a GGUF model."),
    QT_TRANSLATE_NOOP("EngineWords", "This is a PDF document, not a model."),
    QT_TRANSLATE_NOOP("EngineWords", "This is a SafeTensors file, not a GGUF model; get the model's GGUF version."),
    QT_TRANSLATE_NOOP("EngineWords", "This is a JSON text (perhaps an error message of the site), not a model: it begins with \"%1\"."),
    QT_TRANSLATE_NOOP("EngineWords", "This is not a GGUF file: it has only %1 bytes, fewer than a GGUF head."),
    QT_TRANSLATE_NOOP("EngineWords", "This is not a GGUF file: it has only %1 bytes."),
    QT_TRANSLATE_NOOP("EngineWords", "This is not a GGUF file: it begins with \"%1\" instead of \"GGUF\"."),
    QT_TRANSLATE_NOOP("EngineWords", "The GGUF version is 0, which is invalid: the file is damaged."),
    QT_TRANSLATE_NOOP("EngineWords", "GGUF version 1 is no longer supported; get the model as GGUF version 3."),
    QT_TRANSLATE_NOOP("EngineWords", "This is a big-endian GGUF file (version %1); get the little-endian one."),
    QT_TRANSLATE_NOOP("EngineWords", "The file needs a newer version of the program: its GGUF version is %1, and versions 2 and 3 are known."),
    QT_TRANSLATE_NOOP("EngineWords", "The key count %1 cannot fit in %2 bytes."),
    QT_TRANSLATE_NOOP("EngineWords", "The tensor count %1 cannot fit in %2 bytes."),
    QT_TRANSLATE_NOOP("EngineWords", "Key %1 of %2"),
    QT_TRANSLATE_NOOP("EngineWords", "Tensor %1 of %2"),
    QT_TRANSLATE_NOOP("EngineWords", "Tensor \"%1\""),
    QT_TRANSLATE_NOOP("EngineWords", "The value of \"%1\""),
    QT_TRANSLATE_NOOP("EngineWords", "Array \"%1\""),
    QT_TRANSLATE_NOOP("EngineWords", "%1 is missing: the key section ends early."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 is missing: the tensor section ends early."),
    QT_TRANSLATE_NOOP("EngineWords", "The type of key \"%1\" is missing: the file ends early."),
    QT_TRANSLATE_NOOP("EngineWords", "The value of \"%1\" is missing: the file ends early."),
    QT_TRANSLATE_NOOP("EngineWords", "The offset of tensor \"%1\" is missing: the file ends early."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 is missing: the file ends early."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 ends early."),
    QT_TRANSLATE_NOOP("EngineWords", "Element %1 of array \"%2\" has length %3, but only %4 bytes are left in the file."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 has length %2, but only %3 bytes are left in the file."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 has a name of length %2, but only %3 bytes are left in the file."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 has count %2, but only %3 bytes are left in the file."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 has length %2, beyond the limit of %3."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 has a name of length %2, beyond the limit of %3: the tensor section is unreadable."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 has count %2, beyond the limit of %3."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 is empty: a key needs a name."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 has an empty name."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 has a name that is not valid text: \"%2\"."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 is not valid text: \"%2\"."),
    QT_TRANSLATE_NOOP("EngineWords", "Key \"%1\" has the unknown type %2."),
    QT_TRANSLATE_NOOP("EngineWords", "The file has the duplicate key \"%1\"."),
    QT_TRANSLATE_NOOP("EngineWords", "The file has the duplicate tensor \"%1\"."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 has the unknown tensor type %2; the file needs a newer version of the program."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 has the unknown tensor type %2."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 has type %2, which was removed from the format; get a newer quantization of this model."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 has %2 dimensions; 1 to %3 are possible."),
    QT_TRANSLATE_NOOP("EngineWords", "%1: dimension %2 is zero."),
    QT_TRANSLATE_NOOP("EngineWords", "%1: dimension %2 is %3, which is no possible size."),
    QT_TRANSLATE_NOOP("EngineWords", "%1: the element count overflows at dimension %2 of size %3."),
    QT_TRANSLATE_NOOP("EngineWords", "%1: the row length %2 is not a multiple of %3, the block of type %4."),
    QT_TRANSLATE_NOOP("EngineWords", "%1: the byte size overflows."),
    QT_TRANSLATE_NOOP("EngineWords", "The start of the tensor data overflows."),
    QT_TRANSLATE_NOOP("EngineWords", "The file has no tensor data: it ends at %1, where the data should begin at %2."),
    QT_TRANSLATE_NOOP("EngineWords", "Tensor \"%1\" at offset %2"),
    QT_TRANSLATE_NOOP("EngineWords", "%1 is not aligned to %2 bytes."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 overlaps the tensor before it, which ends at %2."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 with %2 bytes: the total size overflows."),
    QT_TRANSLATE_NOOP("EngineWords", "The file is incomplete: its tensors need %1 bytes, but it has %2. Download it again or let the download finish."),
    QT_TRANSLATE_NOOP("EngineWords", "A second GGUF file is glued behind the first: two files were joined. Only the first is used."),
    QT_TRANSLATE_NOOP("EngineWords", "The file has %1 bytes behind its tensors, which are ignored."),
    QT_TRANSLATE_NOOP("EngineWords", "The file %1 cannot be opened: %2."),
    QT_TRANSLATE_NOOP("EngineWords", "The file %1 cannot be read: %2."),
    QT_TRANSLATE_NOOP("EngineWords", "No such file or directory"),
    QT_TRANSLATE_NOOP("EngineWords", "Permission denied"),
    QT_TRANSLATE_NOOP("EngineWords", "Input/output error"),
    QT_TRANSLATE_NOOP("EngineWords", "Cannot allocate memory"),
    QT_TRANSLATE_NOOP("EngineWords", "it is a folder"),
    QT_TRANSLATE_NOOP("EngineWords", "it is empty (not a GGUF file: only 0 bytes)"),
    QT_TRANSLATE_NOOP("EngineWords", "it is not an ordinary file"),
    QT_TRANSLATE_NOOP("EngineWords", "Part %1 of %2, \"%3\", is missing. Get it too and put it beside the others."),
    QT_TRANSLATE_NOOP("EngineWords", "Part %1 of %2, \"%3\", cannot be used. %4"),
    QT_TRANSLATE_NOOP("EngineWords", "The parts of this model were joined into one file, and that is not how they are used: keep the parts as separate files."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 Its name says that it is a raw piece of a larger file: join all pieces in their order into one file first."),
    QT_TRANSLATE_NOOP("EngineWords", "This is a projector (mmproj): it lets a language model see or hear, and belongs beside that model's own file. Open the model instead."),
    QT_TRANSLATE_NOOP("EngineWords", "This is an adapter (LoRA): a change to a language model, not a model. Open the model that it was made for."),
    QT_TRANSLATE_NOOP("EngineWords", "This is an importance matrix, which helps to quantize a model; it is not a model."),
    QT_TRANSLATE_NOOP("EngineWords", "This is a control vector: it steers a language model and is not a model itself."),
    QT_TRANSLATE_NOOP("EngineWords", "This is an embedding model: it turns texts into vectors for searching and writes no answers."),
    QT_TRANSLATE_NOOP("EngineWords", "This is a speech model: it turns speech into text or text into speech and writes no answers."),
    QT_TRANSLATE_NOOP("EngineWords", "This is an image or video model: it makes pictures and writes no answers."),
    QT_TRANSLATE_NOOP("EngineWords", "This is a speech model (Whisper): it turns speech into text and writes no answers."),
    QT_TRANSLATE_NOOP("EngineWords", "The file has no weights: it holds a vocabulary or other keys, but no model."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 must be true or false (1 or 0), not %2."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 must hold true or false (1 or 0) only."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 must be finite."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 has elements of the unknown type %2."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 holds arrays: nested arrays are not supported."),
    QT_TRANSLATE_NOOP("EngineWords", "\"general.alignment\" must be a u32, but it is of type %1."),
    QT_TRANSLATE_NOOP("EngineWords", "\"general.alignment\" is %1, but the alignment must be a power of two between 1 and %2."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 with %2 bytes is not where it is expected: at offset %3."),
    QT_TRANSLATE_NOOP("EngineWords", "\"%1\" must be %2, but it is of type %3."),
    QT_TRANSLATE_NOOP("EngineWords", "an unsigned integer"),
    QT_TRANSLATE_NOOP("EngineWords", "a number"),
    QT_TRANSLATE_NOOP("EngineWords", "true or false"),
    QT_TRANSLATE_NOOP("EngineWords", "a text"),
    QT_TRANSLATE_NOOP("EngineWords", "an array of texts"),
    QT_TRANSLATE_NOOP("EngineWords", "an array of integers"),
    QT_TRANSLATE_NOOP("EngineWords", "an array of floating-point numbers"),
    QT_TRANSLATE_NOOP("EngineWords", "\"%1\" must be an unsigned integer, but it is %2."),
    QT_TRANSLATE_NOOP("EngineWords", "Element %1 of \"%2\" is %3, which is too large."),
    QT_TRANSLATE_NOOP("EngineWords", "Element %1 of \"%2\" must be finite."),
    QT_TRANSLATE_NOOP("EngineWords", "\"%1\" is part %2 of a model in %3 parts (\"split.no\", \"split.count\"), but its name does not say so: let it end in \"%4\", with the others beside it."),
    QT_TRANSLATE_NOOP("EngineWords", "\"%1\" is part %2 of a model in %3 parts (\"split.no\", \"split.count\"), but its name says part %4 of %5: it was mixed up or renamed."),
    QT_TRANSLATE_NOOP("EngineWords", "Part %1 of %2, \"%3\", is wrong: %4"),
    QT_TRANSLATE_NOOP("EngineWords", "Part %1 of %2, \"%3\", does not say which part it is (\"split.no\" or \"split.count\" is missing)."),
    QT_TRANSLATE_NOOP("EngineWords", "Part %1 of %2, \"%3\", belongs to a model in %4 parts (\"split.count\"), not %5: parts of two models were mixed up."),
    QT_TRANSLATE_NOOP("EngineWords", "Part %1 of %2, \"%3\", says that it is part %4 (\"split.no\"): it was mixed up or renamed."),
    QT_TRANSLATE_NOOP("EngineWords", "The number of this part (\"split.no\") is %1, but \"split.count\" is %2: parts count from 0."),
    QT_TRANSLATE_NOOP("EngineWords", "The parts hold %1 tensors together, but the model has %2 (\"split.tensors.count\"): parts of two models were mixed up."),
    QT_TRANSLATE_NOOP("EngineWords", "The tensor %1 holds the factor %2; factors must be above zero."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 is %2; it must be even and at most the head size %3."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 is \"%2\", which is not known."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 must have one value for each of the %2 layers."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 has %2 values, and none for layer %3."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 is %2 for layer %3, which is out of range."),
    QT_TRANSLATE_NOOP("EngineWords", "The tensor %1 has %2 rows, which is too many."),
    QT_TRANSLATE_NOOP("EngineWords", "The tensor %1 has rows of %2, which is too many."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 is %2, which does not divide the %3 heads."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 is 0 for layer %2, which has a feed-forward."),
    QT_TRANSLATE_NOOP("EngineWords", "The file has the tensor %1, but %2 is %3."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 leaves no layers."),
    QT_TRANSLATE_NOOP("EngineWords", "token_embd.weight has rows of %1, expected %2."),
    QT_TRANSLATE_NOOP("EngineWords", "The vocabulary of %1 tokens is too large."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 is %2, which is no multiple of the %3 of %4."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 is %2, and the file has no tensors of experts."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 does not divide the %2 experts."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 is %2; it must be more than the %3 values that turn."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 is %2; it must be at least the %3 values that turn."),
    QT_TRANSLATE_NOOP("EngineWords", "ssm.inner_size is %1, which does not divide evenly among ssm.time_step_rank, %2, and ssm.group_count, %3."),
    QT_TRANSLATE_NOOP("EngineWords", "The tensors of layer %1 do not fit heads of %2."),
    QT_TRANSLATE_NOOP("EngineWords", "The file does not say how its vocabulary cuts words (\"tokenizer.ggml.pre\" is missing); get a newer GGUF of this model."),
    QT_TRANSLATE_NOOP("EngineWords", "Merge %1 of \"tokenizer.ggml.merges\" is malformed or has unknown parts."),
    QT_TRANSLATE_NOOP("EngineWords", "Token %1 of \"tokenizer.ggml.tokens\" has a malformed escape."),
    QT_TRANSLATE_NOOP("EngineWords", "Byte token %1 is malformed: it must be spelled <0x00> to <0xFF>."),
    QT_TRANSLATE_NOOP("EngineWords", "\"%1\" must be an array of %2, but its element type is %3."),
    QT_TRANSLATE_NOOP("EngineWords", "\"%1\" has %2 entries for %3 tokens."),
    QT_TRANSLATE_NOOP("EngineWords", "\"%1\" has %2 scores for %3 tokens."),
    QT_TRANSLATE_NOOP("EngineWords", "\"%1\" is %2, outside the vocabulary of %3 tokens."),
    QT_TRANSLATE_NOOP("EngineWords", "\"%1\" has %2 tokens, beyond the limit of %3."),
    QT_TRANSLATE_NOOP("EngineWords", "\"tokenizer.ggml.precompiled_charsmap\" is damaged: %1."),
    QT_TRANSLATE_NOOP("EngineWords", "This is a diffusion model: it fills in masked tokens instead of continuing a text, and the decoder for that is not here yet. Choose another model for this chat."),
    QT_TRANSLATE_NOOP("EngineWords", "Layer %1 lacks its attention, its experts or a norm."),
    QT_TRANSLATE_NOOP("EngineWords", "deepseek4 has one key head whose values are its keys, and heads in equal groups; this file's numbers do not fit."),
    QT_TRANSLATE_NOOP("EngineWords", "The first layers of this model choose experts by token (deepseek4.hash_layer_count), which is not supported."),
    QT_TRANSLATE_NOOP("EngineWords", "evicted"),
    QT_TRANSLATE_NOOP("EngineWords", "recurrent state"),
    QT_TRANSLATE_NOOP("EngineWords", "rope factors"),
    QT_TRANSLATE_NOOP("EngineWords", "%1 is %2 for layer %3; it must be between %4 and %5."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 must be true or false."),
    QT_TRANSLATE_NOOP("EngineWords", "The tensor %1 has %2 values, expected %3."),
    QT_TRANSLATE_NOOP("EngineWords", "The vocabulary has no token for byte %1 and no unknown token (\"tokenizer.ggml.unknown_token_id\"), so some texts could not be read."),
    QT_TRANSLATE_NOOP("EngineWords", "The number of parts (\"split.count\") is %1; 1 to %2 are possible."),
    QT_TRANSLATE_NOOP("EngineWords", "Part %1 of %2, \"%3\", belongs to another model: its key \"%4\" is not that of the first part."),
    QT_TRANSLATE_NOOP("EngineWords", "The tensor \"%1\" stands in part %2 and in part %3 of the model: parts were mixed up."),
    QT_TRANSLATE_NOOP("EngineWords", "it changed meanwhile and is shorter now; load it again"),
    QT_TRANSLATE_NOOP("EngineWords", "%1 is too large for this device"),
    QT_TRANSLATE_NOOP("EngineWords", "The file keeps keys and values of its latent attention in one tensor, an old form; a newer conversion of the model is needed."),
    QT_TRANSLATE_NOOP("EngineWords", "The file does not say its architecture (key general.architecture)."),
    QT_TRANSLATE_NOOP("EngineWords", "The model's architecture \"%1\" is not known to this version."),
    QT_TRANSLATE_NOOP("EngineWords", "The file has no key %1."),
    QT_TRANSLATE_NOOP("EngineWords", "The file has no tensor %1."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 is %2; it must be between %3 and %4."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 has %2 values for %3 layers."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 is %2, which is out of range."),
    QT_TRANSLATE_NOOP("EngineWords", "The tensor %1 has shape %2, expected %3."),
    QT_TRANSLATE_NOOP("EngineWords", "The tensor %1 has type %2, which a norm or bias cannot have."),
    QT_TRANSLATE_NOOP("EngineWords", "The tensor %1 cannot be used on %2: %3."),
    QT_TRANSLATE_NOOP("EngineWords", "tensor type %1 is not supported on the processor"),
    QT_TRANSLATE_NOOP("EngineWords", "the tensor type %1 is not supported"),
    QT_TRANSLATE_NOOP("EngineWords", "Vulkan has no shader for the op %1 with tensor type %2"),
    QT_TRANSLATE_NOOP("EngineWords", "Vulkan has no shader for the op %1"),
    QT_TRANSLATE_NOOP("EngineWords", "The file has no tokenizer: \"tokenizer.ggml.model\" is missing."),
    QT_TRANSLATE_NOOP("EngineWords", "The file uses the unknown tokenizer \"%1\" (\"tokenizer.ggml.model\")."),
    QT_TRANSLATE_NOOP("EngineWords", "The file has no vocabulary: \"tokenizer.ggml.tokens\" is missing or empty."),
    QT_TRANSLATE_NOOP("EngineWords", "The vocabulary cuts words in the unknown way \"%1\" (\"tokenizer.ggml.pre\")."),
    QT_TRANSLATE_NOOP("EngineWords", "The vocabulary has no merges: \"tokenizer.ggml.merges\" is missing."),
    QT_TRANSLATE_NOOP("EngineWords", "The vocabulary has no scores: \"tokenizer.ggml.scores\" is missing."),
    QT_TRANSLATE_NOOP("EngineWords", "The model file changed while it was being read; load it again."),
    QT_TRANSLATE_NOOP("EngineWords", "The model's chat template cannot be used (%1), so the model continues text instead of answering."),
    QT_TRANSLATE_NOOP("EngineWords", "The model's chat template refuses this chat: %1"),
    QT_TRANSLATE_NOOP("EngineWords", "The model was trained for %1 tokens; the context is %1 instead of %2."),
    QT_TRANSLATE_NOOP("EngineWords", "The model needs %1 and %2 has %3 free: %4 short. A context of %5 tokens would fit."),
    QT_TRANSLATE_NOOP("EngineWords", "The model needs %1 and %2 has %3 free: %4 short. Choose a smaller quantization or close other programs."),
    QT_TRANSLATE_NOOP("EngineWords", "The cache for this context is larger than any memory; choose a shorter context."),
    QT_TRANSLATE_NOOP("EngineWords", "The system has no room for %1; %2 are free."),
    QT_TRANSLATE_NOOP("EngineWords", "The system has no room for %1."),
    QT_TRANSLATE_NOOP("EngineWords", "The load was cancelled."),
    QT_TRANSLATE_NOOP("EngineWords", "The model is not loaded."),
    QT_TRANSLATE_NOOP("EngineWords", "No model is loaded. Choose one and try again."),
    QT_TRANSLATE_NOOP("EngineWords", "The model was replaced by another one; send the message again."),
    QT_TRANSLATE_NOOP("EngineWords", "The chat has %1 tokens and the context holds %2."),
    QT_TRANSLATE_NOOP("EngineWords", "The context of %1 tokens is full."),
    QT_TRANSLATE_NOOP("EngineWords", "The cache has no room for this prompt; load the model with a longer context."),
    QT_TRANSLATE_NOOP("EngineWords", "The prompt is empty; there is nothing to continue."),
    QT_TRANSLATE_NOOP("EngineWords", "The model's numbers overflowed (the logit of token %1 is not finite); the file may be damaged. Another device may help."),
    QT_TRANSLATE_NOOP("EngineWords", "first turn"),
    QT_TRANSLATE_NOOP("EngineWords", "edited message"),
    QT_TRANSLATE_NOOP("EngineWords", "window moved"),
    QT_TRANSLATE_NOOP("EngineWords", "evicted"),
    QT_TRANSLATE_NOOP("EngineWords", "The device \"%1\" cannot be used. %2"),
    QT_TRANSLATE_NOOP("EngineWords", "There is no device named \"%1\". The command `devices` lists them."),
    QT_TRANSLATE_NOOP("EngineWords", "No device can be used."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 is not used: %2"),
    QT_TRANSLATE_NOOP("EngineWords", "%1 was passed over: its self-test took %2 ms, that of %3 %4 ms."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 cannot be used: its driver has Vulkan %2, and 1.2 is needed."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 cannot be used: it lacks %2."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 cannot be used: it takes less than 128 bytes of push constants."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 cannot be used: it has no queue for computing."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 could not be opened: %2."),
    QT_TRANSLATE_NOOP("EngineWords", "buffer device addresses"),
    QT_TRANSLATE_NOOP("EngineWords", "64-bit integers in shaders"),
    QT_TRANSLATE_NOOP("EngineWords", "16-bit storage"),
    QT_TRANSLATE_NOOP("EngineWords", "timeline semaphores"),
    QT_TRANSLATE_NOOP("EngineWords", "A software device, used only when asked for."),
    QT_TRANSLATE_NOOP("EngineWords", "No Vulkan loader was found. It comes with the graphics driver, or with the system package of the Vulkan loader."),
    QT_TRANSLATE_NOOP("EngineWords", "The Vulkan loader is too old (%1); version 1.2 is needed."),
    QT_TRANSLATE_NOOP("EngineWords", "No Vulkan driver is installed."),
    QT_TRANSLATE_NOOP("EngineWords", "Vulkan could not be started: %1."),
    QT_TRANSLATE_NOOP("EngineWords", "Vulkan is installed, but no driver offers a device."),
    QT_TRANSLATE_NOOP("EngineWords", "This build has no Vulkan part."),
    QT_TRANSLATE_NOOP("EngineWords", "the system has no memory left"),
    QT_TRANSLATE_NOOP("EngineWords", "the device has no memory left"),
    QT_TRANSLATE_NOOP("EngineWords", "the device was lost (its driver stopped or reset it); load the model again"),
    QT_TRANSLATE_NOOP("EngineWords", "the driver could not be initialised"),
    QT_TRANSLATE_NOOP("EngineWords", "the driver could not map memory"),
    QT_TRANSLATE_NOOP("EngineWords", "an extension is missing"),
    QT_TRANSLATE_NOOP("EngineWords", "a feature is missing"),
    QT_TRANSLATE_NOOP("EngineWords", "the driver does not fit"),
    QT_TRANSLATE_NOOP("EngineWords", "the driver reported error %1"),
    QT_TRANSLATE_NOOP("EngineWords", "%1 could not give %2: %3 (%4 are free)."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 could not give %2: %3."),
    QT_TRANSLATE_NOOP("EngineWords", "This computer has an NVIDIA card, but its driver is not installed or not running."),
    QT_TRANSLATE_NOOP("EngineWords", "No NVIDIA driver is installed, and no NVIDIA card was found."),
    QT_TRANSLATE_NOOP("EngineWords", "The NVIDIA driver is too old: it knows CUDA %1, this build needs %2. Please update the driver."),
    QT_TRANSLATE_NOOP("EngineWords", "The NVIDIA driver sees no card."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 has compute capability %2; %3 is the least that this program can use."),
    QT_TRANSLATE_NOOP("EngineWords", "This computer has an NVIDIA card, but this build has no CUDA part; \"installer/run.sh --with-cuda\" builds it."),
    QT_TRANSLATE_NOOP("EngineWords", "This build has no CUDA part, and no NVIDIA card was found."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 has no room for %2: %3 of %4 are free. Close other programs, or take a smaller model or context."),
    QT_TRANSLATE_NOOP("EngineWords", "%1 has no room for %2. Close other programs, or take a smaller model or context."),
    QT_TRANSLATE_NOOP("EngineWords", "It is for tests and only used when asked for."),
    QT_TRANSLATE_NOOP("EngineWords", "This build has no emulator; it is part of builds with tests."),
    QT_TRANSLATE_NOOP("EngineWords", "CUDA kernels on the processor"),
};

// What the store says before the language is known, by the context of its translation.
struct StoreRow {
    const char *context, *text;
};
constexpr StoreRow kStore[] = {
    {"steelyard::Store", "%1 The chats are shown, but nothing new will be kept."},
    {"steelyard::Store", "%1 You can chat, but nothing will be kept."},
    {"steelyard::Store", "The folder %1 cannot be made."},
    {"steelyard::Store", "The folder %1 cannot be written."},
    {"steelyard::Store", "Another Steelyard (process %1 on %2) has the chats open."},
    {"steelyard::Store", "%1 The file was left as it is: %2."},
    {"Database", "The disk is full, so this could not be saved. Free some space; saving goes on by itself."},
    {"Database", "The folder of the chats cannot be written. Check its permissions."},
    {"Database", "The file of the chats is damaged."},
    {"Database", "Another program is using the file of the chats."},
    {"Database", "The disk reported an error, so this could not be saved. Check the disk."},
    {"Database", "The file of the chats could not be used: %1"},
    {"Migrations", "The chats were saved by a newer Steelyard (version %1 of the file, this program knows %2). Install the newer program to open them."},
    {"Migrations", "The chats could not be copied before the update of their file, so nothing was changed. %1"},
    {"Migrations", "The file of the chats could not be updated (%1), so it was left as it is. %2"},
};

struct Pattern {
    const char *context, *text;
    QRegularExpression expression;
    QVector<int> arguments; // number of each group in order
};

const QRegularExpression& places() {
    static const QRegularExpression kPlace(QStringLiteral("%([1-5])"));
    return kPlace;
}

Pattern compiled(const char* context, const char* text) {
    const QString source = QString::fromUtf8(text);
    // A whole sentence may hold others; a part of one holds names and numbers only.
    const QString anything = source.contains(QLatin1Char('.')) || source.contains(QLatin1String(": %")) ? QStringLiteral("(.+?)") : QStringLiteral("(\\S+?)");
    QString expression;
    QVector<int> arguments;
    qsizetype from = 0;
    for (auto place = places().globalMatch(source); place.hasNext();) {
        const auto match = place.next();
        const int number = match.captured(1).toInt();
        expression += QRegularExpression::escape(source.mid(from, match.capturedStart() - from));
        const qsizetype seen = arguments.indexOf(number);
        expression += seen < 0 ? anything : QStringLiteral("\\%1").arg(seen + 1); // the same again
        if (seen < 0) arguments.append(number);
        from = match.capturedEnd();
    }
    expression = QRegularExpression::anchoredPattern(expression + QRegularExpression::escape(source.mid(from)));
    return {context, text, QRegularExpression(expression, QRegularExpression::DotMatchesEverythingOption), arguments};
}

QVector<Pattern> compileAll() {
    QVector<Pattern> patterns;
    for (const char* text : kEngine) patterns.append(compiled("EngineWords", text));
    for (const StoreRow& row : kStore) patterns.append(compiled(row.context, row.text));
    return patterns;
}

// Counts and amounts as the language writes them; versions ("1.2") and names stay.
QString numberInWords(const QString& text, bool isAmount) {
    static const QRegularExpression kInteger(QStringLiteral("^\\d{1,18}$")), kDecimal(QStringLiteral("^\\d{1,15}\\.(\\d+)$"));
    if (kInteger.match(text).hasMatch()) return QLocale().toString(text.toLongLong());
    const auto decimal = kDecimal.match(text);
    if (isAmount && decimal.hasMatch()) return QLocale().toString(text.toDouble(), 'f', std::min<int>(2, int(decimal.capturedLength(1))));
    return text;
}

// Whether a row is an amount with its unit, or a time.
bool isAmount(const char* text) {
    const QLatin1String row(text);
    return row.size() <= 8 || row.contains(QLatin1String(" ms"));
}

QString translated(const QString& sentence, int depth);

// The sentence by the row that it is an instance of; a null string when there is none.
QString byRow(const QString& sentence, int depth) {
    static const QVector<Pattern> kPatterns = compileAll();
    for (const Pattern& pattern : kPatterns) {
        const auto match = pattern.expression.match(sentence);
        if (!match.hasMatch()) continue;
        const bool amount = isAmount(pattern.text);
        if (amount && pattern.arguments.size() == 1 && !match.captured(1).at(0).isDigit()) continue;
        const QString words = QCoreApplication::translate(pattern.context, pattern.text);
        QString filled;
        qsizetype from = 0;
        for (auto place = places().globalMatch(words); place.hasNext();) {
            const auto found = place.next();
            const QString argument = match.captured(pattern.arguments.indexOf(found.captured(1).toInt()) + 1);
            const QString number = numberInWords(argument, amount);
            filled += QStringView(words).mid(from, found.capturedStart() - from);
            filled += number != argument || depth == 0 ? number : translated(argument, depth - 1);
            from = found.capturedEnd();
        }
        return filled + words.mid(from);
    }
    return {};
}

// A text of several sentences is translated one by one, as far as they are known.
QString translated(const QString& text, int depth) {
    if (const QString words = byRow(text, depth); !words.isNull()) return words;
    for (qsizetype end = text.indexOf(QLatin1String(". ")); end >= 0; end = text.indexOf(QLatin1String(". "), end + 1)) {
        const QString first = byRow(text.left(end + 1), depth);
        if (!first.isNull()) return first + u' ' + translated(text.mid(end + 2), depth);
    }
    return text;
}

} // namespace

QString inWords(const QString& sentence) {
    constexpr int kDepth = 4; // a sentence about a device about a tensor about its type
    return sentence.isEmpty() ? sentence : translated(sentence, kDepth);
}

QString inWords(const std::string& sentence) { return inWords(QString::fromStdString(sentence)); }

QString shownDeviceName(const std::string& name) {
    static const QRegularExpression kMarks(QStringLiteral("\\((R|TM|C)\\)|\\s+CPU(?=\\s|$)|\\s*@\\s*[\\d.]+\\s*GHz"), QRegularExpression::CaseInsensitiveOption);
    return inWords(QString::fromStdString(name).remove(kMarks).simplified());
}

QStringList engineSentences() {
    QStringList sentences;
    for (const char* text : kEngine) sentences += QString::fromUtf8(text);
    return sentences;
}

} // namespace steelyard
