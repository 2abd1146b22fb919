// What the tests of this room share: every attention that the examples have, and some at the edges
// of what is possible.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "document/setups.hpp"
#include "lesson/input/own_layers.hpp"
#include "qwen3_layer.hpp"
#include "self_inputs.hpp"
#include "stage/layout/chrome.hpp"
#include "stage/layout/layout.hpp"

namespace stage {

// clang 14's library has no std::bit_cast.
inline std::uint32_t bits_of(float number) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &number, sizeof bits);
  return bits;
}
inline float float_of(std::uint32_t bits) {
  float number = 0.0F;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}

/// One attention of one computed document.
struct Scene {
  std::string name;
  document::ComputedAttention attention;

  const model::Config& config() const { return attention.trace.config; }
};

inline void add_scenes(std::vector<Scene>& scenes, const document::Configuration& configuration,
                       const std::string& name) {
  const document::Computed computed = document::computed(configuration);
  for (const document::ComputedAttention& attention : computed.attentions) {
    scenes.push_back({name + " " + std::string(lesson::name_of(attention.id)), attention});
  }
}

/// Every attention of every variant of every example, as it comes.
inline const std::vector<Scene>& example_scenes() {
  static const std::vector<Scene> scenes = [] {
    std::vector<Scene> all;
    for (const document::Configuration& configuration : document::all_setups()) {
      add_scenes(all, configuration, document::name_of(configuration));
    }
    return all;
  }();
  return scenes;
}

inline document::Configuration typed(const std::string& sentence, std::size_t embed_dim,
                                     std::size_t num_heads) {
  document::Configuration configuration = document::fresh(lesson::ExampleId::your_sentence, 0);
  configuration.parameters.sentence = sentence;
  configuration.parameters.embed_dim = embed_dim;
  configuration.parameters.num_heads = num_heads;
  return configuration;
}

inline std::string repeated(const std::string& word, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += (i == 0 ? "" : " ") + word;
  return text;
}

/// One token, one dimension, one head: every tensor has a single cell.
inline Scene one_number() {
  const tensor::Tensor input({1, 1, 1}, {0.5F});
  model::Tensors weights;
  weights["q_proj_weight"] = tensor::Tensor({1, 1}, {2.0F});
  weights["q_proj_bias"] = tensor::Tensor({1}, {-1.0F});
  weights["out_proj_weight"] = tensor::Tensor({1, 1}, {3.0F});
  auto trace = model::multi_head_attention(self_inputs(input, std::move(weights)), {});
  EXPECT_TRUE(trace) << trace.error().message;
  document::ComputedAttention computed;
  if (trace) computed.trace = *std::move(trace);
  computed.query_tokens = computed.key_tokens = {{"one"}};
  return {"one number", std::move(computed)};
}

/// Sizes that no example has by itself.
inline const std::vector<Scene>& extreme_scenes() {
  static const std::vector<Scene> scenes = [] {
    std::vector<Scene> all;
    document::Configuration configuration =
        document::fresh(lesson::ExampleId::pool_beats_badminton, 2);
    configuration.parameters.num_heads = 4;
    add_scenes(all, configuration, "heads one number wide");
    configuration = document::fresh(lesson::ExampleId::anthony_hopkins, 2);
    configuration.parameters.num_heads = 16;
    add_scenes(all, configuration, "16 heads, 12 tokens to 9");
    configuration.parameters.num_heads = 1;
    add_scenes(all, configuration, "512 numbers in one head");
    configuration = document::fresh(lesson::ExampleId::you_are_welcome, 0);
    configuration.parameters.num_heads = 6;
    for (const lesson::AttentionId id : lesson::example(configuration.example).attentions) {
      configuration = document::with_mask(configuration, id, lesson::MaskKind::both);
    }
    add_scenes(all, configuration, "6 heads, every mask");
    configuration.position_encoding = false;
    add_scenes(all, configuration, "no position encoding");
    add_scenes(all, typed(repeated("word", 64), 8, 2), "64 tokens");
    add_scenes(all, typed(repeated("word", 64), 512, 16), "64 tokens, 512 numbers, 16 heads");
    add_scenes(all, typed("alone", 2, 1), "one token");
    add_scenes(all, typed("alone", 16, 16), "one token, 16 heads");
    add_scenes(all, typed(repeated(std::string(64, 'W'), 6), 8, 2), "long tokens");
    configuration = typed("heads that share their keys", 16, 4);
    configuration.parameters.num_kv_heads = 2;
    add_scenes(all, configuration, "4 heads, 2 of keys");
    configuration.parameters.num_kv_heads = 1;
    add_scenes(all, configuration, "4 heads, 1 of keys");
    configuration.mistake = model::Mistake::no_transpose;
    configuration.parameters.num_kv_heads = 2;
    add_scenes(all, configuration, "4 heads, 2 of keys, not transposed");
    add_scenes(all, typed("Ich möchte Übergrößenträger für Крокодилы 言語は楽しい", 6, 3),
               "three scripts");
    configuration = typed("a window of three tokens", 8, 2);
    configuration.variants.window = 3;
    add_scenes(all, configuration, "sliding window");
    configuration = typed("scores with a soft cap", 8, 2);
    configuration.variants.softcap = 0.5F;
    add_scenes(all, configuration, "soft cap");
    configuration.variants.window = 2;
    add_scenes(all, configuration, "soft cap and sliding window");
    configuration = typed("distances are taken from scores", 16, 4);
    configuration.variants.alibi = true;
    add_scenes(all, configuration, "ALiBi");
    configuration.variants.softcap = 0.5F;
    configuration.masks[lesson::AttentionId::attention] = lesson::MaskKind::look_ahead;
    add_scenes(all, configuration, "ALiBi, soft cap and look-ahead mask");
    configuration = typed("queries and keys are turned", 32, 2);
    configuration.variants.rope_base = 100.0F;
    add_scenes(all, configuration, "rotary positions");
    configuration.parameters.num_heads = 4;
    configuration.parameters.num_kv_heads = 2;
    add_scenes(all, configuration, "rotary positions, shared keys");
    configuration = typed("queries and keys are normalised", 16, 4);
    configuration.variants.qk_norm = true;
    add_scenes(all, configuration, "QK-norm");
    configuration.variants.norm_place = model::Variants::NormPlace::all_heads;
    add_scenes(all, configuration, "norm of all heads at once");
    configuration.parameters.num_kv_heads = 2;
    add_scenes(all, configuration, "norm of all heads at once, shared keys");
    configuration = typed("a sink takes a part", 8, 2);
    configuration.variants.sink = 1.0F;
    add_scenes(all, configuration, "attention sinks");
    configuration = typed("queries and keys are normalised", 16, 4);
    configuration.variants = {100.0F, true, 2, 0.5F, true, -0.5F};
    configuration.parameters.num_kv_heads = 2;
    add_scenes(all, configuration, "every variant");
    add_scenes(all, document::fresh(lesson::ExampleId::own_layer, open_qwen3_layer()),
               "wide heads, norms with weights");
    lesson::forget_own_layers();
    all.push_back(one_number());
    return all;
  }();
  return scenes;
}

inline std::vector<const Scene*> all_scenes() {
  std::vector<const Scene*> all;
  for (const Scene& scene : example_scenes()) all.push_back(&scene);
  for (const Scene& scene : extreme_scenes()) all.push_back(&scene);
  return all;
}

/// What can be looked at: every step and sample, all heads together and the last one alone; the
/// query changes on the way.
inline std::vector<document::ViewState> looks_at(const Scene& scene) {
  std::vector<document::ViewState> looks;
  for (const lesson::Step& step : lesson::steps()) {
    for (std::size_t sample = 0; sample < scene.config().batch; ++sample) {
      for (const bool all_heads : {true, false}) {
        document::ViewState view_state;
        view_state.step = step.id;
        view_state.attention = scene.attention.id;
        view_state.all_heads = all_heads;
        view_state.head = all_heads ? 0 : scene.config().num_heads - 1;
        view_state.query = looks.size() % scene.config().query_len;
        view_state.sample = sample;
        // The map with its cards, and opened.
        const bool open = sample % 2 == 1 || !all_heads;
        view_state.map = open ? document::MapOpen::all : document::MapOpen::none;
        looks.push_back(view_state);
      }
    }
  }
  return looks;
}

inline std::string name_of(const Scene& scene, const document::ViewState& view_state) {
  return scene.name + ", " + std::string(lesson::step(view_state.step).name) + ", sample " +
         std::to_string(view_state.sample) + ", " +
         (view_state.all_heads ? "all heads" : "head " + std::to_string(view_state.head)) +
         ", query " + std::to_string(view_state.query);
}

/// A screen that the program is designed for.
struct Screen {
  const char* name;
  float width;
  float height;

  Rect viewport() const { return arrange(width, height).stage; }
  /// As the program does: a margin for the outlines of what is chosen at the edge.
  static constexpr float margin = 8.0F;
  Space space() const {
    const Rect place = viewport();
    return {place.width - 2.0F * margin, place.height - 2.0F * margin};
  }
};

inline constexpr Screen page{"page", 1280.0F, 800.0F};
inline constexpr Screen embed{"embed", 720.0F, 480.0F};
inline constexpr Screen phone{"phone", 390.0F, 844.0F};
inline constexpr Screen screens[] = {page, embed, phone};

/// Do both cover more than the rounding of their corners?
inline bool overlap(const Rect& a, const Rect& b) {
  const Rect both = a.intersected(b);
  return both.width > 0.01F && both.height > 0.01F;
}

/// The title of the matrix whose caption this place covers a part of; empty if there is none.
inline std::string caption_under(const Stage& stage, const Rect& place) {
  for (const Group& group : stage.groups) {
    if (!group.title.empty() && !group.in_figure && overlap(group.caption, place))
      return group.title;
  }
  return "";
}

/// Is `inner` inside `outer`, but for rounding?
inline bool inside(const Rect& inner, const Rect& outer, float tolerance = 0.02F) {
  return inner.x >= outer.x - tolerance && inner.y >= outer.y - tolerance &&
         inner.right() <= outer.right() + tolerance && inner.bottom() <= outer.bottom() + tolerance;
}

inline std::string text_of(const Rect& rect) {
  return "(" + std::to_string(rect.x) + ", " + std::to_string(rect.y) + ", " +
         std::to_string(rect.width) + " x " + std::to_string(rect.height) + ")";
}

}  // namespace stage
