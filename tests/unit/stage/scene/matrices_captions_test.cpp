// Captions over the matrices, and which matrices are drawn at all.
#include <gtest/gtest.h>

#include <string_view>

#include "stage/meanings.hpp"
#include "stage/scene/matrices.hpp"

namespace stage {
namespace {

template <typename Check>
void for_each_caption(Check check) {
  for (const Scene* each : all_scenes()) {
    const Scene& scene = *each;
    for (const TensorId id : drawable(scene.attention.trace)) {
      const Meaning& meaning = meaning_of(scene, id);
      for (const document::ViewState& view_state : looks_for(scene, meaning)) {
        SCOPED_TRACE(name_of(scene, view_state) + ", " + std::string(model::name_of(id)));
        check(scene, meaning, view_state, caption_of(scene.attention, id, view_state));
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(Captions, NameTheTensorAndTheHeadThatIsShown) {
  for_each_caption([](const Scene& scene, const Meaning& meaning,
                      const document::ViewState& view_state, const Group& group) {
    ASSERT_EQ(group.tensor, meaning.id);
    std::string title(model::name_of(meaning.id));
    const bool is_group = meaning.shape.find('G') != std::string_view::npos;
    if (heads_of(scene, meaning) > 0 && !view_state.all_heads && scene.config().num_heads > 1) {
      const std::size_t head = shown_head(scene, meaning, view_state.head);
      title += (is_group ? ", group " : ", head ") + std::to_string(head);  // counted from 0
    }
    if (meaning.id == "weighted_values") {
      const std::string& token = scene.attention.query_tokens[view_state.sample][view_state.query];
      if (token.size() > 14) return;  // cut, perhaps: see below
      title += ", query " + token;
    }
    ASSERT_EQ(group.title, title);
  });
}

// One word of sixty letters must not push everything else off the stage.
TEST(Captions, CutALongToken) {
  for (const Scene& scene : extreme_scenes()) {
    if (!scene.name.starts_with("long tokens")) continue;
    const Group group = caption_of(scene.attention, "weighted_values", {});
    EXPECT_EQ(group.title, "weighted_values, query WWWWWWWWWWWWW…");
  }
  Scene scene = example_scenes().front();
  scene.attention.query_tokens[0][0] = "Übergrößenträger";  // characters, not bytes
  EXPECT_EQ(caption_of(scene.attention, "weighted_values", {}).title,
            "weighted_values, query Übergrößenträ…");
}

TEST(Captions, SayTheShapeOfWhatIsDrawn) {
  for_each_caption([](const Scene& scene, const Meaning& meaning,
                      const document::ViewState& view_state, const Group& group) {
    const model::Config& config = scene.config();
    std::string shape;
    std::string_view letters = meaning.shape;
    while (!letters.empty()) {
      std::string_view letter = letters.substr(0, letters.find(' '));
      letters.remove_prefix(std::min(letters.size(), letter.size() + 1));
      if (letter == "A") letter = config.own_head_dim == 0 ? "E" : "H·D";
      std::size_t length = 0;
      if (letter == "Lq") length = config.query_len;
      if (letter == "Lk") length = config.key_len;
      if (letter == "E") length = config.embed_dim;
      if (letter == "H") length = config.num_heads;
      if (letter == "G") length = config.num_kv_heads;
      if (letter == "G·D") length = config.num_kv_heads * config.head_dim();
      if (letter == "D") length = config.head_dim();
      if (letter == "H·D") length = config.num_heads * config.head_dim();
      if (letter == "kdim") length = config.kdim;
      if (letter == "vdim") length = config.vdim;
      // One sample is drawn, and one query of the weighted values; the chosen head is in the title.
      if (letter == "B" || letter == "i") continue;
      if ((letter == "H" || letter == "G") && !view_state.all_heads && config.num_heads > 1)
        continue;
      shape += (shape.empty() ? "" : ", ") + std::string(letter) + " " + std::to_string(length);
    }
    // One head's sink is a single number.
    ASSERT_EQ(group.shape, shape.empty() ? "" : "[" + shape + "]");
  });
}

TEST(Captions, SayWhoseNumbersAreDrawn) {
  std::size_t views = 0;
  for_each_caption([&](const Scene& scene, const Meaning& meaning, const document::ViewState&,
                       const Group& group) {
    if (group.note.empty()) {
      // What has storage of its own shares it with nothing that came before it.
      for (const TensorId earlier : scene.attention.trace.present()) {
        if (meaning.id == "weighted_values" || earlier >= meaning.id) break;
        if (scene.attention.trace.view_of(earlier) == meaning.id) continue;  // named before it
        ASSERT_FALSE(scene.attention.trace[earlier].covers(scene.attention.trace[meaning.id]));
      }
      return;
    }
    ++views;
    const std::string_view prefix = "view of ";
    ASSERT_TRUE(group.note.starts_with(prefix));
    const auto owner = model::tensor_named(std::string_view(group.note).substr(prefix.size()));
    ASSERT_TRUE(owner.has_value());
    ASSERT_LT(*owner, meaning.id);
    ASSERT_TRUE(
        scene.attention.trace[*owner].shares_storage_with(scene.attention.trace[meaning.id]));
  });
  EXPECT_GT(views, 100U);
}

TEST(RepeatedInput, IsTheInputThatSelfAttentionHasAlready) {
  for (const Scene* each : all_scenes()) {
    const Scene& scene = *each;
    const model::Trace& trace = scene.attention.trace;
    SCOPED_TRACE(scene.name);
    const bool crossed = scene.attention.id == lesson::AttentionId::cross_attention ||
                         scene.attention.query_tokens != scene.attention.key_tokens;
    EXPECT_EQ(is_repeated_input(trace, "key_input"), !crossed);
    EXPECT_TRUE(is_repeated_input(trace, "value_input"));  // keys and values have one source
    EXPECT_FALSE(is_repeated_input(trace, "query_input"));
    EXPECT_FALSE(is_repeated_input(trace, "q_split"));  // a view, but another table
    EXPECT_FALSE(is_repeated_input(trace, "q"));
  }
}

}  // namespace
}  // namespace stage
