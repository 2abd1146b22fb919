// The attention on screen as a program in Python that needs no file: what is given are numbers in
// its text, the rest is computed from them, row by row.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "code/writing.hpp"
#include "model/trace.hpp"

namespace code {

/// The most numbers that are written out.
inline constexpr std::size_t most_numbers = 4000;

/// A program that computes every tensor of the trace, with what was done to it on purpose and with
/// its gradients if it has them, prints the output, and how far it is from the trace's. Each tensor
/// is a variable of its name. `title` is one line: what the program computes. What another part of
/// the model computed is given. Nothing if more than `most_numbers` would have to be written out.
std::optional<std::string> figure_program(const model::Trace& trace, std::string_view title,
                                          Library library);

}  // namespace code
