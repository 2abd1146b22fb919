// The engine as a WebAssembly module of a few plain functions, for the page of `make bench`: what
// is measured is this room as a page would link it, the call from JavaScript included.
//
// One instance of the module holds one problem. In order: problem_make, fill what problem_given
// points to, problem_run, problem_output.
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "attention/mask.hpp"
#include "attention/prepared_attention.hpp"
#include "tile_alone.hpp"

#define EXPORTED(name) extern "C" __attribute__((used, export_name(#name)))

namespace {

using namespace attention;

struct Problem {
  Inputs inputs;
  Weights weights;
  Options options;
  std::optional<PreparedAttention> prepared;  ///< at the first run
  bool keeps_trace = false;
  Tensor asked_for;  ///< keeps what problem_tensor points to
  std::array<char, 64> text{};
};

Problem& problem() {
  static Problem made;
  return made;
}

bench::TileAlone& tile() {
  static bench::TileAlone made;
  return made;
}

}  // namespace

/// Self-attention, full layer with biases, everything zero until it is filled.
EXPORTED(problem_make)
void problem_make(std::size_t tokens, std::size_t embed_dim, std::size_t heads, bool look_ahead) {
  Problem& made = problem();
  const Tensor x(Shape{1, tokens, embed_dim});
  made.inputs = {x, x, x, look_ahead ? look_ahead_mask(tokens, tokens) : Tensor()};
  const Shape square{embed_dim, embed_dim};
  const Shape row{embed_dim};
  made.weights = {Tensor(square), Tensor(square), Tensor(square), Tensor(row),
                  Tensor(row),    Tensor(row),    Tensor(square), Tensor(row)};
  made.options.num_heads = heads;
  made.prepared.reset();
}

/// Where the numbers belong, in the order in which page/inputs.mjs makes them. Fill them before the
/// first run: what is packed once is packed then.
EXPORTED(problem_given)
float* problem_given(std::size_t which) {
  Weights& weights = problem().weights;
  const std::array<Tensor*, 9> given{
      &problem().inputs.query, &weights.q_proj_weight,   &weights.k_proj_weight,
      &weights.v_proj_weight,  &weights.q_proj_bias,     &weights.k_proj_bias,
      &weights.v_proj_bias,    &weights.out_proj_weight, &weights.out_proj_bias};
  return which < given.size() ? given[which]->mutable_data() : nullptr;
}

/// Computes from scratch: everything, or the output alone. True if it did.
EXPORTED(problem_run)
bool problem_run(bool keep_trace) {
  Problem& made = problem();
  if (!made.prepared || made.keeps_trace != keep_trace) {
    using enum PreparedAttention::Keep;
    Result<PreparedAttention> prepared = PreparedAttention::prepare(
        made.inputs, made.weights, made.options, keep_trace ? trace : output);
    if (!prepared) return false;
    made.prepared = *std::move(prepared);
    made.keeps_trace = keep_trace;
  }
  made.prepared->run();
  return true;
}

/// [tokens, embed_dim], where it was computed; after a run.
EXPORTED(problem_output)
const float* problem_output() { return problem().prepared->output().data(); }

/// Where a name is written for problem_tensor, ended with a zero.
EXPORTED(problem_text)
char* problem_text() { return problem().text.data(); }

/// The tensor of the trace that has the name in problem_text, its cells in index order; null if
/// there is none. For comparing, not for measuring: it may be a copy.
EXPORTED(problem_tensor)
const float* problem_tensor() {
  Problem& made = problem();
  made.text.back() = '\0';
  const std::optional<TensorId> id = tensor_named(made.text.data());
  if (!id || !made.prepared || !made.prepared->trace().has(*id)) return nullptr;
  made.asked_for = made.prepared->trace()[*id].contiguous();
  return made.asked_for.data();
}

/// Multiplies and adds, counted apart, of one tile of tile_run.
EXPORTED(tile_operations)
double tile_operations() { return tile().operations(); }

/// Runs the kernel that this browser is given `calls` times on one tile; gives one of its sums.
EXPORTED(tile_run)
float tile_run(std::size_t calls) {
  float last = 0.0F;
  for (std::size_t i = 0; i < calls; ++i) last = tile().run();
  return last;
}
