// The maps of all heads, sorted by what the heads do.
#include <algorithm>
#include <string>

#include "base/text.hpp"
#include "document/translator/the_translator.hpp"
#include "lesson/heads/recorded_heads.hpp"
#include "stage/figures/figure_scenes.hpp"
#include "stage/figures/heads/head_pattern.hpp"
#include "stage/figures/step_figures.hpp"

namespace stage {
namespace {

using lesson::AttentionId;

class SortedHeads : public document::TheTranslator {
 protected:
  static Stage made(const Rect& room, bool sorted, bool held_out) {
    static const document::Computed computed =
        document::computed(saying("He admired her as a great director."));
    document::ViewState view_state;
    view_state.step = lesson::StepId::overview;
    view_state.attention = AttentionId::encoder_self_attention;
    view_state.all_heads = true;
    view_state.sort_heads = sorted;
    view_state.held_out_heads = held_out;
    Stage stage;
    put_all_heads(stage, {computed, computed.find(view_state.attention), view_state}, room);
    return stage;
  }
};

constexpr Rect large{8.0F, 8.0F, 1540.0F, 760.0F};
constexpr Rect usual{0.0F, 0.0F, 900.0F, 520.0F};

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

TEST_F(SortedHeads, HaveTheirNamesBelowThemWhereThereIsRoom) {
  const Stage stage = made(large, true, false);
  const Figure& figure = stage.figures.at(0);
  std::size_t maps = 0;
  for (const Target& target : figure.targets) {
    if (!target.preview) continue;
    ++maps;
    const std::string place = std::to_string(lesson::layer_of(target.preview->attention)) + " · " +
                              std::to_string(target.preview->head);
    EXPECT_TRUE(std::any_of(figure.words.begin(), figure.words.end(), [&](const Words& words) {
      return ends_with(words.text, place) && words.at.x >= target.place.x &&
             words.at.x < target.place.right() && words.at.y > target.place.bottom() - 4.0F &&
             words.at.y < target.place.bottom() + 16.0F;
    })) << target.label;
  }
  EXPECT_EQ(maps, 96U);
}

// Each pattern is a heading, or among those that no head has.
TEST_F(SortedHeads, SayWhatNoHeadDoes) {
  for (const bool held_out : {false, true}) {
    const Stage stage = made(usual, true, held_out);
    std::string missing;
    std::size_t counted = 0;
    const std::string before = base::text("stage.heads.nobody", {{"patterns", ""}}).substr(0, 8);
    for (const Words& words : stage.figures.at(0).words)
      if (words.text.rfind(before, 0) == 0) missing = words.text;
    for (std::size_t i = 0; i < static_cast<std::size_t>(Pattern::mixed); ++i) {
      const std::string name(words_for(static_cast<Pattern>(i)));
      bool heading = false;
      for (const Words& words : stage.figures.at(0).words) {
        if (words.text.rfind(name + ": ", 0) != 0) continue;
        heading = true;
        counted += std::stoul(words.text.substr(name.size() + 2));
      }
      EXPECT_NE(heading, missing.find(name) != std::string::npos) << name << "; " << missing;
    }
    EXPECT_GT(counted, 0U);
    EXPECT_LT(counted, 96U) << "some look at several tokens";
  }
}

TEST_F(SortedHeads, SayThatMapsAreOfThisSentenceWhereSharesAreOfOthers) {
  const std::string sorted =
      base::text("stage.heads.maps_here_sorted", {{"count", lesson::recorded_sentences()}});
  const std::string_view by_layer = base::text("stage.heads.maps_here");
  const auto says = [](const Stage& stage, std::string_view text) {
    const auto& words = stage.figures.at(0).words;
    return std::any_of(words.begin(), words.end(),
                       [&](const Words& each) { return each.text == text; });
  };
  EXPECT_TRUE(says(made(usual, true, true), sorted));
  EXPECT_TRUE(says(made(usual, false, true), by_layer));
  for (const bool is_sorted : {false, true}) {
    EXPECT_FALSE(says(made(usual, is_sorted, false), sorted));
    EXPECT_FALSE(says(made(usual, is_sorted, false), by_layer));
  }
}

}  // namespace
}  // namespace stage
