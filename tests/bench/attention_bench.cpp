// How long one whole attention takes, and where the time goes: a frame has 16 ms.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <vector>

#include <benchmark/benchmark.h>

#include "fma_ceiling.hpp"
#include "model/attention/attention_part.hpp"
#include "model/attention/mask.hpp"
#include "model/gradients.hpp"
#include "model/trace.hpp"

namespace {

using model::TensorId;
using model::Trace;
using tensor::Shape;
using tensor::Tensor;

constexpr std::array<TensorId, 4> all_weights{"q_proj_weight", "k_proj_weight", "v_proj_weight",
                                              "out_proj_weight"};

Tensor made_up(const Shape& shape, float bound) {
  Tensor tensor(shape);
  float* cell = tensor.mutable_data();
  std::uint32_t state = static_cast<std::uint32_t>(shape.product());
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    state = state * 1664525U + 1013904223U;
    cell[i] = bound * (static_cast<float>(state >> 8U) / 8388608.0F - 1.0F);
  }
  return tensor;
}

struct Problem {
  model::Tensors given;
  model::Options options;
};

/// The same tokens ask, are asked and answer.
void set_input(Problem& problem, const Tensor& x) {
  problem.given["query_input"] = problem.given["key_input"] = problem.given["value_input"] = x;
}

/// Self-attention with look-ahead mask over `tokens` tokens.
Problem problem(const benchmark::State& state) {
  const auto tokens = static_cast<std::size_t>(state.range(0));
  const auto E = static_cast<std::size_t>(state.range(1));
  Problem made;
  set_input(made, made_up({1, tokens, E}, 1.0F));
  made.given["mask"] = model::look_ahead_mask(tokens, tokens);
  for (const TensorId id : all_weights) made.given[id] = made_up({E, E}, 0.05F);
  made.given["q_proj_bias"] = made.given["k_proj_bias"] = made.given["v_proj_bias"] =
      made_up({E}, 0.1F);
  made.options.num_heads = static_cast<std::size_t>(state.range(2));
  return made;
}

Trace traced(const Problem& problem) {
  return *model::multi_head_attention(problem.given, problem.options);
}

void sizes(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"tokens", "embed_dim", "heads"})
      ->Args({3, 4, 1})    // pool beats badminton
      ->Args({9, 512, 8})  // Anthony Hopkins
      ->Args({64, 64, 8})  // the longest sentence a learner can type
      ->Args({64, 512, 8})
      ->Args({128, 512, 8})
      ->Args({512, 512, 8})
      ->Args({1024, 768, 12})
      ->Unit(benchmark::kMicrosecond);
}

/// Two for each multiplication with its addition, of the four projections, the scores and the sums
/// of values; what the mask hides is counted.
double operations(const benchmark::State& state) {
  const auto tokens = static_cast<double>(state.range(0));
  const auto E = static_cast<double>(state.range(1));
  return 2.0 * (4.0 * tokens * E * E + 2.0 * tokens * tokens * E);
}

template <typename Work>
void count(benchmark::State& state, Work work) {
  state.counters["FLOP/s"] =
      benchmark::Counter(operations(state), benchmark::Counter::kIsIterationInvariantRate);
  state.counters["of FMA ceiling"] = bench::of_fma_ceiling(operations(state), work);
}

void whole_attention(benchmark::State& state) {
  const Problem made = problem(state);
  Trace trace = traced(made);  // the first time packs the weights, and asks for memory
  const auto run = [&] {
    trace = Trace();  // its memory is there for the next one
    trace = traced(made);
  };
  for ([[maybe_unused]] const auto _ : state) run();
  count(state, run);
}
BENCHMARK(whole_attention)->Apply(sizes);

/// Forward, and back from ½ Σ (output − target)²: to the gradients of every tensor, or of those
/// that learning needs (`weights`), which leaves out input and mask. "of forward": how many times
/// as long as forward alone, the median of rounds that measure both.
void with_gradients(benchmark::State& state, bool weights) {
  const Problem made = problem(state);
  const Tensor target = made_up(traced(made)["output"].shape(), 1.0F);
  const auto both = [&] {
    model::Model model{*model::attention_part(made.given, made.options)};
    model::add_squared_distance(model, 0, "output", target);
    model::add_gradients(model, 0, "loss", [weights](const Trace&, TensorId given) {
      return !weights || model::name_of(given).find("_proj_") != std::string_view::npos;
    });
    benchmark::DoNotOptimize(model::compute(model));
  };
  for ([[maybe_unused]] const auto _ : state) both();
  std::array<double, 15> ratios{};
  for (double& ratio : ratios) {
    const double forward = bench::rate_of(1.0, [&] { benchmark::DoNotOptimize(traced(made)); });
    ratio = forward / bench::rate_of(1.0, both);
  }
  std::nth_element(ratios.begin(), ratios.begin() + ratios.size() / 2, ratios.end());
  state.counters["of forward"] = ratios[ratios.size() / 2];
}
void with_all_gradients(benchmark::State& state) { with_gradients(state, false); }
void with_gradients_of_weights(benchmark::State& state) { with_gradients(state, true); }
constexpr auto gradient_sizes = [](auto* benchmark) {
  benchmark->ArgNames({"tokens", "embed_dim", "heads"})
      ->Args({9, 512, 8})
      ->Args({64, 512, 8})
      ->Unit(benchmark::kMicrosecond);
};
BENCHMARK(with_all_gradients)->Apply(gradient_sizes);
BENCHMARK(with_gradients_of_weights)->Apply(gradient_sizes);

/// One number of a tensor changes.
void after_an_edit(benchmark::State& state, TensorId edited, const tensor::Index& index) {
  Problem made = problem(state);
  std::vector<Trace> traces;
  float value = 0.0F;
  for ([[maybe_unused]] const auto _ : state) {
    Tensor tensor = made.given[edited].clone();
    tensor.set(index, value += 1.0F);
    if (edited == "query_input") {
      set_input(made, tensor);
    } else {
      made.given[edited] = tensor;
    }
    traces = model::compute({*model::attention_part(made.given, made.options)}, traces);
  }
}
void after_an_edit_of_the_input(benchmark::State& state) {
  after_an_edit(state, "query_input", {0, 1, 1});
}
BENCHMARK(after_an_edit_of_the_input)->Apply(sizes);
void after_an_edit_of_a_weight(benchmark::State& state) {
  after_an_edit(state, "v_proj_weight", {1, 1});
}
BENCHMARK(after_an_edit_of_a_weight)->Apply(sizes);

/// The rows that compute these tensors, by themselves.
void part(benchmark::State& state, std::initializer_list<TensorId> tensors) {
  const Trace trace = traced(problem(state));
  for ([[maybe_unused]] const auto _ : state) {
    for (const TensorId id : tensors) {
      const model::Node& row = *trace.made_by(id);
      benchmark::DoNotOptimize(row.operation->forward(trace.use_of(row)));
    }
  }
}

void part_projections(benchmark::State& state) { part(state, {"q", "k", "v"}); }
BENCHMARK(part_projections)->Apply(sizes);
void part_scores(benchmark::State& state) { part(state, {"scores"}); }
BENCHMARK(part_scores)->Apply(sizes);
void part_mask(benchmark::State& state) { part(state, {"masked_scores"}); }
BENCHMARK(part_mask)->Apply(sizes);
void part_softmax(benchmark::State& state) { part(state, {"attention_weights"}); }
BENCHMARK(part_softmax)->Apply(sizes);

// What no kernel can be faster than: numbers have to come from memory and go there.

void memory_reading_the_weights(benchmark::State& state) {
  const Problem made = problem(state);
  // Copied into the first-level cache, piece by piece: the system's copy has the widest vectors.
  std::array<float, 2048> piece{};
  for ([[maybe_unused]] const auto _ : state) {
    for (const TensorId id : all_weights) {
      const Tensor& weight = made.given[id];
      for (std::size_t i = 0; i < weight.size(); i += piece.size()) {
        const std::size_t count = std::min(piece.size(), weight.size() - i);
        std::memcpy(piece.data(), weight.data() + i, count * sizeof(float));
        benchmark::DoNotOptimize(piece);
      }
    }
  }
}
BENCHMARK(memory_reading_the_weights)->Apply(sizes);

void memory_writing_the_trace(benchmark::State& state) {
  const Trace trace = traced(problem(state));
  std::vector<Tensor> written;
  for (const model::Node& row : trace.nodes) {
    if (trace.has(row.id) && !trace.view_of(row.id))
      written.push_back(Tensor::uninitialized(trace[row.id].shape()));
  }
  for ([[maybe_unused]] const auto _ : state) {
    for (Tensor& tensor : written) {
      std::fill_n(tensor.mutable_data(), tensor.size(), 1.0F);
      benchmark::ClobberMemory();
    }
  }
}
BENCHMARK(memory_writing_the_trace)->Apply(sizes);

/// What a pointer that moves over cells asks for.
void explanation_of_one_cell(benchmark::State& state) {
  const Trace trace = traced(problem(state));
  for ([[maybe_unused]] const auto _ : state) {
    benchmark::DoNotOptimize(model::explain(trace, "output", {0, 1, 1}));
    benchmark::DoNotOptimize(model::explain(trace, "attention_weights", {0, 0, 1, 1}));
  }
}
BENCHMARK(explanation_of_one_cell)->Apply(sizes);

}  // namespace
