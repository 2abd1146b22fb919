#include "lesson/input/given_attention.hpp"

#include "files/attention/attention_file.hpp"
#include "model/roles.hpp"

namespace lesson {

base::Result<void> give_attention(Problem& problem, std::span<const GivenNumbers> given) {
  namespace roles = model::roles;
  const bool cross = is_cross(problem.arrangement);
  // In the form of a file, so that all is checked as it is in one.
  files::Safetensors file;
  const auto add = [&](const std::string& name, const tensor::Tensor& tensor) {
    const std::span<const float> numbers(tensor.data(), tensor.size());
    file.tensors.push_back({name, "F32", tensor.shape(), std::as_bytes(numbers)});
  };
  add("query", (cross ? problem.target : problem.source).embedding);
  if (cross) add("key", problem.source.embedding);
  for (const GivenNumbers& each : given) {
    if (each.flags.empty()) {
      file.tensors.push_back(
          {each.name, "F32", each.shape, std::as_bytes(std::span(each.numbers))});
    } else {
      file.tensors.push_back({each.name, "BOOL", each.shape, each.flags});
    }
  }
  files::AttentionFileOptions options;
  options.num_heads = problem.options.num_heads;
  options.scale = problem.options.scale;
  const auto read = files::attention_from_file(file, options);
  if (!read) return base::fail(read.error());
  problem.head_dim = read->options.head_dim;
  problem.painted_mask = read->given[roles::mask];
  for (const model::TensorId id : read->given.present()) {
    if (!roles::is_input(id) && id != roles::mask) problem.weights[id] = read->given[id];
  }
  return {};
}

}  // namespace lesson
