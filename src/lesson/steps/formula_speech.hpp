// A formula in words, for people to whom it is read aloud.
#pragma once

#include <string>
#include <string_view>

namespace lesson {

/// "attention_weights = softmax(masked_scores)" → "attention weights equals softmax of masked
/// scores". Takes what lesson::formula_for gives: names, + − · × / √ Σ = , : indices in [ ], ᵀ and
/// functions of what stands in ( ), whose end is said where more than one name stands there. The
/// result has letters, digits, points, commas and spaces only.
std::string spoken(std::string_view formula);

}  // namespace lesson
