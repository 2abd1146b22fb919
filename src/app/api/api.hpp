// The API for pages and tests, on the web and in the native test mode.
#pragma once

#include <string>
#include <string_view>

#include "base/error.hpp"
#include "model/trace.hpp"

namespace app {

class App;

/// A tensor in memory: element [i,j,…] is storage[offset + Σ index·stride].
struct TensorInMemory {
  tensor::Tensor tensor;
  std::string name;     ///< "cross_attention.q_heads"
  std::string view_of;  ///< "cross_attention.q", or empty where it has storage of its own
};

class Api {
 public:
  explicit Api(App& app) : app_(app) {}

  /// Calls `method` with JSON arguments. Returns {"result": …} or {"error": "one sentence"}, also
  /// for unknown methods and malformed JSON. Never throws. Numbers that JSON does not have are the
  /// strings "Infinity", "-Infinity", "NaN".
  ///
  /// The state, see document/state.hpp: state {}, set {any part of it}, undo {}, redo {}, reset {},
  /// edit {"attention"?, "tensor", "index", "value"}; open {"link"} → the state and problems;
  /// change
  /// {"link"} applies a link to the present state; link {}. The guessing game: begin_guessing {}
  /// makes a mistake, guess {"mistake"} → the answer, "none" gives up.
  ///
  /// Numbers: tensors {} → names; tensor {"name"} → shape, strides, offset, view_of (the numbers
  /// come from `tensor` below); cells {"attention"?, "tensor", "corner", "row_axis", "column_axis",
  /// "rows", "columns"} → texts and values, 16 x 16 at most; provenance and explain {"attention"?,
  /// "tensor", "index"} → the arithmetic, as data and as a sentence.
  ///
  /// The picture: probe {"x", "y"} → the cell or label at that logical pixel; blocks {} with their
  /// rectangles; legend {} with the place of its small form at the matrix, null if there is none;
  /// pointed {} → a cell or null; parts {"parts"?} of bar, text, heads, legend, panel, steps and
  /// words; play {"on"}; frames {} → how many were drawn.
  ///
  /// Lessons: see api_lesson.hpp.
  ///
  /// Words: describe {} → example, step with its formula in words, matrices that `cells` can read
  /// and the chosen cell, of the present document; choices {} → what can be chosen; message {} →
  /// the error that is on screen, or "".
  std::string call(std::string_view method, std::string_view arguments);

  /// "q", of the attention on screen, or "cross_attention.q".
  base::Result<TensorInMemory> tensor(std::string_view name) const;

 private:
  App& app_;
};

}  // namespace app
