// Every screen of the lesson, composed once as the program does it, for all tests of what a step
// shows.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "speaking.hpp"
#include "stage/layout/composition.hpp"
#include "stage/scenes.hpp"

namespace stage {

/// One screen with everything it was made from.
struct Composed {
  std::string example;  ///< "counting shifted"
  const document::Computed* computed = nullptr;
  document::ViewState view_state;
  const Screen* screen = nullptr;
  Composition composition;

  const Stage& stage() const { return composition.stage; }
  const document::ComputedAttention& attention() const {
    return computed->find(view_state.attention);
  }
  const model::Trace& trace() const { return attention().trace; }
  FigureInput input() const { return {*computed, attention(), view_state}; }
  std::string name() const {
    return example + " " + std::string(lesson::name_of(view_state.attention)) + ", " +
           std::string(lesson::step(view_state.step).name) + ", " +
           (view_state.all_heads ? "all heads" : "head " + std::to_string(view_state.head)) +
           ", query " + std::to_string(view_state.query) + ", " + screen->name;
  }
};

/// Everything computed that the examples have, each variant once; heads that share keys; a norm
/// before they are split.
inline const std::deque<std::pair<std::string, document::Computed>>& computed_examples() {
  static const std::deque<std::pair<std::string, document::Computed>> all = [] {
    std::deque<std::pair<std::string, document::Computed>> made;
    for (const document::Configuration& configuration : document::all_setups())
      made.emplace_back(document::name_of(configuration), document::computed(configuration));
    document::Configuration shared = typed("four heads share two", 16, 4);
    shared.parameters.num_kv_heads = 2;
    made.emplace_back("4 heads, 2 of keys", document::computed(shared));
    document::Configuration normed = typed("a norm before heads", 12, 3);
    normed.variants.qk_norm = true;
    normed.variants.norm_place = model::Variants::NormPlace::all_heads;
    made.emplace_back("norm of all heads at once", document::computed(normed));
    return made;
  }();
  return all;
}

/// Queries, keys, samples and projections change on the way, so that each of them comes up.
inline document::ViewState look_number(std::size_t number,
                                       const document::ComputedAttention& attention,
                                       lesson::StepId step, bool all_heads) {
  const model::Config& config = attention.trace.config;
  document::ViewState view_state;
  view_state.step = step;
  view_state.attention = attention.id;
  view_state.all_heads = all_heads;
  view_state.head = number % config.num_heads;
  view_state.query = number % config.query_len;
  view_state.key = number / 2 % config.key_len;
  view_state.sample = number / 3 % config.batch;
  view_state.projection = static_cast<document::Projection>(number % 3);
  view_state.map = static_cast<document::MapOpen>(number / 2 % 4);
  return view_state;
}

/// Every example, variant, attention and step, with all heads and with one, on all three screens.
inline const std::vector<Composed>& all_compositions(const std::string& language = "en") {
  static std::map<std::string, std::vector<Composed>> known;
  const auto composed = [&] {
    const Speaking texts(language);
    std::vector<Composed> made;
    std::size_t number = 0;
    for (const auto& [name, computed] : computed_examples()) {
      for (const document::ComputedAttention& attention : computed.attentions) {
        for (const lesson::Step& step : lesson::steps()) {
          for (const bool all_heads : {true, false}) {
            const document::ViewState view_state =
                look_number(number++, attention, step.id, all_heads);
            for (const Screen& screen : screens)
              made.push_back({name, &computed, view_state, &screen,
                              compose(computed, view_state, screen.space())});
          }
        }
      }
    }
    return made;
  };
  if (!known.contains(language)) known[language] = composed();
  return known[language];
}

/// The same screen at another point of its step.
inline Stage at_progress(const Composed& composed, float progress) {
  document::ViewState view_state = composed.view_state;
  view_state.progress = progress;
  return compose(*composed.computed, view_state, composed.screen->space()).stage;
}

/// The figures beside the matrices, without what belongs to how those are laid out.
inline std::vector<const Figure*> figures_beside(const Stage& stage) {
  std::vector<const Figure*> beside;
  for (const Figure& figure : stage.figures) {
    if (!figure.of_matrices) beside.push_back(&figure);
  }
  return beside;
}

/// Does a group belong to a figure, and not to the flow of matrices?
inline bool of_figure(const Stage& stage, const Group& group) {
  if (group.in_figure || stage.blocks[group.first_block].run) return true;
  return std::any_of(stage.figures.begin(), stage.figures.end(), [&](const Figure& figure) {
    return !figure.of_matrices && inside(group.bounds, figure.bounds, 0.5F);
  });
}

/// Calls `check` for each screen and names the one where something is wrong.
template <typename Check>
void for_each_composition(Check check) {
  std::size_t wrong = 0;
  for (const Composed& composed : all_compositions()) {
    SCOPED_TRACE(composed.name());
    const bool before = testing::Test::HasFailure();
    check(composed);
    if (!before && testing::Test::HasFailure()) ++wrong;
    ASSERT_EQ(wrong, 0U) << composed.name();
  }
}

}  // namespace stage
