#include "stage/motion/products_back.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "document/session.hpp"
#include "stage/layout/composition.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/motion/motion.hpp"
#include "stage/scenes.hpp"
#include "stage/wording/cell/equation.hpp"

namespace stage {
namespace {

using lesson::ExampleId;
using lesson::StepId;
using model::TensorId;

constexpr StepId product_steps[] = {StepId::project, StepId::scores, StepId::reweight,
                                    StepId::output};
constexpr float scrub_places[] = {0.0F,  0.03F, 0.1F,  0.17F, 0.24F, 0.3F, 0.37F, 0.44F, 0.5F,
                                  0.58F, 0.66F, 0.71F, 0.79F, 0.86F, 0.9F, 0.95F, 1.0F};

/// Gradients of a number of the output are shown. One head, two heads in a batch, 8 heads of 64.
document::Session learning(ExampleId example, bool all_heads = true) {
  document::Session session;
  const std::size_t variant = example == ExampleId::pool_beats_badminton ? 2 : 0;
  EXPECT_TRUE(session.perform(document::ChooseExample{example, variant}));
  const document::CellAddress cell{session.attention().id, TensorId("output"), {0, 1, 1}};
  EXPECT_TRUE(session.perform(document::SetTarget{cell, 1.5F}));
  EXPECT_TRUE(session.perform(document::ShowGradients{true}));
  EXPECT_TRUE(session.perform(document::ShowAllHeads{all_heads}));
  EXPECT_TRUE(session.perform(document::ChooseQuery{1}));
  return session;
}

constexpr ExampleId learned[] = {ExampleId::pool_beats_badminton, ExampleId::you_are_welcome,
                                 ExampleId::anthony_hopkins};

/// A step that plays backward, on one screen.
struct Playing {
  const document::Session& session;
  document::ViewState view_state;
  const Screen& screen;

  const model::Trace& trace() const { return session.attention().trace; }
  std::string name() const {
    return std::string(lesson::step(view_state.step).name) + " of " +
           document::name_of(session.document().configuration) + ", " + screen.name;
  }
  /// What is drawn at this moment.
  Stage frame(float progress) const {
    document::ViewState now = view_state;
    now.progress = progress;
    return at(compose(session.computed(), now, screen.space()).stage, progress);
  }
};

template <typename Check>
void for_each_product(Check check) {
  for (const ExampleId example : learned) {
    const document::Session session = learning(example);
    for (const StepId step : product_steps) {
      for (const document::Projection projection :
           {document::Projection::q, document::Projection::k}) {
        if (step != StepId::project && projection != document::Projection::q) continue;
        for (const Screen& screen : screens) {
          document::ViewState view_state = session.document().view_state;
          view_state.attention = session.attention().id;
          view_state.step = step;
          view_state.projection = projection;
          const Playing playing{session, view_state, screen};
          SCOPED_TRACE(playing.name());
          check(playing);
        }
      }
    }
  }
}

const Figure* corner_of(const Stage& stage) {
  for (const Figure& figure : stage.figures) {
    if (figure.name == "running-sum") return &figure;
  }
  return nullptr;
}

std::size_t shown_of(const Block& block) {
  return std::min(block.shown, block.rows() * block.columns());
}

TEST(ProductsBack, EveryCellIsItsTensorsAtEveryMoment) {
  std::size_t partly = 0;
  for_each_product([&](const Playing& playing) {
    for (const float progress : scrub_places) {
      const Stage now = playing.frame(progress);
      for (const Block& block : now.blocks) {
        const Group& group = now.groups[block.group];
        ASSERT_EQ(group.tensor, block.tensor);
        ASSERT_EQ(group.title.starts_with("d_"), block.tensor.is_gradient()) << group.title;
        if (shown_of(block) > 0 && shown_of(block) < block.rows() * block.columns()) ++partly;
        for (const std::size_t row : {std::size_t{0}, block.rows() - 1}) {
          for (std::size_t column = 0; column < block.columns(); ++column) {
            ASSERT_EQ(bits_of(block.value(row, column)),
                      bits_of(playing.trace()[block.tensor].at(block.index_of(row, column))))
                << model::name_of(block.tensor) << " at " << progress;
          }
        }
      }
    }
  });
  EXPECT_GT(partly, 100U);
}

// What the corner adds up is what the trace computed, and stands in its cell only when it is whole.
TEST(ProductsBack, TheFactorsAreThereAndTheirSumIsTheCell) {
  std::map<StepId, std::size_t> grown;
  for_each_product([&](const Playing& playing) {
    std::size_t sums = 0;
    for (const float progress : scrub_places) {
      const Stage now = playing.frame(progress);
      if (now.growing) {
        const document::CellRef& cell = now.growing->cell;
        ASSERT_TRUE(cell.tensor.is_gradient());
        ASSERT_FALSE(find_cell(now, cell.tensor, cell.index)) << progress;
        const model::Explanation made = model::explain(playing.trace(), cell.tensor, cell.index);
        ASSERT_LE(now.growing->added, made.terms.size());
        for (const model::Term& term : made.terms) {
          // Weights are learned from all samples of a batch.
          if (playing.trace().axes_of(term.a.tensor).has(model::Axis::B) && term.a.index[0] > 0)
            continue;
          if (term.has_b) {
            ASSERT_TRUE(find_cell(now, term.a.tensor, term.a.index)) << progress;
            ASSERT_TRUE(find_cell(now, term.b.tensor, term.b.index)) << progress;
          }
        }
        ++grown[playing.view_state.step];
      }
      const Figure* corner = corner_of(now);
      if (corner == nullptr) continue;
      for (const Words& words : corner->words) {
        if (!words.cell) continue;
        ++sums;
        const float value = playing.trace()[words.cell->tensor].at(words.cell->index);
        ASSERT_EQ(words.text,
                  equation_number(model::Cell{words.cell->tensor, words.cell->index, value}));
      }
    }
    if (playing.screen.width > 1000.0F) {
      EXPECT_GT(sums, 0U);
    }
  });
  for (const StepId step : product_steps) EXPECT_GT(grown[step], 10U);
}

TEST(ProductsBack, AtTheEndAllGradientsRest) {
  for_each_product([](const Playing& playing) {
    const Stage rest = playing.frame(1.0F);
    std::size_t gradients = 0;
    for (const Block& block : rest.blocks) {
      EXPECT_EQ(shown_of(block), block.rows() * block.columns());
      const bool has = playing.trace().has(block.tensor.value().gradient());
      EXPECT_EQ(block.tensor.is_whole_gradient(), has) << model::name_of(block.tensor);
      gradients += has ? 1 : 0;
    }
    EXPECT_GE(gradients, 3U);
    EXPECT_FALSE(rest.growing);
    // Shortly before it is the same already.
    const Stage before = playing.frame(0.97F);
    ASSERT_EQ(before.blocks.size(), rest.blocks.size());
    for (std::size_t i = 0; i < rest.blocks.size(); ++i) {
      EXPECT_EQ(before.blocks[i].tensor, rest.blocks[i].tensor);
      EXPECT_EQ(before.blocks[i].cells, rest.blocks[i].cells);
    }
  });
}

TEST(ProductsBack, TheFrameIsAFunctionOfTheProgress) {
  for_each_product([](const Playing& playing) {
    std::vector<Stage> forwards;
    for (const float progress : scrub_places) forwards.push_back(playing.frame(progress));
    for (std::size_t i = std::size(scrub_places); i-- > 0;) {
      const Stage back = playing.frame(scrub_places[i]);
      ASSERT_EQ(back.bounds, forwards[i].bounds);
      ASSERT_EQ(back.bounds, forwards.front().bounds);
      ASSERT_EQ(back.blocks.size(), forwards[i].blocks.size());
      for (std::size_t j = 0; j < back.blocks.size(); ++j) {
        ASSERT_EQ(back.blocks[j].tensor, forwards[i].blocks[j].tensor);
        ASSERT_EQ(back.blocks[j].shown, forwards[i].blocks[j].shown);
      }
      const Figure* one = corner_of(back);
      const Figure* other = corner_of(forwards[i]);
      ASSERT_EQ(one == nullptr, other == nullptr);
      if (one == nullptr) continue;
      ASSERT_EQ(one->words.size(), other->words.size());
      for (std::size_t j = 0; j < one->words.size(); ++j) {
        ASSERT_EQ(one->words[j].text, other->words[j].text);
        ASSERT_EQ(one->words[j].at, other->words[j].at);
      }
    }
  });
}

// Numbers that are on their way stand on plates.
TEST(ProductsBack, FlyingNumbersPassOverNoWords) {
  std::size_t flying = 0;
  for_each_product([&](const Playing& playing) {
    for (int i = 0; i < 100; ++i) {
      const Stage now = playing.frame(static_cast<float>(i) / 100.0F);
      const Figure* corner = corner_of(now);
      if (corner == nullptr) continue;
      for (const Words& flies : corner->words) {
        if (!flies.plate) continue;
        ++flying;
        for (const Words& words : corner->words) {
          if (&words == &flies) continue;
          ASSERT_FALSE(overlap(place_of(words), place_of(flies)))
              << flies.text << " over " << words.text << " at " << i;
        }
        ASSERT_EQ(caption_under(now, place_of(flies)), "") << flies.text << " at " << i;
      }
    }
  });
  EXPECT_GT(flying, 500U);
}

/// How visible each group's numbers and title are.
std::map<std::size_t, float> there_on(const Stage& stage) {
  std::map<std::size_t, float> there;
  for (const Block& block : stage.blocks) {
    there[block.group] = block.cells_there;
    EXPECT_EQ(stage.groups[block.group].caption_there, block.cells_there);
  }
  return there;
}

// Where a matrix changes from one tensor to another, it does so unseen: nothing jumps.
TEST(ProductsBack, BetweenTwoTurnsNumbersFade) {
  std::size_t changes = 0;
  const auto checked = [&](const Playing& playing) {
    constexpr int moments = 400;
    constexpr float most_of_a_step = 0.2F;
    Stage before = playing.frame(0.0F);
    for (int i = 1; i <= moments; ++i) {
      Stage now = playing.frame(static_cast<float>(i) / static_cast<float>(moments));
      std::map<std::size_t, float> was = there_on(before);
      for (auto& [group, there] : there_on(now)) {
        ASSERT_NEAR(there, was[group], most_of_a_step) << now.groups[group].title << " at " << i;
        if (before.groups[group].tensor == now.groups[group].tensor) continue;
        ++changes;
        ASSERT_LT(std::max(there, was[group]), most_of_a_step) << now.groups[group].title;
      }
      before = std::move(now);
    }
    for (const auto& [group, there] : there_on(before)) ASSERT_EQ(there, 1.0F);
    for (const auto& [group, there] : there_on(playing.frame(0.0F))) ASSERT_EQ(there, 1.0F);
  };
  const document::Session session = learning(ExampleId::you_are_welcome);
  for (const StepId step : product_steps) {
    document::ViewState view_state = session.document().view_state;
    view_state.attention = session.attention().id;
    view_state.step = step;
    const Playing playing{session, view_state, page};
    SCOPED_TRACE(playing.name());
    checked(playing);
  }
  EXPECT_GT(changes, 8U);
}

// Of the result all heads are there from the beginning; only what is made from it is made.
TEST(ProductsBack, TheResultIsThereInAllHeads) {
  const document::Session session = learning(ExampleId::you_are_welcome);
  document::ViewState view_state = session.document().view_state;
  view_state.attention = session.attention().id;
  for (const auto& [step, tensor] : {std::pair{StepId::scores, TensorId("scores")},
                                     std::pair{StepId::reweight, TensorId("head_outputs")}}) {
    view_state.step = step;
    const Stage begin = Playing{session, view_state, page}.frame(0.0F);
    std::size_t heads = 0;
    for (const Block& block : begin.blocks) {
      if (block.tensor != tensor.gradient()) continue;
      EXPECT_EQ(shown_of(block), block.rows() * block.columns());
      ++heads;
    }
    EXPECT_EQ(heads, 2U);
  }
}

// In self-attention three gradients come back to the input. The one through q is made of products
// first, then the three are added up.
TEST(ProductsBack, TheInputsGradientIsAddedUpFromItsParts) {
  const document::Session session = learning(ExampleId::pool_beats_badminton);
  document::ViewState view_state = session.document().view_state;
  view_state.step = StepId::project;
  const Playing playing{session, view_state, page};
  std::vector<TensorId> shown;
  std::vector<std::string> lines;
  for (const float progress : scrub_places) {
    const Stage now = playing.frame(progress);
    const Block& input = now.blocks.front();
    ASSERT_EQ(input.tensor.value(), TensorId("query_input"));
    if (shown.empty() || shown.back() != input.tensor) shown.push_back(input.tensor);
    if (input.tensor.is_gradient() && !input.tensor.is_whole_gradient()) {
      EXPECT_EQ(now.groups.front().note, "through q");
    }
    if (progress < 1.0F) continue;
    for (const Words& words : corner_of(now)->words) lines.push_back(words.text);
  }
  ASSERT_EQ(shown.size(), 3U);
  EXPECT_FALSE(shown[0].is_gradient());
  EXPECT_EQ(playing.trace().made_by(shown[1])->of[0], TensorId("q").gradient());
  EXPECT_TRUE(shown[2].is_whole_gradient());
  for (const char* line : {"through q", "through k", "through v"})
    EXPECT_NE(std::find(lines.begin(), lines.end(), line), lines.end()) << line;
}

// The pieces go back into one table.
TEST(SplitBack, TheGapsClose) {
  const document::Session session = learning(ExampleId::you_are_welcome);
  document::ViewState view_state = session.document().view_state;
  view_state.step = StepId::split;
  view_state.attention = session.attention().id;
  const Playing playing{session, view_state, page};
  float last = 1e9F;
  for (const float progress : scrub_places) {
    const Stage now = playing.frame(progress);
    ASSERT_EQ(now.blocks.size(), 2U);
    const float gap = now.blocks[1].cells.x - now.blocks[0].cells.right();
    EXPECT_LE(gap, last + 0.01F);
    last = gap;
    const TensorId tensor = progress > 0.6F ? TensorId("q") : TensorId("q_split");
    EXPECT_EQ(now.blocks[0].tensor, tensor.gradient()) << progress;
    for (const Block& block : now.blocks)
      EXPECT_EQ(block.value(1, 0), playing.trace()[block.tensor].at(block.index_of(1, 0)));
  }
  EXPECT_NEAR(last, 0.0F, 0.01F);
}

}  // namespace
}  // namespace stage
