// What a page or a test can ask of the running program. One dispatch for the web and for the native
// test mode.
#pragma once

#include <string>
#include <string_view>

#include "base/error.hpp"
#include "model/trace.hpp"

namespace app {

class App;

/// A tensor as it lies in memory: element [i,j,…] is run[offset + Σ index·stride].
struct TensorInMemory {
  tensor::Tensor tensor;
  std::string name;     ///< "cross_attention.q_heads"
  std::string view_of;  ///< "cross_attention.q", or empty where it has storage of its own
};

class Api {
 public:
  explicit Api(App& app) : app_(app) {}

  /// method + JSON arguments → JSON: {"result": …} or {"error": "one sentence"}. Never throws;
  /// unknown methods and malformed JSON are errors. Numbers that JSON cannot carry are the strings
  /// "Infinity", "-Infinity", "NaN".
  /// The state, see document/state.hpp: state {}, set {any part of it}, undo {}, redo {}, reset {},
  /// edit {"attention"?, "tensor", "index", "value"}; open {"link"} with the problems, link {};
  /// change {"link"} puts a link into what is there. The guessing game: begin_guessing {} makes a
  /// mistake, guess {"mistake"} → what is said to that, "none" gives up.
  /// Numbers: tensors {} lists names; tensor {"name"} → shape, strides, offset, view_of (for what
  /// they hold see `tensor` below); cells {"attention"?, "tensor", "corner", "row_axis",
  /// "column_axis", "rows", "columns"} → texts and values, 16 x 16 at most; provenance and explain
  /// {"attention"?, "tensor", "index"} → the arithmetic, and the same as a sentence.
  /// The picture: probe {"x", "y"} → the cell or label at that logical pixel; blocks {} with their
  /// rectangles; legend {}, null where there is none; pointed {} → a cell or null; parts {"parts"?}
  /// of bar, text, heads, legend, panel and steps; play {"on"}; frames {} that were drawn.
  /// Words: describe {} → example, step with its formula as it is spoken, matrices that `cells` can
  /// read, chosen cell, as the document is now; choices {} → what can be chosen; message {} → the
  /// sentence about bad input that is on screen, or "".
  std::string call(std::string_view method, std::string_view arguments);

  /// "q", of the attention on screen, or "cross_attention.q".
  base::Result<TensorInMemory> tensor(std::string_view name) const;

 private:
  App& app_;
};

}  // namespace app
