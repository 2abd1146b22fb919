#include <algorithm>
#include <set>

#include "evenly_spaced.hpp"
#include "stage/figures/contributions.hpp"
#include "stage/figures/figure_scenes.hpp"
#include "stage/figures/step_figures.hpp"
#include "stage/focus/step_cell.hpp"

namespace stage {
namespace {

/// The stages that a page, an embed and a phone have for it, and a large window's.
constexpr Rect places[] = {{0.0F, 0.0F, 880.0F, 430.0F},
                           {0.0F, 0.0F, 688.0F, 262.0F},
                           {0.0F, 0.0F, 358.0F, 474.0F},
                           {4.0F, 4.0F, 1480.0F, 700.0F},
                           {0.0F, 0.0F, 240.0F, 280.0F}};

template <typename Check>
void for_each_sentence(Check check) {
  for (const Scene* scene : all_scenes()) {
    const FigureScene figure_scene(*scene);
    const model::Config& config = scene->config();
    for (const std::size_t query :
         std::set<std::size_t>{0, config.query_len / 2, config.query_len - 1}) {
      for (const Rect& place : places) {
        document::ViewState view_state;
        view_state.step = lesson::StepId::sentence;
        view_state.attention = scene->attention.id;
        view_state.head = query % config.num_heads;
        view_state.query = query;
        view_state.sample = query % config.batch;
        const MadeFigure made = make_figure(figure_scene, view_state, place, put_sentence);
        SCOPED_TRACE(scene->name + ", query " + std::to_string(query) + ", " + text_of(place));
        check(made);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

const FigureScene& gender() {
  static const FigureScene scene(
      document::computed(document::fresh(lesson::ExampleId::gender_and_number, 0)));
  return scene;
}

MadeFigure gender_at(float progress, std::size_t query = 6, const Rect& place = places[0]) {
  document::ViewState view_state;
  view_state.step = lesson::StepId::sentence;
  view_state.attention = gender().attention().id;
  view_state.query = query;
  view_state.progress = progress;
  return make_figure(gender(), view_state, place, put_sentence);
}

std::vector<float> weights_of(const MadeFigure& made) {
  return QueryRow(made.scene->input(made.view_state)).values("attention_weights");
}

/// The keys whose weights stand under the words.
std::vector<std::size_t> keys_of(const MadeFigure& made) {
  std::vector<std::size_t> keys;
  for (const Block& block : made.stage.blocks) {
    if (block.tensor != "attention_weights") continue;
    for (std::size_t i = 0; i < block.columns(); ++i) keys.push_back(block.index_of(0, i)[3]);
  }
  return keys;
}

std::vector<const Stroke*> arcs_of(const MadeFigure& made) {
  std::vector<const Stroke*> arcs;
  for (const Stroke& stroke : made.figure().strokes) {
    if (is_arc(stroke)) arcs.push_back(&stroke);
  }
  return arcs;
}

const Block& row_of(const MadeFigure& made, model::TensorId tensor) {
  for (const Block& block : made.stage.blocks) {
    if (block.tensor == tensor) return block;
  }
  ADD_FAILURE() << "no " << model::name_of(tensor);
  return made.stage.blocks.front();
}

TEST(SentenceFigure, StaysInItsPlaceAndKeepsItsWordsApart) {
  for_each_sentence([](const MadeFigure& made) {
    expect_inside(made);
    const std::vector<Words>& words = made.figure().words;
    for (std::size_t i = 0; i < words.size(); ++i) {
      EXPECT_GE(words[i].size, 10.5F) << words[i].text;
      for (std::size_t j = i + 1; j < words.size(); ++j)
        EXPECT_FALSE(overlap(place_of(words[i]), place_of(words[j])))
            << words[i].text << " on " << words[j].text;
      for (const Block& block : made.stage.blocks)
        EXPECT_FALSE(overlap(place_of(words[i]), block.cells)) << words[i].text;
    }
    for (const Band& band : made.figure().bands) {
      const Rect place{
          std::min(band.upper[0], band.lower[0]), band.top,
          std::max(band.upper[1], band.lower[1]) - std::min(band.upper[0], band.lower[0]),
          band.bottom - band.top};
      EXPECT_TRUE(inside(place, made.figure().bounds, 0.5F)) << text_of(place);
    }
  });
}

TEST(SentenceFigure, SaysWhatTheTraceHas) { for_each_sentence(expect_true_to_trace); }

TEST(SentenceFigure, CellsHaveRoomForTheirDigits) {
  for_each_sentence([](const MadeFigure& made) {
    for (const Block& block : made.stage.blocks) {
      EXPECT_GE(block.cell(0, 0).width, 34.0F) << model::name_of(block.tensor);
      EXPECT_GE(block.cell(0, 0).height, 24.0F) << model::name_of(block.tensor);
    }
  });
}

TEST(SentenceFigure, ArcsAreAsWideAsTheirWeights) {
  EXPECT_LT(sentence_arc_width(0.01F, 200.0F), 1.5F);
  EXPECT_GT(sentence_arc_width(1.0F, 200.0F), 10.0F);
  EXPECT_GT(sentence_arc_width(0.5F, 40.0F), sentence_arc_width(0.4F, 40.0F));
  for_each_sentence([](const MadeFigure& made) {
    const std::vector<float> weights = weights_of(made);
    const float largest = *std::max_element(weights.begin(), weights.end());
    std::vector<float> shown;
    for (const std::size_t key : keys_of(made)) {
      if (weights[key] > 0.0F) shown.push_back(weights[key]);
    }
    std::sort(shown.begin(), shown.end());
    const std::vector<const Stroke*> arcs = arcs_of(made);
    ASSERT_EQ(arcs.size(), shown.size());
    if (arcs.empty()) return;
    const float most = arcs.back()->width;  // of the largest weight that is shown
    for (std::size_t i = 0; i < arcs.size(); ++i)
      EXPECT_NEAR((arcs[i]->width - 1.0F) / (most - 1.0F), shown[i] / largest, 1e-4F);
  });
}

TEST(SentenceFigure, ArcsLeaveTheQuerySideBySideInItsSlot) {
  for_each_sentence([](const MadeFigure& made) {
    std::vector<std::pair<float, float>> feet;  // x and width
    for (const Stroke* arc : arcs_of(made)) feet.emplace_back(arc->points[0].x, arc->width);
    std::sort(feet.begin(), feet.end());
    const float slot = row_of(made, "attention_weights").cell(0, 0).width;
    const bool narrowest =
        arcs_of(made).empty() ||
        arcs_of(made).back()->width <= sentence_arc_width(1.0F, 1e4F, sentence_arc_narrowest);
    for (std::size_t i = 1; i < feet.size() && !narrowest; ++i) {
      const float apart = feet[i].first - feet[i - 1].first;
      EXPECT_GE(apart, (feet[i].second + feet[i - 1].second) / 2.0F - 0.01F);
    }
    if (feet.empty()) return;
    EXPECT_LE(feet.back().first - feet.front().first, slot);
  });
}

TEST(SentenceFigure, RandomNumbersAreSaidToBeRandom) {
  const auto says_random = [](const document::Configuration& configuration) {
    const MadeFigure made = make_figure(FigureScene(document::computed(configuration)), {},
                                        {0.0F, 0.0F, 600.0F, 400.0F}, put_sentence);
    return std::any_of(made.figure().words.begin(), made.figure().words.end(), [](const Words& w) {
      return w.text.find(base::text("stage.sentence.random")) != std::string::npos;
    });
  };
  EXPECT_TRUE(says_random(typed("the fox saw the owl", 8, 2)));
  document::Configuration by_hand;
  by_hand.example = lesson::ExampleId::gender_and_number;
  EXPECT_FALSE(says_random(by_hand));
}

TEST(SentenceFigure, AnArcEndsOverItsKey) {
  const MadeFigure made = gender_at(1.0F);
  const std::vector<float> weights = weights_of(made);
  std::set<std::size_t> met;
  for (const Stroke* arc : arcs_of(made)) {
    const Block& row = row_of(made, "attention_weights");
    for (std::size_t key = 0; key < row.columns(); ++key) {
      const Rect cell = row.cell(0, key);
      if (arc->points[3].x >= cell.x && arc->points[3].x < cell.right()) met.insert(key);
    }
  }
  EXPECT_EQ(met.size(), weights.size());
}

TEST(SentenceFigure, CountsTheKeysWithTheSmallestWeights) {
  std::string sentence;
  for (int i = 0; i < 64; ++i) sentence += "w" + std::to_string(i) + " ";
  const FigureScene scene(document::computed(typed(sentence, 8, 2)));
  for (const Rect& place : places) {
    document::ViewState view_state;
    view_state.attention = scene.attention().id;
    view_state.query = 20;
    const MadeFigure made = make_figure(scene, view_state, place, put_sentence);
    const std::vector<float> weights = weights_of(made);
    const std::vector<std::size_t> shown = keys_of(made);
    ASSERT_GT(shown.size(), 3U);
    ASSERT_LT(shown.size(), 64U);
    EXPECT_TRUE(std::is_sorted(shown.begin(), shown.end()));
    float least = 1.0F;
    float rest = 0.0F;
    for (const std::size_t key : shown) {
      if (key != 20) least = std::min(least, weights[key]);
    }
    for (std::size_t key = 0; key < weights.size(); ++key) {
      if (std::find(shown.begin(), shown.end(), key) != shown.end()) continue;
      EXPECT_LE(weights[key], least);
      rest += weights[key];
    }
    EXPECT_NE(std::find(shown.begin(), shown.end(), 20U), shown.end()) << "the query is there";
    EXPECT_NE(find_words(made.figure(), "+ " + std::to_string(64 - shown.size()) +
                                            " more keys: " + number_text(rest, 2)),
              nullptr);
  }
}

TEST(SentenceFigure, PointingAtAWordAsksForIt) {
  const MadeFigure made = gender_at(1.0F);
  ASSERT_EQ(made.figure().targets.size(), 8U);
  for (std::size_t i = 0; i < 8; ++i) {
    const Target& target = made.figure().targets[i];
    ASSERT_TRUE(target.point && target.click);
    EXPECT_EQ(std::get<document::ChooseQuery>(*target.point).value, i);
    EXPECT_EQ(std::get<document::ChooseQuery>(*target.click).value, i);
  }
}

TEST(SentenceFigure, KeysOfAnotherSequenceStandInTheirOwnLine) {
  const document::Computed computed =
      document::computed(document::fresh(lesson::ExampleId::you_are_welcome, 0));
  document::ViewState view_state;
  view_state.attention = lesson::AttentionId::cross_attention;
  Stage stage;
  put_sentence(stage, {computed, computed.find(view_state.attention), view_state}, places[0]);
  const Words* query = find_words(stage.figures[0], "De");
  const Words* key = find_words(stage.figures[0], "You");
  ASSERT_TRUE(query != nullptr && key != nullptr);
  EXPECT_LT(query->at.y + 20.0F, key->at.y);
  EXPECT_EQ(stage.figures[0].targets.size(), 2U) << "only queries can be asked for";
}

TEST(SentenceFigure, BeginsEmptyAndEndsWhole) {
  const MadeFigure begin = gender_at(0.0F);
  EXPECT_TRUE(arcs_of(begin).empty());
  EXPECT_TRUE(begin.figure().bands.empty());
  EXPECT_EQ(row_of(begin, "attention_weights").shown, 0U);
  EXPECT_EQ(row_of(begin, "head_outputs").shown, 0U);
  const MadeFigure end = gender_at(1.0F);
  EXPECT_EQ(arcs_of(end).size(), 8U);
  EXPECT_EQ(end.figure().bands.size(), 8U);
  EXPECT_FALSE(row_of(end, "head_outputs").partial);
}

TEST(SentenceFigure, OnlyEverAddsAndGivesTheSameFramesAgain) {
  std::size_t arcs = 0;
  std::size_t weights = 0;
  std::size_t bars = 0;
  const tensor::Tensor sums = running_sums(gender().trace(), 0, 0, 6);
  std::set<std::size_t> partial;
  for (const float progress : evenly_spaced(0.0F, 1.0F, 0.01F)) {
    const MadeFigure made = gender_at(progress);
    const MadeFigure again = gender_at(progress);
    ASSERT_EQ(made.figure().strokes.size(), again.figure().strokes.size());
    for (std::size_t i = 0; i < made.figure().strokes.size(); ++i)
      EXPECT_TRUE(made.figure().strokes[i].points == again.figure().strokes[i].points);
    EXPECT_GE(arcs_of(made).size(), arcs);
    EXPECT_GE(row_of(made, "attention_weights").shown, weights);
    EXPECT_GE(made.figure().bars.size(), bars);
    arcs = arcs_of(made).size();
    weights = row_of(made, "attention_weights").shown;
    bars = made.figure().bars.size();
    // The row on its way is the sum of the products of the keys that have come.
    const Block& after = row_of(made, "head_outputs");
    if (!after.partial || after.shown == 0) continue;
    const std::size_t come = bars - 2;  // one bar lies under the query's word
    partial.insert(come);
    for (std::size_t d = 0; d < after.columns(); ++d)
      EXPECT_EQ(bits_of(after.value(0, d)), bits_of(sums.at({come, d}))) << come;
  }
  EXPECT_GE(partial.size(), 5U);
}

// Without a softmax weights are scores, which may be negative.
TEST(SentenceFigure, NegativeWeightsHaveTheColourOfNegativeNumbers) {
  document::Configuration configuration = document::fresh(lesson::ExampleId::you_are_welcome, 0);
  configuration.mistake = model::Mistake::no_softmax;
  const document::Computed computed = document::computed(configuration);
  FigureScene scene(computed);
  scene.computed.attentions = {computed.attentions[0]};
  document::ViewState view_state;
  view_state.step = lesson::StepId::sentence;
  view_state.attention = scene.attention().id;
  const MadeFigure made = make_figure(scene, view_state, places[0], put_sentence);
  expect_true_to_trace(made);
  const std::vector<float> weights = weights_of(made);
  const auto is_negative = [](float weight) { return weight < 0.0F; };
  const auto negative = std::count_if(weights.begin(), weights.end(), is_negative);
  ASSERT_GT(negative, 0);
  ASSERT_LT(negative, static_cast<std::ptrdiff_t>(weights.size()));
  const auto arcs = arcs_of(made);
  ASSERT_EQ(arcs.size(), weights.size());
  EXPECT_EQ(std::count_if(arcs.begin(), arcs.end(),
                          [](const Stroke* arc) { return arc->tone == Tone::below; }),
            negative);
  std::size_t bars = 0;
  for (const Bar& bar : made.figure().bars) {
    if (!bar.cell) continue;
    EXPECT_EQ(bar.tone == Tone::below, bar.value < 0.0F);
    EXPECT_GT(bar.place.width, 0.0F);
    ++bars;
  }
  EXPECT_EQ(bars, weights.size());
  for (const Block& block : made.stage.blocks) EXPECT_EQ(block.colouring, Colouring::diverging);
}

// The row of a token that was said is about the one that comes next.
TEST(SentenceFigure, SaysWhatATranslatorSaysNext) {
  document::Computed computed = gender().computed;
  computed.translated = lesson::Translated();
  for (const char* piece : {"La", "mujer", "[end]"})
    computed.translated->places.push_back({{1, piece, 0.5}, {}});
  const FigureScene scene(computed);
  document::ViewState view_state;
  view_state.step = lesson::StepId::sentence;
  view_state.query = 1;
  const std::string read = QueryRow(scene.input(view_state)).query_token();
  const auto words = [&] {
    return all_words(make_figure(scene, view_state, places[0], put_sentence).figure());
  };
  EXPECT_NE(words().find("after “" + read + "” it writes “mujer”"), std::string::npos) << words();
  // What a word looks at depends on the head, so it is said which one is drawn.
  EXPECT_NE(words().find("“" + read + "” looks at depends on the layer and the head. Here: "),
            std::string::npos)
      << words();
  EXPECT_NE(words().find(", head 0."), std::string::npos) << words();
  view_state.mean_heads = true;
  EXPECT_NE(words().find("looks at depends on the layer. Here: "), std::string::npos) << words();
  EXPECT_NE(words().find("the mean over its 2 heads"), std::string::npos) << words();
  // It looks for what comes next, not at its own translation.
  const document::ComputedAttention& attention = computed.attentions.front();
  const std::vector<float> mean = attention.trace.at_query("mean_weights", 1).select(0, 0).values();
  const auto largest = std::max_element(mean.begin(), mean.end());
  EXPECT_NE(words().find("“" + read +
                         "” was read last and “mujer” comes next: for it, these "
                         "heads look most at “" +
                         attention.key_tokens[0][static_cast<std::size_t>(largest - mean.begin())] +
                         "” (mean weight " + number_text(*largest, 2) + ")"),
            std::string::npos)
      << words();
  view_state.mean_heads = false;
  view_state.query = 6;  // nothing is said there
  EXPECT_EQ(words().find("it writes"), std::string::npos);
}

TEST(SentenceFigure, NamesWhatEachHeadMixes) {
  const std::string words = all_words(gender_at(1.0F).figure());
  const document::ComputedAttention& attention = gender().attention();
  const std::size_t dim = gender().trace().config.head_dim();
  std::size_t from = words.find(
      base::text("stage.sentence.head_mixes", {{"head", 0}, {"feature", attention.features[0]}}));
  ASSERT_NE(from, std::string::npos) << words;
  for (std::size_t i = 0; i < attention.features.size(); ++i) {
    if (i % dim == 0)
      from = words.find(base::text("stage.sentence.head_mixes",
                                   {{"head", i / dim}, {"feature", attention.features[i]}}));
    ASSERT_NE(from, std::string::npos) << attention.features[i];
    from = words.find(attention.features[i], from);
  }
  EXPECT_NE(from, std::string::npos);
}

// Of sixteen numbers few have room; that which formula and panel explain is among them.
TEST(SentenceFigure, TheRowAfterHasTheNumberThatIsExplained) {
  const FigureScene scene(document::computed(document::fresh(lesson::ExampleId::reverse, 0)));
  bool cut = false;
  std::vector<Rect> all(std::begin(places), std::end(places));
  all.push_back({0.0F, 0.0F, 560.0F, 420.0F});
  all.push_back({0.0F, 0.0F, 300.0F, 420.0F});
  for (const Rect& place : all) {
    for (std::size_t query = 0; query < scene.trace().config.query_len; ++query) {
      document::ViewState view_state;
      view_state.step = lesson::StepId::sentence;
      view_state.attention = scene.attention().id;
      view_state.query = query;
      const MadeFigure made = make_figure(scene, view_state, place, put_sentence);
      const document::CellRef cell = step_cell(scene.attention(), view_state);
      ASSERT_EQ(cell.tensor, model::TensorId("head_outputs"));
      const Block& after = row_of(made, "head_outputs");
      ASSERT_LT(cell.index.back(), after.columns());
      EXPECT_EQ(bits_of(after.value(0, cell.index.back())),
                bits_of(scene.trace()["head_outputs"].at(cell.index)));
      cut = cut || after.columns() < 16;
    }
  }
  EXPECT_TRUE(cut);
}

// So that a query that spreads its weight has thinner arcs than one that looks at one word.
TEST(SentenceFigure, ArcsOfAllQueriesAndHeadsHaveOneMeasure) {
  const tensor::Tensor& weights = gender().trace()["attention_weights"];
  std::vector<std::pair<float, float>> widest;  // the largest weight, the width of its arc
  for (std::size_t query = 0; query < gender().trace().config.query_len; ++query) {
    const MadeFigure made = gender_at(1.0F, query);
    const std::vector<float> row = weights_of(made);
    widest.emplace_back(*std::max_element(row.begin(), row.end()), arcs_of(made).back()->width);
  }
  std::sort(widest.begin(), widest.end());
  ASSERT_LT(widest.front().first, 0.8F * value_range(weights)) << "some spread their weight";
  EXPECT_LT(widest.front().second, 0.9F * widest.back().second);
  for (std::size_t i = 1; i < widest.size(); ++i)
    EXPECT_GE(widest[i].second, widest[i - 1].second - 0.01F);
}

}  // namespace
}  // namespace stage
