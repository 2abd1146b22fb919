#include "document/edits/address.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "model/roles.hpp"
#include "tensor/tensor.hpp"

namespace document {

using lesson::Arrangement;
using lesson::AttentionId;
namespace roles = model::roles;

std::string describe(const CellAddress& cell) {
  return std::string(lesson::name_of(cell.attention)) + "." +
         std::string(model::name_of(cell.tensor)) + tensor::describe(cell.index);
}

tl::unexpected<base::Error> lies_outside(const CellAddress& cell, const tensor::Shape& shape) {
  return base::fail(base::text("document.edit.outside",
                               {{"cell", describe(cell)}, {"shape", tensor::describe(shape)}}));
}

bool comes_before(const CellAddress& a, const CellAddress& b) {
  if (a.attention != b.attention) return a.attention < b.attention;
  if (a.tensor != b.tensor) return a.tensor < b.tensor;
  return std::lexicographical_compare(a.index.begin(), a.index.end(), b.index.begin(),
                                      b.index.end());
}

CellAddress without_aliases(Arrangement arrangement, const CellAddress& cell) {
  CellAddress result = cell;
  const bool cross = kind_of(cell.attention) == AttentionId::cross_attention ||
                     (cell.attention == AttentionId::attention && is_cross(arrangement));
  const bool own_values = arrangement == Arrangement::cross_values;
  if (cell.tensor == roles::key || (cell.tensor == roles::value && !own_values))
    result.tensor = cross ? roles::key : roles::query;
  if (cell.tensor == roles::mask && cell.index.rank() == 4) result.index[1] = 0;
  return result;
}

Arrangement arrangement_of(const Computed& computed) {
  const ComputedAttention& first = computed.attentions.front();
  const std::size_t count = computed.attentions.size();
  if (first.id != AttentionId::attention && count == 1) return Arrangement::encoder;
  if (first.id != AttentionId::attention && count == 2) return Arrangement::two_layers;
  if (first.id != AttentionId::attention && count == 12) return Arrangement::four_layers;
  if (first.id != AttentionId::attention) return Arrangement::encoder_decoder;
  const tensor::Tensor& keys = first.trace[roles::key];
  if (keys.shares_storage_with(first.trace[roles::query])) return Arrangement::self;
  const bool shared = keys.shares_storage_with(first.trace[roles::value]);
  return shared ? Arrangement::cross : Arrangement::cross_values;
}

}  // namespace document
