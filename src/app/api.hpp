// What a page or a test can ask of the running program. One dispatch for the web and for the native
// test mode.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "attention/error.hpp"
#include "attention/trace.hpp"

namespace app {

class App;

/// A tensor as it lies in memory: element [i,j,…] is run[offset + Σ index·stride].
struct TensorInMemory {
  attention::Tensor tensor;
  std::string name;     ///< "cross_attention.q_heads"
  std::string view_of;  ///< "cross_attention.q", or empty where it has storage of its own
};

class Api {
 public:
  explicit Api(App& app) : app_(app) {}

  /// method + JSON arguments → JSON: {"result": …} or {"error": "one sentence"}. Never throws;
  /// unknown methods and malformed JSON are errors. Numbers that JSON cannot carry are the strings
  /// "Infinity", "-Infinity", "NaN".
  ///   state {}                        → the state (see document/state.hpp for its fields)
  ///   set   {any part of a state}     → the new state; on error nothing changed
  ///   edit  {"attention","tensor","index":[…],"value"} → the new state
  ///   undo {} · redo {} · reset {}    → the new state
  ///   tensors {}                      → ["encoder_self_attention.query_input", …]
  ///   tensor {"name"}                 → {"name","shape","strides","offset","view_of"} (numbers:
  ///   see `tensor`) probe {"x","y"}                 → what is drawn at that logical pixel:
  ///   {"kind":"cell","attention","tensor","index",
  ///                                     "value","text","block","rect":[x,y,w,h],"color":[r,g,b],"range":[lo,hi]}
  ///                                     or
  ///                                     {"kind":"label","text",…} or {"kind":"nothing"}
  ///   blocks {}                       → every block drawn in the last frame, with its rectangle on
  ///   screen provenance {"attention","tensor","index"} → the arithmetic frames {} → how many
  ///   frames were drawn since the start message {}                      → the sentence about bad
  ///   input that is on screen, or ""
  ///   legend {}                       →
  ///   {"block","attention","tensor","range":[lo,hi],"low","high"}: the colour scale that is shown;
  ///   null before the first frame
  std::string call(std::string_view method, std::string_view arguments);

  /// "q", of the attention on screen, or "cross_attention.q".
  attention::Result<TensorInMemory> tensor(std::string_view name) const;

 private:
  App& app_;
};

}  // namespace app
