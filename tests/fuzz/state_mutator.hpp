// Mutates a state as JSON: bytes alone would nearly always be turned away by the parser.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "safetensors_mutator.hpp"

namespace fuzz {

using Json = nlohmann::json;

/// Small numbers out of one seed.
class Dice {
 public:
  explicit Dice(unsigned seed) : state_(seed) {}
  std::size_t below(std::size_t count) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>(state_ >> 33U) % count;
  }
  template <typename T, std::size_t count>
  const T& of(const std::array<T, count>& choices) {
    return choices[below(count)];
  }

 private:
  std::uint64_t state_;
};

inline constexpr std::array<std::string_view, 19> state_fields = {
    "example",   "variant",   "step",      "attention",    "head",
    "all_heads", "query",     "sample",    "scale",        "mask",
    "masks",     "seed",      "sentence",  "edits",        "position_encoding",
    "theme",     "embed_dim", "num_heads", "no such field"};
inline constexpr std::array<std::string_view, 4> attentions = {
    "attention", "encoder_self_attention", "decoder_self_attention", "cross_attention"};
inline constexpr std::array<std::string_view, 12> tensors = {
    "token_embedding", "position_encoding", "query_input",
    "key_input",       "value_input",       "q_proj_weight",
    "k_proj_weight",   "v_proj_bias",       "mask",
    "q_proj_bias",     "out_proj_bias",     "scores"};
inline constexpr std::array<std::string_view, 16> words = {"you-are-welcome",
                                                           "pool-beats-badminton",
                                                           "your-sentence",
                                                           "plain",
                                                           "scaled",
                                                           "projected",
                                                           "typed",
                                                           "overview",
                                                           "softmax",
                                                           "sqrt-head-dim",
                                                           "none",
                                                           "padding",
                                                           "look-ahead",
                                                           "both",
                                                           "-Infinity",
                                                           "dark"};

inline Json random_number(Dice& dice) {
  constexpr std::array numbers = {0.0, 0.5,  -0.25, 1e-6,   1e6,   1e4, -1e4,
                                  1e9, -1e9, 1e-45, 3.5e38, 1e308, -0.0};
  switch (dice.below(3)) {
    case 0:
      return dice.below(8);
    case 1:
      return dice.of(numbers);
    default:
      return static_cast<int>(dice.below(2001)) - 1000;
  }
}

inline Json random_edit(Dice& dice) {
  Json index = Json::array();
  const std::size_t rank = 1 + dice.below(4);
  for (std::size_t i = 0; i < rank; ++i) index.push_back(dice.below(5));
  return {{"attention", dice.of(attentions)},
          {"tensor", dice.of(tensors)},
          {"index", index},
          {"value", dice.below(4) == 0 ? Json("-Infinity") : random_number(dice)}};
}

inline Json random_value(Dice& dice) {
  switch (dice.below(8)) {
    case 0:
      return random_number(dice);
    case 1:
      return dice.below(2) == 0;
    case 2:
      return nullptr;
    case 3:
      return dice.of(attentions);
    case 4:
      return "a b c d e f";
    case 5:
      return Json::array({random_edit(dice), random_edit(dice)});
    case 6:
      return {{dice.of(attentions), dice.of(words)}};
    default:
      return dice.of(words);
  }
}

/// One field changed, added or taken away; half the time to a value of the kind that it has.
inline void mutate_state(Json& state, Dice& dice) {
  const std::string field(dice.of(state_fields));
  const bool fitting = dice.below(4) != 0;
  if (!fitting && dice.below(3) == 0) {
    state.erase(field);
  } else if (!fitting) {
    state[field] = random_value(dice);
  } else if (field == "edits") {
    Json& edits = state["edits"];
    if (!edits.is_array()) edits = Json::array();
    if (edits.size() < 6)
      edits.push_back(random_edit(dice));
    else
      edits.erase(edits.begin());
  } else if (field == "masks") {
    Json& masks = state["masks"];
    if (!masks.is_object()) masks = Json::object();
    masks[std::string(dice.of(attentions))] = dice.of(words);
  } else if (field == "attention") {
    state[field] = dice.of(attentions);
  } else if (field == "head" || field == "query" || field == "sample" || field == "seed") {
    state[field] = dice.below(4);
  } else if (field == "num_heads" || field == "embed_dim") {
    state[field] = 1 + dice.below(16);
  } else if (field == "all_heads" || field == "position_encoding") {
    state[field] = dice.below(2) == 0;
  } else if (field == "scale" && dice.below(2) == 0) {
    state[field] = random_number(dice);
  } else if (field == "sentence") {
    state["example"] = "your-sentence";
    state[field] =
        std::string(dice.below(60), 'x') + (dice.below(2) == 0 ? " y" : "\xE6\xBC\xA2 z");
  } else {
    state[field] = dice.of(words);
  }
}

/// `bytes` after the first one are a state: one or more of its fields mutated, written back.
/// Returns the new size, 0 where it does not fit.
inline std::size_t mutate_state_text(std::uint8_t* bytes, std::size_t size, std::size_t max_size,
                                     unsigned seed) {
  Dice dice(seed);
  Json state = size > 1 ? Json::parse(bytes + 1, bytes + size, nullptr, false) : Json();
  if (!state.is_object()) state = Json::object();
  const std::size_t times = 1 + dice.below(4);
  for (std::size_t i = 0; i < times; ++i) mutate_state(state, dice);
  const std::string text = state.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() + 1 > max_size) return 0;
  bytes[0] = static_cast<std::uint8_t>('0' + dice.below(3));
  std::copy(text.begin(), text.end(), bytes + 1);
  return text.size() + 1;
}

}  // namespace fuzz
