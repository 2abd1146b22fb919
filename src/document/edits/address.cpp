#include "document/edits/address.hpp"

#include <algorithm>

#include "tensor/tensor.hpp"

namespace document {

using lesson::Arrangement;
using lesson::AttentionId;
using model::TensorId;

std::string describe(const CellAddress& cell) {
  return std::string(lesson::name_of(cell.attention)) + "." +
         std::string(model::name_of(cell.tensor)) + tensor::describe(cell.index);
}

bool is_input(TensorId id) {
  return id == "token_embedding" || id == "query_input" || id == "key_input" || id == "value_input";
}

bool comes_before(const CellAddress& a, const CellAddress& b) {
  if (a.attention != b.attention) return a.attention < b.attention;
  if (a.tensor != b.tensor) return a.tensor < b.tensor;
  return std::lexicographical_compare(a.index.begin(), a.index.end(), b.index.begin(),
                                      b.index.end());
}

CellAddress without_aliases(Arrangement arrangement, const CellAddress& cell) {
  CellAddress result = cell;
  const bool cross =
      cell.attention == AttentionId::cross_attention ||
      (cell.attention == AttentionId::attention && arrangement == Arrangement::cross);
  if (cell.tensor == "key_input" || cell.tensor == "value_input") {
    result.tensor = cross ? TensorId("key_input") : TensorId("query_input");
  }
  if (cell.tensor == "mask" && cell.index.rank() == 4) result.index[1] = 0;
  return result;
}

Arrangement arrangement_of(const Computed& computed) {
  const ComputedAttention& first = computed.attentions.front();
  if (first.id != AttentionId::attention) return Arrangement::encoder_decoder;
  const bool self = first.trace["key_input"].shares_storage_with(first.trace["query_input"]);
  return self ? Arrangement::self : Arrangement::cross;
}

}  // namespace document
