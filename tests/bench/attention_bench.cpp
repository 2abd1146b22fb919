// How long one whole attention takes, and where the time goes: a frame has 16 ms.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <benchmark/benchmark.h>

#include "attention/elementwise.hpp"
#include "attention/lay_out.hpp"
#include "attention/linear.hpp"
#include "attention/mask.hpp"
#include "attention/matmul.hpp"
#include "attention/multi_head_attention.hpp"
#include "attention/prepared_attention.hpp"
#include "attention/provenance.hpp"
#include "attention/softmax.hpp"
#include "fma_ceiling.hpp"

namespace {

using namespace attention;

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
  Inputs inputs;
  Weights weights;
  Options options;
};

/// Self-attention with look-ahead mask over `tokens` tokens.
Problem problem(const benchmark::State& state) {
  const auto tokens = static_cast<std::size_t>(state.range(0));
  const auto E = static_cast<std::size_t>(state.range(1));
  const Tensor x = made_up({1, tokens, E}, 1.0F);
  Problem made;
  made.inputs = {x, x, x, look_ahead_mask(tokens, tokens)};
  made.weights.q_proj_weight = made_up({E, E}, 0.05F);
  made.weights.k_proj_weight = made_up({E, E}, 0.05F);
  made.weights.v_proj_weight = made_up({E, E}, 0.05F);
  made.weights.out_proj_weight = made_up({E, E}, 0.05F);
  made.weights.q_proj_bias = made.weights.k_proj_bias = made.weights.v_proj_bias =
      made_up({E}, 0.1F);
  made.options.num_heads = static_cast<std::size_t>(state.range(2));
  return made;
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

void computed(benchmark::State& state, PreparedAttention::Keep keep) {
  const Problem made = problem(state);
  Result<PreparedAttention> prepared =
      PreparedAttention::prepare(made.inputs, made.weights, made.options, keep);
  prepared->run();  // the first time asks the system for memory: 240 MB at the largest size
  for ([[maybe_unused]] const auto _ : state) prepared->run();
  count(state, [&] { prepared->run(); });
}

void whole_attention(benchmark::State& state) { computed(state, PreparedAttention::Keep::trace); }
BENCHMARK(whole_attention)->Apply(sizes);

void output_alone(benchmark::State& state) { computed(state, PreparedAttention::Keep::output); }
BENCHMARK(output_alone)->Apply(sizes);

/// One number of the input changes.
void after_an_edit(benchmark::State& state) {
  Problem made = problem(state);
  Trace trace;
  float value = 0.0F;
  for ([[maybe_unused]] const auto _ : state) {
    Tensor x = made.inputs.query.clone();
    x.set({0, 1, 1}, value += 1.0F);
    made.inputs.query = made.inputs.key = made.inputs.value = x;
    benchmark::DoNotOptimize(recompute(made.inputs, made.weights, made.options, trace));
  }
}
BENCHMARK(after_an_edit)->Apply(sizes);

void part_projections(benchmark::State& state) {
  const Problem made = problem(state);
  for ([[maybe_unused]] const auto _ : state) {
    benchmark::DoNotOptimize(
        linear(made.inputs.query, made.weights.q_proj_weight, made.weights.q_proj_bias));
    benchmark::DoNotOptimize(
        linear(made.inputs.key, made.weights.k_proj_weight, made.weights.k_proj_bias));
    benchmark::DoNotOptimize(
        linear(made.inputs.value, made.weights.v_proj_weight, made.weights.v_proj_bias));
  }
}
BENCHMARK(part_projections)->Apply(sizes);

void part_scores(benchmark::State& state) {
  const Problem made = problem(state);
  const Trace trace = *multi_head_attention(made.inputs, made.weights, made.options);
  const Tensor k_heads = trace[TensorId::k_heads].transpose(2, 3);
  for ([[maybe_unused]] const auto _ : state)
    benchmark::DoNotOptimize(matmul(trace[TensorId::q_heads], k_heads));
}
BENCHMARK(part_scores)->Apply(sizes);

void part_mask(benchmark::State& state) {
  const Problem made = problem(state);
  const Trace trace = *multi_head_attention(made.inputs, made.weights, made.options);
  for ([[maybe_unused]] const auto _ : state)
    benchmark::DoNotOptimize(add(trace[TensorId::scaled_scores], trace[TensorId::mask]));
}
BENCHMARK(part_mask)->Apply(sizes);

void part_softmax(benchmark::State& state) {
  const Problem made = problem(state);
  const Trace trace = *multi_head_attention(made.inputs, made.weights, made.options);
  for ([[maybe_unused]] const auto _ : state)
    benchmark::DoNotOptimize(softmax(trace[TensorId::masked_scores]));
}
BENCHMARK(part_softmax)->Apply(sizes);

// What no kernel can be faster than: numbers have to come from memory and go there.

void memory_reading_the_weights(benchmark::State& state) {
  const Weights weights = problem(state).weights;
  // Copied into the first-level cache, piece by piece: the system's copy has the widest vectors.
  std::array<float, 2048> piece{};
  for ([[maybe_unused]] const auto _ : state) {
    for (const Tensor* weight : {&weights.q_proj_weight, &weights.k_proj_weight,
                                 &weights.v_proj_weight, &weights.out_proj_weight}) {
      for (std::size_t i = 0; i < weight->size(); i += piece.size()) {
        const std::size_t count = std::min(piece.size(), weight->size() - i);
        std::memcpy(piece.data(), weight->data() + i, count * sizeof(float));
        benchmark::DoNotOptimize(piece);
      }
    }
  }
}
BENCHMARK(memory_reading_the_weights)->Apply(sizes);

void memory_writing_the_trace(benchmark::State& state) {
  const Problem made = problem(state);
  Trace trace = *multi_head_attention(made.inputs, made.weights, made.options);
  for ([[maybe_unused]] const auto _ : state) {
    for (const TensorId id : computed_tensors) {
      std::fill_n(trace.write(id), trace[id].size(), 1.0F);
      benchmark::ClobberMemory();
    }
  }
}
BENCHMARK(memory_writing_the_trace)->Apply(sizes);

/// What a pointer that moves over cells asks for.
void provenance_of_one_cell(benchmark::State& state) {
  const Problem made = problem(state);
  const Trace trace = *multi_head_attention(made.inputs, made.weights, made.options);
  for ([[maybe_unused]] const auto _ : state) {
    benchmark::DoNotOptimize(provenance(trace, TensorId::output, {0, 1, 1}));
    benchmark::DoNotOptimize(provenance(trace, TensorId::attention_weights, {0, 0, 1, 1}));
  }
}
BENCHMARK(provenance_of_one_cell)->Apply(sizes);

}  // namespace
