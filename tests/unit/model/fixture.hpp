// What the scripts in tests/fixtures wrote: numbers of PyTorch's, and what they were computed from.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "files/safetensors.hpp"
#include "model/layers.hpp"
#include "model/problems.hpp"

namespace model {

/// A fixture in memory: tensors by name and the options.
struct Fixture {
  std::map<std::string, Tensor> tensors;
  std::map<std::string, std::string> options;

  Tensor operator[](const std::string& name) const {
    const auto found = tensors.find(name);
    return found == tensors.end() ? Tensor() : found->second;
  }
  std::string option(const std::string& name) const {
    const auto found = options.find(name);
    return found == options.end() ? "" : found->second;
  }
  std::size_t number(const std::string& name) const {
    return std::strtoul(option(name).c_str(), nullptr, 10);
  }
};

inline Fixture read_fixture(const std::string& name) {
  const std::string path = std::string(ATTENTION_LIVE_FIXTURES) + "/" + name + ".safetensors";
  std::vector<std::byte> bytes;
  if (std::FILE* file = std::fopen(path.c_str(), "rb")) {
    std::byte buffer[4096];
    while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, file)) {
      bytes.insert(bytes.end(), buffer, buffer + count);
    }
    std::fclose(file);
  }
  Fixture fixture;
  const auto read = files::read_safetensors(bytes);
  EXPECT_TRUE(read.has_value()) << path << ": " << (read ? "" : read.error().message);
  if (!read) return fixture;
  for (const files::StoredTensor& stored : read->tensors) {
    auto tensor = files::to_float32(stored);
    EXPECT_TRUE(tensor.has_value()) << stored.name;
    if (!tensor) continue;
    fixture.tensors[stored.name] = *std::move(tensor);
    if (stored.dtype != "BOOL") continue;
    // PyTorch: True hides, a float is added.
    Tensor& mask = fixture.tensors[stored.name];
    float* cell = mask.mutable_data();
    for (std::size_t i = 0; i < mask.size(); ++i) cell[i] = cell[i] != 0.0F ? hidden : 0.0F;
  }
  for (const auto& [key, value] : read->metadata) fixture.options[key] = value;
  return fixture;
}

/// Weights under the names of nn.MultiheadAttention's parameters.
inline Tensors weights_of(const Fixture& fixture, const std::string& prefix) {
  Tensors weights;
  weights["q_proj_weight"] = fixture[prefix + "q_proj_weight"];
  weights["k_proj_weight"] = fixture[prefix + "k_proj_weight"];
  weights["v_proj_weight"] = fixture[prefix + "v_proj_weight"];
  weights["out_proj_weight"] = fixture[prefix + "out_proj.weight"];
  weights["out_proj_bias"] = fixture[prefix + "out_proj.bias"];
  if (const Tensor packed = fixture[prefix + "in_proj_weight"]; packed.defined()) {
    const std::size_t A = weights["out_proj_weight"].dim(1);
    const std::size_t K = (packed.dim(0) - A) / 2;  // A too, but where query heads share keys
    weights["q_proj_weight"] = packed.narrow(0, 0, A);
    weights["k_proj_weight"] = packed.narrow(0, A, K);
    weights["v_proj_weight"] = packed.narrow(0, A + K, K);
  }
  if (const Tensor packed = fixture[prefix + "in_proj_bias"]; packed.defined()) {
    const std::size_t A = weights["q_proj_weight"].dim(0);
    const std::size_t K = (packed.dim(0) - A) / 2;
    weights["q_proj_bias"] = packed.narrow(0, 0, A);
    weights["k_proj_bias"] = packed.narrow(0, A, K);
    weights["v_proj_bias"] = packed.narrow(0, A + K, K);
  }
  return weights;
}

/// key_padding_mask [B,Lk] as [B,1,1,Lk].
inline Tensor padding_of(const Tensor& mask) {
  return mask.defined() ? mask.reshape({mask.dim(0), 1, 1, mask.dim(1)}) : Tensor();
}

/// What a layer has learned, under its table's names, which are PyTorch's.
inline Layer layer_of(const Fixture& fixture, const std::string& prefix,
                      std::span<const Node> table) {
  Layer layer;
  for (const Node& row : table)
    layer.weights[row.id] = fixture[prefix + std::string(name_of(row.id))];
  layer.self_attention = weights_of(fixture, prefix + "self_attn.");
  layer.cross_attention = weights_of(fixture, prefix + "multihead_attn.");
  return layer;
}

inline LayerOptions layer_options_of(const Fixture& fixture) {
  return {fixture.number("num_heads"),
          {},
          fixture.option("activation") == "gelu" ? Activation::gelu : Activation::relu,
          fixture.option("norm_first") == "true"};
}

}  // namespace model
