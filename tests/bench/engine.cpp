// The engine as a WebAssembly module of a few plain functions, for the page of `make bench`: what
// is measured is this room as a page would link it, the call from JavaScript included.
//
// One instance of the module holds one problem. In order: problem_make, fill what problem_given
// points to, problem_run, problem_output.
#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "model/attention/attention_part.hpp"
#include "model/attention/mask.hpp"
#include "tile_alone.hpp"

#define EXPORTED(name) extern "C" __attribute__((used, export_name(#name)))

namespace {

using model::TensorId;
using tensor::Shape;
using tensor::Tensor;

struct Problem {
  model::Tensors given;
  model::Options options;
  model::Model model;                ///< at the first run
  std::vector<model::Trace> traces;  ///< of the last run
  Tensor asked_for;                  ///< keeps what problem_tensor points to
  std::array<char, 64> text{};
};

/// In the order in which page/inputs.mjs makes their numbers.
constexpr std::array<TensorId, 9> filled{"query_input",   "q_proj_weight",   "k_proj_weight",
                                         "v_proj_weight", "q_proj_bias",     "k_proj_bias",
                                         "v_proj_bias",   "out_proj_weight", "out_proj_bias"};

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
  made = Problem();
  for (const TensorId id : filled) {
    Shape shape;
    for (const ops::Axis axis : model::axes_of(id)) {
      if (axis == ops::Axis::B) {
        shape.push_back(1);
      } else {
        shape.push_back(axis == ops::Axis::Lq ? tokens : embed_dim);
      }
    }
    made.given[id] = Tensor(shape);
  }
  if (look_ahead) made.given["mask"] = model::look_ahead_mask(tokens, tokens);
  made.options.num_heads = heads;
}

/// Where the numbers belong. Fill them before the first run: what is packed once is packed then.
EXPORTED(problem_given)
float* problem_given(std::size_t which) {
  return which < filled.size() ? problem().given[filled[which]].mutable_data() : nullptr;
}

/// Computes everything from scratch. True if it did.
EXPORTED(problem_run)
bool problem_run() {
  Problem& made = problem();
  if (made.model.empty()) {
    made.given["key_input"] = made.given["value_input"] = made.given["query_input"];
    base::Result<model::Part> part = model::attention_part(made.given, made.options);
    if (!part) return false;
    made.model.push_back(*std::move(part));
  }
  made.traces.clear();  // their memory is there for the next ones
  made.traces = model::compute(made.model);
  return true;
}

/// [tokens, embed_dim], where it was computed; after a run.
EXPORTED(problem_output)
const float* problem_output() { return problem().traces.front()["output"].data(); }

/// Where a name is written for problem_tensor, ended with a zero.
EXPORTED(problem_text)
char* problem_text() { return problem().text.data(); }

/// The tensor of the trace that has the name in problem_text, its cells in index order; null if
/// there is none. For comparing, not for measuring: it may be a copy.
EXPORTED(problem_tensor)
const float* problem_tensor() {
  Problem& made = problem();
  made.text.back() = '\0';
  const std::optional<TensorId> id = model::tensor_named(made.text.data());
  if (!id || made.traces.empty() || !made.traces.front().has(*id)) return nullptr;
  made.asked_for = made.traces.front()[*id].contiguous();
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
