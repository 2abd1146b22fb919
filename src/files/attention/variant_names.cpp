#include "files/attention/variant_names.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "base/decimal.hpp"

namespace files {
namespace {

using model::RopeScaling;

// In the order of their enumerations.
constexpr std::array<std::string_view, 3> scales = {"none", "sqrt-head-dim", "sqrt-keys"};
constexpr std::array<std::string_view, 4> scalings = {"none", "linear", "llama3", "yarn"};
constexpr std::array<std::string_view, 3> places = {"heads", "rotated", "all"};
constexpr std::array<std::string_view, 5> biases = {"none", "given", "t5", "t5-look-back",
                                                    "window"};

template <typename Value, std::size_t count>
std::optional<Value> named(const std::array<std::string_view, count>& names,
                           std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Value>(found - names.begin());
}

}  // namespace

std::optional<model::Scale::Kind> scale_named(std::string_view name) {
  return named<model::Scale::Kind>(scales, name);
}
std::string_view name_of(model::Scale::Kind kind) { return scales[static_cast<std::size_t>(kind)]; }

std::optional<RopeScaling> rope_scaling_from(std::string_view text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const auto kind = named<RopeScaling::Kind>(scalings, text.substr(0, colon));
  if (!kind || *kind == RopeScaling::Kind::none) return std::nullopt;
  RopeScaling scaling{.kind = *kind};
  const bool is_yarn = *kind == RopeScaling::Kind::yarn;
  auto length = static_cast<float>(scaling.original_length);
  const std::array<float*, 4> numbers = {&scaling.factor, &length,
                                         is_yarn ? &scaling.beta_fast : &scaling.low_freq_factor,
                                         is_yarn ? &scaling.beta_slow : &scaling.high_freq_factor};
  const std::size_t most = *kind == RopeScaling::Kind::linear ? 1 : numbers.size();
  std::size_t count = 0;
  for (std::string_view rest = text.substr(colon); !rest.empty();) {
    rest.remove_prefix(1);  // the colon or a comma
    const std::size_t end = std::min(rest.find(','), rest.size());
    const auto number = base::read_float(rest.substr(0, end));
    if (!number || count == most) return std::nullopt;
    *numbers[count++] = *number;
    rest.remove_prefix(end);
  }
  const bool is_length = length >= 1.0F && length <= 1e9F && length == std::floor(length);
  if (count == 0 || !is_length) return std::nullopt;
  scaling.original_length = static_cast<std::size_t>(length);
  return scaling;
}

std::string rope_scaling_text(const RopeScaling& scaling) {
  std::string text(scalings[static_cast<std::size_t>(scaling.kind)]);
  text += ':' + digits_of(scaling.factor);
  if (scaling.kind == RopeScaling::Kind::linear) return text;
  const bool is_yarn = scaling.kind == RopeScaling::Kind::yarn;
  return text + ',' + std::to_string(scaling.original_length) + ',' +
         digits_of(is_yarn ? scaling.beta_fast : scaling.low_freq_factor) + ',' +
         digits_of(is_yarn ? scaling.beta_slow : scaling.high_freq_factor);
}

std::optional<model::Variants::NormPlace> norm_place_named(std::string_view name) {
  return named<model::Variants::NormPlace>(places, name);
}
std::string_view name_of(model::Variants::NormPlace place) {
  return places[static_cast<std::size_t>(place)];
}

std::optional<model::PositionBias> position_bias_named(std::string_view name) {
  return named<model::PositionBias>(biases, name);
}
std::string_view name_of(model::PositionBias bias) {
  return biases[static_cast<std::size_t>(bias)];
}

std::string digits_of(float number) {
  // (std::to_chars for floats is missing in Emscripten 3.1.6.)
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.9g", static_cast<double>(number));
  return text.data();
}

}  // namespace files
