#include "stage/highlight/gradients.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "document/session.hpp"
#include "stage/highlight/sources.hpp"
#include "stage/layout/composition.hpp"
#include "stage/layout/steps/step_layouts.hpp"
#include "stage/motion/motion.hpp"
#include "stage/wording/cell/equation.hpp"
#include "stage/wording/cell/explanation_words.hpp"

namespace stage {
namespace {

using document::CellRef;
using lesson::AttentionId;
using lesson::StepId;
using model::TensorId;

constexpr Space gradient_space{900.0F, 500.0F};

/// Two heads with weights, and a target for one number of the output.
document::Session learner(lesson::ExampleId example, std::size_t variant) {
  document::Session session;
  EXPECT_TRUE(session.perform(document::ChooseExample{example, variant}));
  const document::CellAddress cell{session.attention().id, TensorId("output"), {0, 1, 1}};
  EXPECT_TRUE(session.perform(document::SetTarget{cell, 1.5F}));
  EXPECT_TRUE(session.perform(document::ShowGradients{true}));
  return session;
}

TEST(ShowGradients, EveryStepShowsTheTracesNumbersInThePlaceOfTheTensors) {
  for (const lesson::ExampleId example :
       {lesson::ExampleId::pool_beats_badminton, lesson::ExampleId::you_are_welcome,
        lesson::ExampleId::anthony_hopkins}) {
    document::Session session =
        learner(example, example == lesson::ExampleId::pool_beats_badminton ? 2 : 0);
    const document::ComputedAttention attention = session.attention();
    for (const lesson::Step& step : lesson::steps()) {
      ASSERT_TRUE(session.perform(document::ChooseStep{step.id}));
      // Some steps open at another attention, which the loss may not depend on.
      ASSERT_TRUE(session.perform(document::ChooseAttention{attention.id}));
      const document::ViewState& view_state = session.document().view_state;
      const Stage stage = compose(session.computed(), view_state, gradient_space).stage;
      std::size_t gradients = 0;
      for (const Block& block : stage.blocks) {
        if (!block.tensor.is_gradient()) continue;
        ++gradients;
        EXPECT_EQ(block.colouring, Colouring::diverging);
        for (std::size_t row = 0; row < block.rows(); ++row) {
          for (std::size_t column = 0; column < block.columns(); ++column) {
            const tensor::Index index = block.index_of(row, column);
            ASSERT_EQ(block.value(row, column), attention.trace[block.tensor].at(index));
          }
        }
      }
      std::string shown;
      for (const Block& block : stage.blocks)
        shown += std::string(model::name_of(block.tensor)) + (block.run ? " run, " : ", ");
      EXPECT_GT(gradients, 0U) << step.name << ": " << shown;
      // The step explains a gradient that it shows, and where it comes from lights up.
      const Focus focus = focus_of(attention, view_state, stage, {});
      EXPECT_TRUE(focus.cell.tensor.is_gradient()) << step.name;
      EXPECT_TRUE(find_cell(stage, focus.cell.tensor, focus.cell.index))
          << step.name << ": " << model::name_of(focus.cell.tensor) << " in " << shown;
    }
  }
}

/// The stage on which this gradient cell has the focus.
Stage focused_on(document::Session& session, StepId step, const CellRef& cell) {
  EXPECT_TRUE(session.perform(document::ChooseStep{step}));
  EXPECT_TRUE(session.perform(document::ChooseAttention{AttentionId::encoder_self_attention}));
  EXPECT_TRUE(session.perform(document::ChooseCell{cell}));
  return compose(session.computed(), session.document().view_state, gradient_space).stage;
}

TEST(ShowGradients, WhereAGradientIsMultipliedWithANumberTheNumberIsFramed) {
  document::Session session = learner(lesson::ExampleId::you_are_welcome, 0);
  const model::Trace trace = session.attention().trace;
  const CellRef weight{TensorId("out_proj_weight").gradient(), {1, 2}};
  const Stage stage = focused_on(session, StepId::output, weight);
  const std::vector<CellRange> ranges =
      sources_on(stage, trace, model::explain(trace, weight.tensor, weight.index));
  std::size_t rows = 0;
  for (std::size_t i = stage.first_piece; i < stage.blocks.size(); ++i, ++rows) {
    const Block& piece = stage.blocks[i];
    EXPECT_EQ(model::name_of(piece.tensor), "merged");
    EXPECT_EQ(piece.value(0, 0), trace["merged"].at({0, rows, 2}));
    EXPECT_TRUE(std::any_of(ranges.begin(), ranges.end(), [&](const CellRange& range) {
      return range.below && bounds_of(stage, range).contains(piece.cells.centre());
    }));
    const Group& group = stage.groups[piece.group];
    EXPECT_EQ(model::name_of(group.tensor), "d_merged");
    EXPECT_EQ(group.note, "framed: merged");
    // Pointed at is the gradient, and the numbers that it was computed with take turns.
    EXPECT_EQ(model::name_of(stage.blocks[cell_at(stage, piece.cells.centre())->block].tensor),
              "d_merged");
  }
  EXPECT_EQ(rows, 3U) << "the tokens of the sample";
}

// A phone's captions have no room for a shape and a note, and low ones have one line.
TEST(ShowGradients, WhatIsFramedIsSaidInASmallSpaceToo) {
  document::Session session = learner(lesson::ExampleId::you_are_welcome, 0);
  const CellRef weight{TensorId("out_proj_weight").gradient(), {1, 2}};
  focused_on(session, StepId::output, weight);
  for (const Space space : {Space{366.0F, 430.0F}, Space{700.0F, 250.0F}}) {
    const Stage stage = compose(session.computed(), session.document().view_state, space).stage;
    ASSERT_LT(stage.first_piece, stage.blocks.size());
    const Group& group = stage.groups[stage.blocks[stage.first_piece].group];
    EXPECT_TRUE(group.shape == "framed: merged" || group.note == "framed: merged" ||
                group.title == "d_merged, framed: merged")
        << space.width << ": " << group.title << '|' << group.shape << '|' << group.note;
  }
}

TEST(ShowGradients, NoNumberCoversAGradientThatIsReadToo) {
  document::Session session = learner(lesson::ExampleId::you_are_welcome, 0);
  const CellRef score{TensorId("masked_scores").gradient(), {0, 0, 1, 1}};
  const Stage stage = focused_on(session, StepId::softmax, score);
  EXPECT_GE(stage.first_piece, stage.blocks.size());
}

TEST(ShowGradients, TheSumNamesItsTermsAsThePanelDoes) {
  document::Session session = learner(lesson::ExampleId::you_are_welcome, 0);
  const Stage stage =
      focused_on(session, StepId::output, {TensorId("out_proj_weight").gradient(), {1, 2}});
  std::vector<std::string> names;
  for (const Figure& figure : stage.figures)
    for (const Words& words : figure.words) names.push_back(words.text);
  for (const char* token : {"You", "are", "welcome", "Thanks"})
    EXPECT_NE(std::find(names.begin(), names.end(), token), names.end()) << token;
}

TEST(ShowGradients, TheStepPlaysFromItsEndToItsBeginning) {
  document::Session session = learner(lesson::ExampleId::pool_beats_badminton, 2);
  ASSERT_TRUE(session.perform(document::ChooseStep{StepId::softmax}));
  const Stage whole =
      compose(session.computed(), session.document().view_state, gradient_space).stage;
  const Stage early = at(whole, 0.1F);
  for (const Block& block : early.blocks) {
    const std::size_t cells = block.rows() * block.columns();
    if (block.tensor == TensorId("attention_weights").gradient()) {
      EXPECT_GE(block.shown, cells);
    }
    if (block.tensor == TensorId("masked_scores").gradient()) {
      EXPECT_LT(block.shown, cells);
    }
  }
}

/// The gradients on the stage that a gradient is computed from, through others where need be.
void add_read(const model::Trace& trace, const std::set<TensorId>& shown, TensorId gradient,
              std::set<TensorId>& read) {
  const model::Node* row = trace.made_by(gradient);
  if (row == nullptr) return;
  for (const TensorId operand : row->operands()) {
    if (!operand.is_gradient()) continue;
    if (shown.contains(operand))
      read.insert(operand);
    else
      add_read(trace, shown, operand, read);
  }
}

// As the rows of gradients are computed: what a gradient is made from is there before it is made,
// and what is made from nothing on the stage is there from the beginning.
TEST(ShowGradients, EachIsMadeWhenWhatItIsMadeFromIsThere) {
  std::size_t seen = 0;
  for (const lesson::ExampleId example :
       {lesson::ExampleId::pool_beats_badminton, lesson::ExampleId::you_are_welcome,
        lesson::ExampleId::anthony_hopkins, lesson::ExampleId::gender_and_number}) {
    document::Session session =
        learner(example, example == lesson::ExampleId::pool_beats_badminton ? 2 : 0);
    for (const StepId step : {StepId::overview, StepId::input, StepId::scale, StepId::mask,
                              StepId::softmax, StepId::sentence}) {
      for (const document::MapOpen map : {document::MapOpen::none, document::MapOpen::all}) {
        document::ViewState view_state = session.document().view_state;
        view_state.attention = session.attention().id;
        view_state.step = step;
        view_state.map = map;
        view_state.show = document::Show::matrices;
        const model::Trace& trace = session.attention().trace;
        const Stage stage = compose(session.computed(), view_state, gradient_space).stage;
        std::set<TensorId> shown;
        for (const Block& block : stage.blocks)
          if (block.tensor.is_gradient()) shown.insert(block.tensor);
        std::map<TensorId, std::pair<float, float>> made;
        for (const Sweep& sweep : stage.sweeps)
          made[stage.blocks[sweep.block].tensor] = {sweep.begin, sweep.end};
        for (const TensorId gradient : shown) {
          std::set<TensorId> read;
          add_read(trace, shown, gradient, read);
          ASSERT_EQ(made.contains(gradient), !read.empty())
              << lesson::step(step).name << " " << model::name_of(gradient);
          for (const TensorId before : read) {
            ++seen;
            EXPECT_TRUE(!made.contains(before) ||
                        made[before].second <= made[gradient].first + 1e-5F)
                << model::name_of(before) << " before " << model::name_of(gradient);
          }
        }
      }
    }
  }
  EXPECT_GT(seen, 50U);
}

TEST(ShowGradients, NotesStayOutOfTheNextCaption) {
  for (const Space space : {Space{358.0F, 430.0F}, gradient_space}) {
    document::Session session = learner(lesson::ExampleId::pool_beats_badminton, 2);
    std::size_t notes = 0;
    for (const lesson::Step& step : lesson::steps()) {
      ASSERT_TRUE(session.perform(document::ChooseStep{step.id}));
      const Stage stage = compose(session.computed(), session.document().view_state, space).stage;
      for (const Group& group : stage.groups) {
        if (group.note.starts_with("view of")) ++notes;
        if (group.note.empty() || group.title.empty()) continue;
        const Rect caption{group.caption.x, group.caption.y, caption_width(group, true),
                           group.caption.height};
        for (const Group& other : stage.groups) {
          if (&other == &group || other.title.empty()) continue;
          EXPECT_FALSE(caption.overlaps(other.caption))
              << step.name << ": " << group.title << " " << group.note << ", " << other.title;
        }
      }
    }
    EXPECT_TRUE(notes > 0 || space.width < 700.0F);
  }
}

TEST(ShowGradients, WhatTravelsForwardTravelsBackAsGradients) {
  for (const StepId step : {StepId::transpose, StepId::merge}) {
    document::Session session = learner(lesson::ExampleId::pool_beats_badminton, 2);
    ASSERT_TRUE(session.perform(document::ChooseStep{step}));
    const model::Trace& trace = session.attention().trace;
    const document::ViewState& view_state = session.document().view_state;
    const Stage whole = compose(session.computed(), view_state, gradient_space).stage;
    ASSERT_FALSE(whole.tweens.empty());
    for (const Tween& back : whole.tweens) {
      ASSERT_TRUE(back.piece.tensor.is_gradient());
      EXPECT_EQ(back.piece.tensor, whole.blocks[back.into].tensor);
      EXPECT_TRUE(back.begin >= 0.0F && back.end <= 1.0F && back.begin < back.end);
      const auto left = static_cast<float>(back.piece.columns());
      const Point first{back.from.x + back.from.width / left / 2.0F, back.from.centre().y};
      const auto from = cell_at(whole, first);
      ASSERT_TRUE(from && from->block != back.into);
      const Block& block = whole.blocks[from->block];
      EXPECT_TRUE(block.tensor.is_gradient());
      EXPECT_TRUE(step == StepId::merge || back.piece.head == block.head);
      // To carry a number somewhere else changes neither it nor its gradient.
      for (std::size_t column = 0; column < back.piece.columns(); ++column) {
        EXPECT_EQ(back.piece.value(0, column),
                  trace[back.piece.tensor].at(back.piece.index_of(0, column)));
        EXPECT_EQ(back.piece.value(0, column), block.value(from->row, from->column + column));
      }
    }
    // At first what comes in is there and nothing else; at the end everything.
    const Stage first = at(whole, 0.001F);
    for (const Tween& tween : whole.tweens) EXPECT_EQ(first.blocks[tween.into].shown, 0U);
    for (const Block& block : at(whole, 1.0F).blocks) {
      if (block.run) continue;
      EXPECT_GE(block.shown, block.rows() * block.columns());
    }
  }
}

TEST(ShowGradients, WhatTheLossDoesNotDependOnFades) {
  document::Session session;
  ASSERT_TRUE(session.perform(document::ChooseExample{lesson::ExampleId::pool_beats_badminton, 2}));
  ASSERT_TRUE(session.perform(document::SetTarget{
      {lesson::AttentionId::attention, TensorId("attention_weights"), {0, 0, 1, 1}}, 0.9F}));
  ASSERT_TRUE(session.perform(document::ShowGradients{true}));
  ASSERT_TRUE(session.perform(document::ChooseStep{StepId::output}));
  const Stage stage =
      compose(session.computed(), session.document().view_state, gradient_space).stage;
  for (const Block& block : stage.blocks) {
    EXPECT_FALSE(block.tensor.is_gradient());
    EXPECT_LT(block.opacity, 0.5F);
  }
}

TEST(GradientWords, EveryGradientHasWordsAndAnEquationWithItsNumber) {
  for (const lesson::ExampleId example :
       {lesson::ExampleId::pool_beats_badminton, lesson::ExampleId::you_are_welcome}) {
    document::Session session =
        learner(example, example == lesson::ExampleId::pool_beats_badminton ? 2 : 0);
    const document::ComputedAttention& attention = session.attention();
    for (const TensorId id : attention.trace.present()) {
      const tensor::Index index = tensor::Index::filled(attention.trace[id].rank(), 0);
      const std::string number =
          equation_number(model::Cell{id, index, attention.trace[id].at(index)});
      const std::string line = text_of(equation(attention, {{id, index}, FocusBy::step, {}}, 8));
      EXPECT_NE(line.find(number), std::string::npos) << line;
      const std::string words = explanation(attention, {id, index});
      EXPECT_TRUE(words.starts_with(std::string(model::name_of(id)))) << words;
    }
  }
}

// "0.000 so far" of a sum of 0.000316 would say nothing.
TEST(GradientWords, WhatIsOnTheWayHasTheDigitsOfTheNumber) {
  document::Session session = learner(lesson::ExampleId::you_are_welcome, 0);
  const document::ComputedAttention& attention = session.attention();
  std::size_t small = 0;
  for (const TensorId tensor : {TensorId("q_proj_weight"), TensorId("q_heads"),
                                TensorId("attention_weights"), TensorId("merged")}) {
    const TensorId id = tensor.gradient();
    tensor::Index index = tensor::Index::filled(attention.trace[id].rank(), 0);
    do {
      const model::Explanation made = model::explain(attention.trace, id, index);
      double so_far = 0.0;
      for (std::size_t added = 1; added < made.terms.size(); ++added) {
        so_far += made.terms[added - 1].value;
        if (std::fabs(so_far) < 0.0005 && so_far != 0.0) ++small;
        const std::string text = equation_number(model::Cell{id, {}, static_cast<float>(so_far)});
        const Focus focus{{id, index}, FocusBy::moving, added};
        const std::string line = text_of(equation(attention, focus, 100));
        ASSERT_NE(line.find(" = " + text + " so far"), std::string::npos) << line;
        ASSERT_EQ(line.find(" 0.000 "), std::string::npos) << line;
      }
    } while (next_index(index, attention.trace[id].shape()));
  }
  EXPECT_GT(small, 10U);
}

TEST(GradientWords, ASoftmaxSaysWhyItsGradientIsSmall) {
  document::Session session = learner(lesson::ExampleId::pool_beats_badminton, 0);
  const document::ComputedAttention& attention = session.attention();
  const CellRef cell{TensorId("masked_scores").gradient(), {0, 0, 1, 2}};
  const std::string line = text_of(equation(attention, {cell, FocusBy::step, {}}, 8));
  EXPECT_NE(line.find("d_masked_scores[0, 1, 2] = "), std::string::npos) << line;
  EXPECT_NE(line.find("− Σ d_weight×weight,"), std::string::npos) << line;
}

TEST(GradientWords, AnUpdateIsWrittenOut) {
  document::Session session = learner(lesson::ExampleId::pool_beats_badminton, 0);
  const document::Update update{
      {session.attention().id, TensorId("query_input"), {0, 1, 2}}, 0.5F, 2.0F, 0.3F};
  EXPECT_EQ(update_text(session.attention(), update, 0.1F),
            "query_input[1, 2] ← 0.500 − 0.100 × 2.00 = 0.300");
}

}  // namespace
}  // namespace stage
