#include "training/weights_file.hpp"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <span>
#include <utility>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "kernels/matmul.hpp"

namespace training {
namespace {

using base::fail;
using base::Result;
using tensor::Tensor;

/// The sizes that metadata hold, by name, and from where to where they may be: what a changed file
/// says must not be counted up to.
struct Size {
  const char* name;
  std::size_t model::Transformer::*member;
  std::size_t least;
  std::size_t most;
};
constexpr std::array<Size, 6> sizes = {{
    {"vocabulary", &model::Transformer::vocabulary, 1, std::size_t{1} << 24U},
    {"embed_dim", &model::Transformer::embed_dim, 1, model::Limits::embed_dim},
    {"num_heads", &model::Transformer::num_heads, 1, model::Limits::heads},
    {"feed_forward", &model::Transformer::feed_forward, 1, 4 * model::Limits::embed_dim},
    {"encoder_layers", &model::Transformer::encoder_layers, 1, 256},
    {"decoder_layers", &model::Transformer::decoder_layers, 0, 256},
}};
struct Flag {
  const char* name;
  bool model::Transformer::*member;
};
constexpr std::array<Flag, 4> flags = {{
    {"causal", &model::Transformer::causal},
    {"positions", &model::Transformer::positions},
    {"tied", &model::Transformer::tied},
    {"scaled_embedding", &model::Transformer::scaled_embedding},
}};

constexpr const char* checksum_key = "checksum";

const std::string* find(const files::Metadata& metadata, std::string_view key) {
  for (const auto& [name, value] : metadata) {
    if (name == key) return &value;
  }
  return nullptr;
}

/// Adds what is needed to use the weights.
void describe(const Learner& learner, files::Metadata& metadata) {
  const model::Transformer& transformer = learner.transformer();
  for (const Size& size : sizes)
    metadata.emplace_back(size.name, std::to_string(transformer.*size.member));
  for (const Flag& flag : flags)
    metadata.emplace_back(flag.name, transformer.*flag.member ? "yes" : "no");
  metadata.emplace_back("padding", std::to_string(transformer.padding + 1));  // 0: none
  const bool scaled = transformer.scale.kind != model::Scale::Kind::none;
  metadata.emplace_back("scaled_scores", scaled ? "yes" : "no");
  metadata.emplace_back("norm_first", transformer.norm_first ? "yes" : "no");
  metadata.emplace_back("activation",
                        transformer.activation == model::Activation::gelu ? "gelu" : "relu");
  metadata.emplace_back("steps", std::to_string(learner.steps()));
}

/// What each row of a matrix is divided by, so that its largest number is 127.
Tensor scales_of(const Tensor& matrix) {
  Tensor scales({matrix.dim(0)});
  float* scale = scales.mutable_data();
  for (std::size_t row = 0; row < matrix.dim(0); ++row) {
    const float* cells = matrix.cell({row, 0});
    float largest = 0.0F;
    for (std::size_t i = 0; i < matrix.dim(1); ++i)
      largest = std::max(largest, std::fabs(cells[i]));
    scale[row] = largest / 127.0F;
  }
  return scales;
}

Tensor rounded(const Tensor& matrix, const Tensor& scales) {
  Tensor made = matrix.clone();
  float* cell = made.mutable_data();
  for (std::size_t row = 0; row < matrix.dim(0); ++row) {
    const float scale = scales.at({row});
    for (std::size_t i = 0; i < matrix.dim(1); ++i, ++cell)
      *cell = scale == 0.0F ? 0.0F : std::nearbyint(*cell / scale);
  }
  return made;
}

/// The numbers of a rounded matrix times the scales of its rows.
Result<Tensor> restored(const files::StoredTensor& stored, const files::Safetensors& file) {
  const files::StoredTensor* scale = file.find(stored.name + ".scale");
  if (scale == nullptr || stored.shape.rank() != 2 ||
      scale->shape != tensor::Shape{stored.shape[0]}) {
    return fail(base::text("training.weights.no_scale", {{"name", stored.name}}));
  }
  Result<Tensor> scales = files::to_float32(*scale);
  if (!scales) return scales;
  std::vector<std::int8_t> whole;
  whole.reserve(stored.bytes.size());
  for (const std::byte byte : stored.bytes) whole.push_back(static_cast<std::int8_t>(byte));
  Tensor made = Tensor::uninitialized(stored.shape);
  float* cell = made.mutable_data();
  const std::int8_t* number = whole.data();
  for (std::size_t row = 0; row < stored.shape[0]; ++row) {
    const float scale_of_row = scales->at({row});
    for (std::size_t i = 0; i < stored.shape[1]; ++i)
      *cell++ = static_cast<float>(*number++) * scale_of_row;
  }
  kernels::keep_rounded(made, whole, *scales);
  return made;
}

/// The file's bytes, with their checksum.
Result<std::vector<std::byte>> signed_file(const std::vector<files::NamedTensor>& tensors,
                                           files::Metadata metadata) {
  auto bytes = files::write_safetensors(tensors, metadata);
  if (!bytes) return bytes;
  metadata.emplace_back(checksum_key, checksum_of(*files::read_safetensors(*bytes)));
  return files::write_safetensors(tensors, metadata);
}

}  // namespace

std::string checksum_of(const files::Safetensors& file) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  const auto add = [&hash](std::span<const std::byte> bytes) {
    for (const std::byte byte : bytes)
      hash = (hash ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001b3U;
  };
  const auto add_text = [&add](const std::string& text) { add(std::as_bytes(std::span(text))); };
  for (const auto& [name, value] : file.metadata) {
    if (name == checksum_key) continue;
    add_text(name);
    add_text(value);
  }
  for (const files::StoredTensor& tensor : file.tensors) {
    add_text(tensor.name);
    add(tensor.bytes);
  }
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016" PRIx64, hash);
  return digits;
}

Result<std::vector<std::byte>> write_weights(const Learner& learner, bool as_checkpoint,
                                             files::Metadata metadata) {
  describe(learner, metadata);
  std::vector<files::NamedTensor> tensors;
  for (std::size_t i = 0; i < learner.names().size(); ++i) {
    const Parameter& parameter = learner.parameters()[i];
    const std::string& name = learner.names()[i];
    tensors.push_back({name, parameter.value});
    if (!as_checkpoint) continue;
    if (parameter.mean.defined()) tensors.push_back({"mean." + name, parameter.mean});
    if (parameter.squares.defined()) tensors.push_back({"squares." + name, parameter.squares});
  }
  return signed_file(tensors, std::move(metadata));
}

Result<std::vector<std::byte>> write_rounded_weights(const Learner& learner,
                                                     files::Metadata metadata) {
  describe(learner, metadata);
  std::vector<files::NamedTensor> tensors;
  for (std::size_t i = 0; i < learner.names().size(); ++i) {
    const std::string& name = learner.names()[i];
    const Tensor weight = learner.parameters()[i].value.contiguous();
    if (weight.rank() != 2) {
      tensors.push_back({name, weight});
      continue;
    }
    const Tensor scales = scales_of(weight);
    tensors.push_back({name + ".scale", scales});
    tensors.push_back({name, rounded(weight, scales), true});
  }
  // Numbers of four bytes first, so that each lies at a multiple of its size.
  std::stable_partition(tensors.begin(), tensors.end(),
                        [](const files::NamedTensor& tensor) { return !tensor.as_int8; });
  return signed_file(tensors, std::move(metadata));
}

Result<void> restore(const files::Safetensors& checkpoint, Learner& learner) {
  const std::string* text = find(checkpoint.metadata, "steps");
  const auto steps = text == nullptr ? std::nullopt : base::read_whole<std::size_t>(*text);
  if (!steps) return fail(base::text("training.checkpoint.no_steps"));
  std::vector<Parameter> parameters;
  for (std::size_t i = 0; i < learner.names().size(); ++i) {
    const std::string& name = learner.names()[i];
    const tensor::Shape& shape = learner.parameters()[i].value.shape();
    Parameter parameter;
    for (const auto& [prefix, to] :
         {std::pair("", &parameter.value), std::pair("mean.", &parameter.mean),
          std::pair("squares.", &parameter.squares)}) {
      const files::StoredTensor* stored = checkpoint.find(prefix + name);
      if (stored == nullptr && to != &parameter.value) continue;  // not every method keeps both
      if (stored == nullptr)
        return fail(base::text("training.checkpoint.missing", {{"name", name}}));
      if (stored->shape != shape) {
        return fail(
            base::text("training.checkpoint.shape", {{"name", stored->name},
                                                     {"shape", tensor::describe(stored->shape)},
                                                     {"wanted", tensor::describe(shape)}}));
      }
      Result<Tensor> tensor = files::to_float32(*stored);
      if (!tensor) return fail(tensor.error());
      *to = *std::move(tensor);
    }
    parameters.push_back(std::move(parameter));
  }
  learner.restore(*steps, std::move(parameters));
  return {};
}

Result<model::Transformer> transformer_from(const files::Metadata& metadata) {
  model::Transformer made;
  for (const Size& size : sizes) {
    const std::string* text = find(metadata, size.name);
    const auto number = text == nullptr ? std::nullopt : base::read_whole<std::size_t>(*text);
    if (!number) return fail(base::text("training.weights.no_size", {{"name", size.name}}));
    if (*number < size.least || *number > size.most) {
      return fail(base::text(
          "training.weights.size",
          {{"name", size.name}, {"size", *text}, {"least", size.least}, {"most", size.most}}));
    }
    made.*size.member = *number;
  }
  for (const Flag& flag : flags) {
    const std::string* text = find(metadata, flag.name);
    if (text == nullptr) return fail(base::text("training.weights.no_flag", {{"name", flag.name}}));
    made.*flag.member = *text == "yes";
  }
  const std::string* padding = find(metadata, "padding");
  const auto token = padding == nullptr ? std::nullopt : base::read_whole<int>(*padding);
  made.padding = token.value_or(0) - 1;
  const std::string* scaled = find(metadata, "scaled_scores");
  if (scaled != nullptr && *scaled == "no") made.scale.kind = model::Scale::Kind::none;
  // Older files say neither, and are of the model of the paper.
  const std::string* norm_first = find(metadata, "norm_first");
  made.norm_first = norm_first != nullptr && *norm_first == "yes";
  if (const std::string* activation = find(metadata, "activation")) {
    if (*activation != "relu" && *activation != "gelu") {
      return fail(base::text("training.weights.activation", {{"activation", *activation}}));
    }
    if (*activation == "gelu") made.activation = model::Activation::gelu;
  }
  return made;
}

Result<model::Weights> weights_from(const files::Safetensors& file) {
  model::Weights weights;
  for (const files::StoredTensor& stored : file.tensors) {
    if (stored.name.ends_with(".scale")) continue;
    Result<Tensor> tensor =
        stored.dtype == "I8" ? restored(stored, file) : files::to_float32(stored);
    if (!tensor) return fail(tensor.error());
    weights[stored.name] = *std::move(tensor);
  }
  return weights;
}

}  // namespace training
