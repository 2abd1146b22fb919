// What a program in Python needs to read a .safetensors file without another library.
#pragma once

#include <string>
#include <string_view>

#include "code/writing.hpp"

namespace code {

/// What a mask of either program is made with.
inline constexpr std::string_view hidden_line =
    "HIDDEN = float(\"-inf\")  # added to a score, it hides a key from a query\n";

/// The function `read(path)`, which gives the tensors of the library by name. The program has to
/// import json, struct and numpy as np, and torch where that is the library.
std::string reading(Library library);

/// The function `read(paths)`, which gives the tensors of NAMES, a list, in whichever of the files
/// they lie, and reads nothing else.
std::string reading_of_some(Library library);

/// A literal for a path, whatever bytes it has.
std::string path_literal(std::string_view path);

}  // namespace code
