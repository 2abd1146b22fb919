// An attention that is computed again and again.
#pragma once

#include "attention/multi_head_attention.hpp"

namespace attention {

/// One attention, checked and laid out once and then computed as often as the given numbers change:
/// for sentences of one length one after another, or a tensor that somebody draws in.
///
/// What is given is held, not copied. A call of `run` reads the numbers that are in it then
/// (Tensor::set and Tensor::mutable_data write there); weights are packed anew after they were
/// written. Nothing is allocated otherwise, if what is given is contiguous.
class PreparedAttention {
 public:
  enum class Keep : unsigned char {
    trace,   ///< every tensor
    output,  ///< no scores and weights: less memory, and nothing is computed that a mask hides
  };

  /// Errors as multi_head_attention; interventions are an error, too: they are for looking, not for
  /// computing fast.
  static Result<PreparedAttention> prepare(const Inputs& inputs, const Weights& weights,
                                           const Options& options, Keep keep);

  /// Computes everything from scratch.
  void run();

  /// [B,Lq,E], as the last `run` left it; the next one writes over it.
  const Tensor& output() const { return trace_[TensorId::output]; }
  /// The same for all tensors. Tensor::clone keeps one.
  const Trace& trace() const { return trace_; }

 private:
  Trace trace_;
};

}  // namespace attention
