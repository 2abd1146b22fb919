#include "code/model_source.hpp"

#include <algorithm>

#include "code/reading.hpp"

namespace code {
namespace {

using files::FoundAttention;
using files::WeightPlace;

std::string number(std::size_t value) { return std::to_string(value); }

std::string range(std::size_t first, std::size_t count) {
  return number(first) + ':' + number(first + count);
}

/// The rows of q, k or v where each head of keys has its own beside those of the queries that share
/// it: [G, H/G + 2, D, …].
std::string unpacked(const FoundAttention& found, std::size_t part, bool is_weight,
                     const std::string& tensor) {
  const std::size_t heads = *found.num_heads;
  const std::size_t groups = files::kv_heads(found, heads);
  const std::size_t sharing = heads / groups;
  const std::string rows = part == 0 ? range(0, sharing) : range(sharing + part - 1, 1);
  const std::string width = is_weight ? ", " + number(found.embed_dim) : "";
  return tensor + ".reshape(" + number(groups) + ", " + number(sharing + 2) + ", " +
         number(found.inner_dim / heads) + width + ")[:, " + rows + "].reshape(-1" + width + ')';
}

/// A matrix for each head: q [H,E,D], out [H,D,E].
std::string of_matrices(const FoundAttention& found, const WeightPlace& place, Library library,
                        const std::string& tensor) {
  const std::string width = number(found.embed_dim);
  const std::size_t rank = found.tensors[place.tensor].shape.rank();
  if (rank != 3) return tensor + ".reshape(-1)";
  if (place.id == model::TensorId("out_proj_weight"))
    return tensor + ".reshape(-1, " + width + ").T";
  const char* turn = library == Library::numpy ? ".transpose(0, 2, 1)" : ".permute(0, 2, 1)";
  return tensor + turn + ".reshape(-1, " + width + ')';
}

std::string expression_of(const FoundAttention& found, const WeightPlace& place, Library library,
                          const std::string& tensor) {
  const tensor::Shape& shape = found.tensors[place.tensor].shape;
  const bool is_matrix = shape.rank() == 2;
  if (place.part < 3) return unpacked(found, place.part, is_matrix, tensor);
  const bool is_norm =
      place.id == model::TensorId("q_norm_weight") || place.id == model::TensorId("k_norm_weight");
  if (is_norm && found.norm_adds_one) return "1.0 + " + tensor;
  if (found.by_matrices) return of_matrices(found, place, library, tensor);
  const bool is_turned = found.transposed && is_matrix;
  if (place.rows == shape[is_turned ? 1 : 0]) return is_turned ? tensor + ".T" : tensor;
  const std::string rows = range(place.first, place.rows);
  return is_turned ? tensor + "[:, " + rows + "].T" : tensor + '[' + rows + ']';
}

}  // namespace

std::string tensor_of_file(const std::string& name, ModelSource& source) {
  if (std::find(source.names.begin(), source.names.end(), name) == source.names.end())
    source.names.push_back(name);
  return "file[" + path_literal(name) + ']';
}

void add_weights(const FoundAttention& found, Library library, ModelSource& source) {
  for (const WeightPlace& place : found.weights) {
    const std::string tensor = tensor_of_file(found.tensors[place.tensor].name, source);
    source.given.emplace_back(place.id, expression_of(found, place, library, tensor));
  }
}

}  // namespace code
