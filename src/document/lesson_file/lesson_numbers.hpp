// The arrays of a lesson: written into it, or in files beside it.
#pragma once

#include <string>

#include "document/lesson_file/lesson_file.hpp"
#include "document/lesson_file/lesson_json.hpp"
#include "lesson/input/given_attention.hpp"

namespace document {

/// A row of numbers or rows of one length: lists, or {"file": "x.npy"} or {"file":
/// "x.safetensors", "tensor": "x"}. A mask ("attn_mask") may hold −∞, and flags where it is written
/// into the lesson. Errors: too many numbers; numbers beyond ±10,000; a file that is missing,
/// cannot be read, or lacks the tensor.
ReadAt<lesson::GivenNumbers> read_rows(const JsonAt& at, std::string name, std::size_t most_rows,
                                       std::size_t widest, const LessonFiles& files);

}  // namespace document
