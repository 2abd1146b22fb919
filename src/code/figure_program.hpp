// The attention on screen as a program in Python: what is given are numbers in its text, or in a
// file where there are many; the rest is computed from them, row by row.
#pragma once

#include <string>
#include <string_view>

#include "base/error.hpp"
#include "code/writing.hpp"
#include "model/trace.hpp"

namespace code {

/// The most numbers that are written out.
inline constexpr std::size_t most_numbers = 4000;

/// A file that files::write_traces made, with the trace among others.
struct SavedTrace {
  std::string_view file;       ///< its name
  std::string_view attention;  ///< before the names of its tensors; empty: nothing
};

struct FigureText {
  std::string text;
  bool reads_file = false;
};

/// A program that computes every tensor of the trace, with what was done to it on purpose and with
/// its gradients if it has them, prints the output, and how far it is from the trace's. Each tensor
/// is a variable of its name. `title` is one line: what the program computes. What another part of
/// the model computed is given. If more than `most_numbers` would have to be written out, it reads
/// them from the saved file. Errors: an operation that cannot be written as code.
base::Result<FigureText> figure_program(const model::Trace& trace, std::string_view title,
                                        Library library, const SavedTrace& saved);

}  // namespace code
