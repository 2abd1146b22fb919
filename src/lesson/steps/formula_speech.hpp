// Formulas in words, for screen readers.
#pragma once

#include <string>
#include <string_view>

namespace lesson {

/// "attention_weights = softmax(masked_scores)" → "attention weights equals softmax of masked
/// scores". Accepts what lesson::formula_for returns: names, + − · × / √ Σ = , : indices in [ ], ᵀ
/// and functions with ( ), whose end is spoken if there is more than one name inside. The result
/// has only letters, digits, points, commas and spaces.
std::string spoken(std::string_view formula);

}  // namespace lesson
