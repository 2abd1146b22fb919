#include <cmath>
#include <fstream>
#include <iterator>
#include <set>

#include "lesson/examples/translating.hpp"
#include "lesson/heads/recorded_heads.hpp"
#include "stage/figures/figure_scenes.hpp"
#include "stage/figures/heads/head_pattern.hpp"
#include "stage/figures/step_figures.hpp"
#include "stage/layout/composition.hpp"
#include "stage/motion/zoom.hpp"
#include "stage/wording/step_words.hpp"
#include "translation/installed.hpp"

namespace stage {
namespace {

using lesson::AttentionId;

constexpr Rect rooms[] = {{0.0F, 0.0F, 900.0F, 520.0F},
                          {8.0F, 8.0F, 1540.0F, 760.0F},
                          {0.0F, 0.0F, 640.0F, 300.0F},
                          {0.0F, 0.0F, 342.0F, 560.0F},
                          {0.0F, 0.0F, 320.0F, 280.0F}};

/// A translator of the trained weights, which are in the repository.
class AllHeadsFigure : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    std::ifstream file(
        std::string(ATTENTION_LIVE_FIXTURES) + "/../../tools/translator/translator.safetensors",
        std::ios::binary);
    bytes_ = std::vector<char>(std::istreambuf_iterator<char>(file), {});
    translation::install(std::as_bytes(std::span(bytes_)));
    ASSERT_TRUE(translation::installed()) << translation::installed().error().message;
    document::Configuration configuration = document::fresh(lesson::ExampleId::translator, 0);
    configuration.ablated_heads[AttentionId::cross_attention_1] = {5};
    scene_ = new FigureScene(document::computed(configuration));
  }
  static void TearDownTestSuite() {
    delete scene_;
    scene_ = nullptr;
    translation::install({});
  }

  static FigureInput input(const document::ViewState& view_state) {
    return {scene_->computed, scene_->computed.find(view_state.attention), view_state};
  }
  static Stage made(AttentionId attention, std::size_t head, const Rect& place, bool sorted = false,
                    bool held_out = false, bool all = true) {
    document::ViewState view_state;
    view_state.sort_heads = sorted;
    view_state.held_out_heads = held_out;
    view_state.step = lesson::StepId::overview;
    view_state.attention = attention;
    view_state.head = head;
    view_state.all_heads = all;
    Stage stage;
    put_all_heads(stage, input(view_state), place);
    return stage;
  }
  static const document::Computed& computed() { return scene_->computed; }

 private:
  static inline std::vector<char> bytes_;
  static inline FigureScene* scene_ = nullptr;
};

// More says how to read the maps while they are on the stage, and what the step does otherwise.
TEST_F(AllHeadsFigure, HasATextOfItsOwn) {
  document::ViewState view_state;
  view_state.step = lesson::StepId::overview;
  const std::string text = text_of_step(computed(), view_state);
  EXPECT_NE(text.find("Each small map is one head"), std::string::npos) << text;
  EXPECT_NE(text.find(std::to_string(lesson::recorded_sentences())), std::string::npos) << text;
  const std::string general(lesson::step(lesson::StepId::overview).text());
  view_state.show = document::Show::matrices;
  EXPECT_EQ(text_of_step(computed(), view_state), general);
  view_state.show = document::Show::automatic;
  view_state.step = lesson::StepId::scores;
  EXPECT_EQ(text_of_step(computed(), view_state),
            text_of_step(computed().find(view_state.attention), view_state));
}

TEST_F(AllHeadsFigure, IsThereOnlyWithLayersOfEncoderAndDecoder) {
  EXPECT_TRUE(has_all_heads(input({})));
  const FigureScene three(
      document::computed(document::fresh(lesson::ExampleId::you_are_welcome, 0)));
  EXPECT_FALSE(has_all_heads(three.input({})));
  const FigureScene two(document::computed(document::fresh(lesson::ExampleId::look_back, 0)));
  EXPECT_FALSE(has_all_heads(two.input({})));
}

TEST_F(AllHeadsFigure, StaysInItsPlace) {
  for (const Rect& place : rooms) {
    for (const AttentionId id :
         {AttentionId::encoder_self_attention, AttentionId::decoder_self_attention_1,
          AttentionId::cross_attention_3}) {
      const bool sorted = id == AttentionId::cross_attention_3;
      const bool all = id != AttentionId::decoder_self_attention_1;
      const Stage stage = made(id, 7, place, sorted, sorted, all);
      const Figure& figure = stage.figures.at(0);
      for (const Block& block : stage.blocks)
        EXPECT_TRUE(inside(block.cells, figure.bounds, 0.5F)) << text_of(block.cells);
      for (const Words& words : figure.words)
        EXPECT_TRUE(inside(place_of(words), figure.bounds, 0.5F))
            << words.text << " " << text_of(place_of(words)) << " in " << text_of(figure.bounds);
      for (const Target& target : figure.targets)
        EXPECT_TRUE(inside(target.place, figure.bounds, 2.5F)) << target.label;
    }
  }
}

TEST_F(AllHeadsFigure, ShowsTheWeightsOfEveryHead) {
  const Stage stage = made(AttentionId::encoder_self_attention, 0, rooms[0]);
  std::set<std::pair<AttentionId, std::size_t>> seen;
  for (const Block& block : stage.blocks) {
    const model::Trace& trace = computed().find(block.attention).trace;
    ASSERT_TRUE(block.head);
    if (block.only_seen) {
      EXPECT_TRUE(seen.insert({block.attention, *block.head}).second);
    }
    for (std::size_t row = 0; row < block.rows(); ++row) {
      for (std::size_t column = 0; column < block.columns(); ++column) {
        EXPECT_EQ(block.value(row, column),
                  trace["attention_weights"].at(block.index_of(row, column)));
      }
    }
  }
  EXPECT_EQ(seen.size(), 96U);
}

TEST_F(AllHeadsFigure, ShowsTheTranslationOfTheBeamThatIsChosen) {
  document::Configuration configuration = document::fresh(lesson::ExampleId::translator, 0);
  configuration.parameters.beam = lesson::beam_width;
  const document::Computed best = document::computed(configuration);
  const std::vector<std::size_t> third = best.translated->finished.at(2).tokens;
  ASSERT_NE(third.size(), best.translated->places.size());
  configuration.parameters.begin.assign(third.begin(), third.end());
  const FigureScene scene(document::computed(configuration));
  document::ViewState view_state;
  view_state.step = lesson::StepId::overview;
  view_state.attention = AttentionId::cross_attention_2;
  Stage stage;
  put_all_heads(stage, {scene.computed, scene.computed.find(view_state.attention), view_state},
                rooms[0]);
  std::size_t maps = 0;
  for (const Block& block : stage.blocks) {
    const AttentionId kind = lesson::kind_of(block.attention);
    if (kind == AttentionId::encoder_self_attention) continue;
    ++maps;
    EXPECT_EQ(block.rows(), third.size());
    EXPECT_EQ(
        block.value(1, 0),
        scene.computed.find(block.attention).trace["attention_weights"].at(block.index_of(1, 0)));
  }
  EXPECT_GE(maps, 64U);
}

TEST_F(AllHeadsFigure, ShowsOneKindWhereThereIsLittleRoom) {
  const Stage stage = made(AttentionId::decoder_self_attention_2, 3, rooms[4]);
  std::set<AttentionId> kinds;
  std::size_t maps = 0;
  for (const Block& block : stage.blocks) {
    if (!block.only_seen) continue;
    kinds.insert(lesson::kind_of(block.attention));
    ++maps;
  }
  EXPECT_EQ(kinds, std::set<AttentionId>{AttentionId::decoder_self_attention});
  EXPECT_EQ(maps, 32U);
}

TEST_F(AllHeadsFigure, OnAPhoneMapsAreAsLargeAsAFinger) {
  constexpr Rect phone{0.0F, 0.0F, 342.0F, 478.0F};
  for (const bool sorted : {false, true}) {
    const Stage stage = made(AttentionId::decoder_self_attention_2, 3, phone, sorted);
    for (const Block& block : stage.blocks)
      EXPECT_GE(std::min(block.cells.width, block.cells.height), 40.0F) << text_of(block.cells);
    std::set<std::pair<AttentionId, std::size_t>> chosen;
    std::vector<Rect> places;
    for (const Target& target : stage.figures.at(0).targets) {
      const auto* command =
          target.click ? std::get_if<document::ChooseHeadOf>(&*target.click) : nullptr;
      if (command == nullptr) continue;
      EXPECT_GE(target.place.width, 44.0F) << target.label;
      EXPECT_GE(target.place.height, 44.0F) << target.label;
      for (const Rect& other : places) EXPECT_FALSE(overlap(target.place, other)) << target.label;
      places.push_back(target.place);
      chosen.insert({command->attention, command->head});
    }
    EXPECT_EQ(chosen.size(), 32U);
    const std::vector<Words>& words = stage.figures.at(0).words;
    for (std::size_t i = 0; i < words.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j)
        EXPECT_FALSE(overlap(place_of(words[i]), place_of(words[j])))
            << words[i].text << " on " << words[j].text;
      for (const Block& block : stage.blocks)
        EXPECT_FALSE(overlap(place_of(words[i]), block.cells)) << words[i].text;
    }
  }
}

// As on a phone: either all heads or the chosen one, as wide as the place, with a way to the other.
TEST_F(AllHeadsFigure, AHeadTakesTheWholePlaceWhereItIsNarrow) {
  const Rect place = rooms[3];
  const Stage grid = made(AttentionId::cross_attention_2, 5, place);
  EXPECT_TRUE(std::all_of(grid.blocks.begin(), grid.blocks.end(),
                          [](const Block& block) { return block.only_seen; }));
  const Stage stage = made(AttentionId::cross_attention_2, 5, place, false, false, false);
  ASSERT_EQ(stage.blocks.size(), 1U);
  const Block& block = stage.blocks.front();
  EXPECT_EQ(block.attention, AttentionId::cross_attention_2);
  EXPECT_EQ(block.head, 5U);
  EXPECT_FALSE(block.only_seen) << "its cells can be pointed at";
  EXPECT_GE(block.cells.width / static_cast<float>(block.columns()), 24.0F) << "for digits";
  EXPECT_GE(block.cells.height / static_cast<float>(block.rows()), 20.0F);
  const auto& targets = stage.figures.at(0).targets;
  EXPECT_TRUE(std::any_of(targets.begin(), targets.end(), [](const Target& target) {
    const auto* back = target.click ? std::get_if<document::ShowAllHeads>(&*target.click) : nullptr;
    return back != nullptr && back->value;
  }));
}

TEST_F(AllHeadsFigure, EveryMapChoosesItsHeadAndSaysWhatItDoes) {
  const Stage stage = made(AttentionId::cross_attention_1, 5, rooms[0]);
  std::set<std::pair<AttentionId, std::size_t>> chosen;
  for (const Target& target : stage.figures.at(0).targets) {
    if (!target.click) continue;
    const auto* command = std::get_if<document::ChooseHeadOf>(&*target.click);
    if (command == nullptr || command->step) continue;
    chosen.insert({command->attention, command->head});
    const HeadPattern does = pattern_of(computed().find(command->attention), 0, command->head);
    EXPECT_NE(target.label.find(words_for(does.pattern)), std::string::npos) << target.label;
    EXPECT_EQ(target.preview, *command) << "pointing enlarges it";
  }
  EXPECT_EQ(chosen.size(), 96U);
  const auto& targets = stage.figures.at(0).targets;
  EXPECT_TRUE(std::any_of(targets.begin(), targets.end(),
                          [](const Target& target) { return target.label == "switch it on"; }));
}

TEST_F(AllHeadsFigure, OpensTheStepsOfItsHead) {
  const Stage stage = made(AttentionId::cross_attention_1, 5, rooms[0]);
  const auto& targets = stage.figures.at(0).targets;
  const auto button = std::find_if(targets.begin(), targets.end(), [](const Target& target) {
    return target.label == "open its steps";
  });
  ASSERT_NE(button, targets.end());
  const auto* opens = std::get_if<document::ChooseHeadOf>(&*button->click);
  ASSERT_NE(opens, nullptr);
  EXPECT_EQ(opens->attention, AttentionId::cross_attention_1);
  EXPECT_EQ(opens->head, 5U);
  EXPECT_EQ(opens->step, lesson::StepId::softmax);
}

/// How a head's weights are shown: as its map, or not.
const Block* weights_on(const Stage& stage, AttentionId attention, std::size_t head, bool map) {
  for (const Block& block : stage.blocks) {
    if (block.attention == attention && block.head == head && block.only_seen == map &&
        block.tensor == "attention_weights")
      return &block;
  }
  return nullptr;
}

float distance(const Rect& a, const Rect& b) {
  return std::max({std::fabs(a.x - b.x), std::fabs(a.y - b.y), std::fabs(a.right() - b.right()),
                   std::fabs(a.bottom() - b.bottom())});
}

// Between the grid of all heads and an opened head the camera goes into its map, and out of it: the
// map is at its place in the grid where the way begins, at that of the step's matrix where it ends,
// always in full, and its neighbours stay beside it.
TEST_F(AllHeadsFigure, AHeadIsZoomedIntoFromItsPlaceAmongAllHeads) {
  for (const Space& space : {Space{912.0F, 520.0F}, Space{700.0F, 300.0F}, Space{374.0F, 520.0F}}) {
    for (const auto& [id, head] :
         {std::pair{AttentionId::cross_attention_1, std::size_t{3}},
          std::pair{AttentionId::encoder_self_attention, std::size_t{7}}}) {
      SCOPED_TRACE(testing::Message() << space.width << " wide, head " << head);
      document::ViewState view_state;
      view_state.attention = id;
      view_state.head = head;
      view_state.all_heads = space.width < 480.0F;  // where it is narrow, the grid or one head
      view_state.show = document::Show::automatic;
      view_state.step = lesson::StepId::overview;
      const Stage maps = compose(computed(), view_state, space).stage;
      view_state.all_heads = false;
      view_state.step = lesson::StepId::softmax;
      view_state.show = document::Show::matrices;
      const Stage step = compose(computed(), view_state, space).stage;
      const Block* map = weights_on(maps, id, head, true);
      const Block* matrix = weights_on(step, id, head, false);
      const Block* beside = weights_on(maps, id, head == 0 ? 1 : head - 1, true);
      ASSERT_TRUE(map != nullptr && matrix != nullptr && beside != nullptr);
      ASSERT_TRUE(is_zoom(maps, step) && is_zoom(step, maps));

      for (const bool opens : {true, false}) {
        const Stage& from = opens ? maps : step;
        const Stage& to = opens ? step : maps;
        const std::size_t place =
            static_cast<std::size_t>((opens ? matrix : map) - to.blocks.data());
        const Rect begin = (opens ? map : matrix)->cells;
        const Rect end = (opens ? matrix : map)->cells;
        EXPECT_LT(distance(zoomed(from, to, 0.0F).blocks[place].cells, begin), 0.05F);
        EXPECT_LT(distance(zoomed(from, to, 1.0F).blocks[place].cells, end), 0.05F);
        Rect last = begin;
        for (int frame = 1; frame <= 40; ++frame) {
          const Stage now = zoomed(from, to, static_cast<float>(frame) / 40.0F);
          const Block& block = now.blocks[place];
          EXPECT_LT(distance(block.cells, last), 0.1F * distance(begin, end) + 0.1F) << frame;
          EXPECT_EQ(block.opacity, 1.0F);
          last = block.cells;
          // The map beside it is no nearer and no farther than the picture has grown.
          const Block* other = weights_on(now, id, *beside->head, true);
          if (other == nullptr || other->opacity < 0.01F) continue;
          const float grown = block.cells.width / map->cells.width;
          EXPECT_NEAR((block.cells.centre().x - other->cells.centre().x) / grown,
                      map->cells.centre().x - beside->cells.centre().x,
                      0.5F * std::fabs(map->cells.centre().x - beside->cells.centre().x))
              << frame;
        }
        // What is enlarged beside the grid does not go to the same place, too.
        const Stage middle = zoomed(from, to, 0.5F);
        const auto there = std::count_if(
            middle.blocks.begin(), middle.blocks.end(),
            [&, id = id, head = head](const Block& each) {
              return each.attention == id && each.head == head && each.only_seen == !opens &&
                     each.opacity > 0.5F && distance(each.cells, middle.blocks[place].cells) < 1.0F;
            });
        EXPECT_LE(there, 1);
      }
    }
  }
}

TEST_F(AllHeadsFigure, AreSortedByWhatTheyDoAndHowMuchOfIt) {
  for (const bool held_out : {false, true}) {
    for (const auto& [room, count] : {std::pair{0, 96U}, std::pair{4, 32U}}) {
      const Stage stage = made(AttentionId::cross_attention, 0, rooms[room], true, held_out);
      std::vector<HeadPattern> order;
      for (const Target& target : stage.figures.at(0).targets) {
        const auto* command =
            target.click ? std::get_if<document::ChooseHeadOf>(&*target.click) : nullptr;
        if (command == nullptr || command->step) continue;
        const document::ComputedAttention& attention = computed().find(command->attention);
        const auto recorded = held_out_pattern_of(computed(), attention, command->head);
        ASSERT_TRUE(recorded);
        order.push_back(held_out ? *recorded : pattern_of(attention, 0, command->head));
      }
      ASSERT_EQ(order.size(), count);
      for (std::size_t i = 1; i < order.size(); ++i) {
        EXPECT_LE(order[i - 1].pattern, order[i].pattern);
        if (order[i - 1].pattern == order[i].pattern) {
          EXPECT_GE(order[i - 1].share, order[i].share);
        }
      }
    }
  }
}

TEST_F(AllHeadsFigure, LabelsSayOverWhichSentencesAndOfferTheOthers) {
  const auto labels_of = [](const Stage& stage) {
    std::set<std::string> labels;
    for (const Target& target : stage.figures.at(0).targets) labels.insert(target.label);
    return labels;
  };
  for (const Rect& room : rooms) {
    const auto here = labels_of(made(AttentionId::cross_attention, 0, room));
    EXPECT_TRUE(here.contains("500 sentences not trained on"));
    EXPECT_FALSE(here.contains("this sentence"));
    const auto held_out = labels_of(made(AttentionId::cross_attention, 0, room, false, true));
    EXPECT_TRUE(held_out.contains("this sentence"));
    const document::ComputedAttention& attention = computed().find(AttentionId::cross_attention);
    const HeadPattern does = *held_out_pattern_of(computed(), attention, 0);
    EXPECT_TRUE(held_out.contains("cross 0, head 0: " + std::string(words_for(does.pattern)) +
                                  ", " + std::to_string(std::lround(does.share * 100.0F)) +
                                  " % over 500 sentences not trained on" + meaning_of(does)));
  }
}

TEST(MeaningOf, SaysHowOneTokenPerRowIsMeasured) {
  const std::string said = meaning_of({Pattern::one, 0.61F});
  EXPECT_NE(said.find("largest weight is 61 % on average"), std::string::npos) << said;
  EXPECT_NE(said.find("gets " + percent(lesson::least_share)), std::string::npos) << said;
  EXPECT_EQ(meaning_of({Pattern::previous, 0.9F}), "");
}

TEST_F(AllHeadsFigure, TheTwoLinesOnAHeadSayOverWhichSentences) {
  const auto begins = [](const Stage& stage, std::initializer_list<const char*> with) {
    std::size_t count = 0;
    for (const Words& words : stage.figures.at(0).words) {
      for (const char* each : with)
        count += words.text.starts_with(each) && words.text.find('%') != std::string::npos;
    }
    return count;
  };
  for (const Rect& room : rooms) {
    for (std::size_t head = 0; head < 8; ++head) {
      const Stage stage =
          made(AttentionId::encoder_self_attention_1, head, room, false, false, false);
      EXPECT_EQ(begins(stage, {"this sentence: ", "here: "}), 1U) << room.width << " head " << head;
      EXPECT_EQ(begins(stage, {"500 sentences not trained on: ", "500 others: "}), 1U)
          << room.width << " head " << head;
    }
  }
}

TEST_F(AllHeadsFigure, APercentageSaysOfWhat) {
  for (std::size_t head = 0; head < 8; ++head) {
    const Stage stage =
        made(AttentionId::encoder_self_attention, head, {0.0F, 0.0F, 896.0F, 490.0F}, false, false);
    for (const Words& words : stage.figures.at(0).words) {
      if (!words.text.starts_with("this") && !words.text.starts_with("500 ")) continue;
      if (words.text.find('%') == std::string::npos) continue;  // a choice
      EXPECT_NE(words.text.find("weight"), std::string::npos) << words.text;
    }
  }
}

TEST_F(AllHeadsFigure, NothingIsRecordedOfTheUntrained) {
  document::Configuration configuration = document::fresh(lesson::ExampleId::translator, 1);
  const FigureScene untrained(document::computed(configuration));
  document::ViewState view_state;
  view_state.step = lesson::StepId::overview;
  view_state.held_out_heads = true;
  Stage stage;
  put_all_heads(stage, untrained.input(view_state), rooms[0]);
  for (const Words& words : stage.figures.at(0).words)
    EXPECT_EQ(words.text.find("not trained on"), std::string::npos) << words.text;
  for (const Target& target : stage.figures.at(0).targets)
    EXPECT_EQ(target.label.find("not trained on"), std::string::npos) << target.label;
}

/// The shares anew, in double precision and one pattern after another.
TEST_F(AllHeadsFigure, AHeadDoesWhatGetsMostOfItsWeight) {
  std::set<Pattern> met;
  for (const document::ComputedAttention& attention : computed().attentions) {
    const tensor::Tensor& weights = attention.trace["attention_weights"];
    const auto queries = static_cast<int>(weights.dim(2));
    const auto keys = static_cast<int>(weights.dim(3));
    const bool self = lesson::kind_of(attention.id) != AttentionId::cross_attention;
    for (std::size_t head = 0; head < 8; ++head) {
      const auto mean_at = [&](auto key_of) {
        double sum = 0.0;
        int count = 0;
        for (int query = self ? 1 : 0; query < queries; ++query, ++count) {
          const int key = key_of(query);
          if (key >= 0 && key < keys)
            sum += static_cast<double>(weights.at(
                {0, head, static_cast<std::size_t>(query), static_cast<std::size_t>(key)}));
        }
        return sum / count;
      };
      std::vector<std::pair<Pattern, double>> shares = {
          {Pattern::first, mean_at([](int) { return 0; })},
          {Pattern::last, mean_at([keys](int) { return keys - 1; })}};
      if (self) {
        shares.push_back({Pattern::previous, mean_at([](int query) { return query - 1; })});
        shares.push_back({Pattern::same, mean_at([](int query) { return query; })});
        shares.push_back({Pattern::next, mean_at([](int query) { return query + 1; })});
      }
      const auto most =
          *std::max_element(shares.begin(), shares.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; });
      const HeadPattern does = pattern_of(attention, 0, head);
      met.insert(does.pattern);
      if (most.second >= 0.45) {
        EXPECT_EQ(does.pattern, most.first);
        EXPECT_NEAR(does.share, most.second, 1e-5);
      } else {
        EXPECT_TRUE(does.pattern == Pattern::one || does.pattern == Pattern::mixed);
        EXPECT_EQ(does.pattern == Pattern::one, does.share >= 0.45F);
        EXPECT_GE(static_cast<double>(does.share) + 1e-5, most.second);
      }
    }
  }
  EXPECT_GE(met.size(), 4U);  // otherwise this says little
}

}  // namespace
}  // namespace stage
