// A small attention as Qwen3 has it, of a reader's own file.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "lesson/input/own_layers.hpp"

/// Opens a layer of embed_dim 12, whose 4 heads are 6 wide and so together 24; two of them share a
/// head of keys. With norms and rotary positions. Returns its variant of own-layer, which is there
/// until lesson::forget_own_layers().
inline std::size_t open_qwen3_layer() {
  files::Header header;
  std::vector<float> numbers;
  const auto add = [&](const char* name, const tensor::Shape& shape) {
    const std::uint64_t begin = 4 * numbers.size();
    header.entries.push_back({std::string("layers.0.self_attn.") + name + ".weight", "F32", shape,
                              begin, begin + 4 * shape.product()});
    for (std::size_t i = 0; i < shape.product(); ++i)
      numbers.push_back(static_cast<float>(numbers.size() * 7 % 23) / 16.0F - 0.6F);
  };
  add("q_proj", {24, 12});
  add("k_proj", {12, 12});
  add("v_proj", {12, 12});
  add("o_proj", {12, 24});
  add("q_norm", {6});
  add("k_norm", {6});
  const auto found = files::find_attentions(header).attentions.at(0);
  std::vector<float> in_order;
  for (const files::HeaderEntry& entry : found.tensors) {
    in_order.insert(in_order.end(), numbers.begin() + static_cast<std::ptrdiff_t>(entry.begin / 4),
                    numbers.begin() + static_cast<std::ptrdiff_t>(entry.end / 4));
  }
  const auto variant =
      lesson::add_own_layer("qwen3.safetensors", found, std::as_bytes(std::span(in_order)), {});
  EXPECT_TRUE(variant) << variant.error().message;
  return variant.value_or(0);
}
