#include "stage/figures/step_figures.hpp"

#include <set>

#include "model/attention/mask.hpp"
#include "stage/figures/figure_scenes.hpp"

namespace stage {
namespace {

using lesson::ExampleId;
using model::TensorId;

document::ViewState first_view_state() {
  document::ViewState view_state;
  view_state.attention = lesson::AttentionId::attention;
  return view_state;
}

TEST(SoftmaxFigure, IsSoundEverywhere) { for_each_figure(put_softmax_figure, expect_sound); }

TEST(SoftmaxFigure, HasOneBarAndOneNumberForEachShownKey) {
  for_each_figure(put_softmax_figure, [](const MadeFigure& made) {
    const Figure& figure = made.figure();
    std::set<std::size_t> keys;
    double missing = 1.0;  // what the keys' weights leave to the sink
    for (std::size_t key = 0; key < made.trace().config.key_len; ++key) {
      missing -= static_cast<double>(made.trace()["attention_weights"].at(
          {made.view_state.sample, made.view_state.head, made.view_state.query, key}));
    }
    std::size_t sinks = 0;
    for (const Bar& bar : figure.bars) {
      if (!bar.cell) {
        EXPECT_EQ(++sinks, 1U);
        EXPECT_TRUE(made.trace().has("sinks"));
        EXPECT_NEAR(bar.value, missing, 1e-5);
        continue;
      }
      EXPECT_EQ(bar.cell->tensor, TensorId("attention_weights"));
      EXPECT_EQ(bar.cell->index[0], made.view_state.sample);
      EXPECT_EQ(bar.cell->index[1], made.view_state.head);
      EXPECT_EQ(bar.cell->index[2], made.view_state.query);
      EXPECT_TRUE(keys.insert(bar.cell->index[3]).second);
      EXPECT_NE(find_number(figure, *bar.cell), nullptr);
    }
    std::size_t cells = 0;
    for (const Block& block : made.stage.blocks) {
      EXPECT_EQ(block.tensor, TensorId("masked_scores"));
      for (std::size_t row = 0; row < block.rows(); ++row, ++cells)
        EXPECT_TRUE(keys.count(block.index_of(row, 0)[3])) << row;
    }
    EXPECT_EQ(cells, keys.size());
    const std::size_t left_out = made.trace().config.key_len - keys.size();
    if (left_out > 0) {
      EXPECT_NE(find_words(figure, "… " + std::to_string(left_out) + " more"), nullptr);
    }
    // Every key that is left out counts at most as much as those that are shown.
    const auto weight = [&](std::size_t key) {
      return made.trace()["attention_weights"].at(
          {made.view_state.sample, made.view_state.head, made.view_state.query, key});
    };
    for (std::size_t key = 0; key < made.trace().config.key_len; ++key) {
      for (const std::size_t shown : keys) {
        if (keys.count(key) == 0) {
          EXPECT_LE(weight(key), weight(shown));
        }
      }
    }
  });
}

TEST(SoftmaxFigure, BarsAreAsLongAsTheirWeights) {
  for_each_figure(put_softmax_figure, [](const MadeFigure& made) {
    float one = 0.0F;  // length of a weight of 1
    for (const Bar& bar : made.figure().bars) {
      if (bar.value > 0.01F) one = bar.place.width / bar.value;
    }
    for (const Bar& bar : made.figure().bars) {
      EXPECT_NEAR(bar.place.width, std::fabs(bar.value) * one, 0.02F);
      // All begin at one line, to the left of which negative ones lead.
      const auto begin = [](const Bar& each) {
        return each.value < 0.0F ? each.place.right() : each.place.x;
      };
      EXPECT_NEAR(begin(bar), begin(made.figure().bars[0]), 0.001F);
    }
  });
}

// In an embed too: weights .35 .30 .35 are told apart by their bars.
TEST(SoftmaxFigure, BarsAreLongEnoughToBeCompared) {
  for_each_figure(put_softmax_figure, [](const MadeFigure& made) {
    if (made.place.width < 300.0F) return;
    for (const Bar& bar : made.figure().bars) {
      if (bar.value > 0.01F && bar.value <= 1.0F) {
        EXPECT_GE(bar.place.width / bar.value, 63.9F);
      }
    }
  });
}

TEST(SoftmaxFigure, CutsNoHeading) {
  for_each_figure(put_softmax_figure, [](const MadeFigure& made) {
    const float rows = made.stage.blocks.at(0).cells.y;
    std::size_t headings = 0;
    for (const Words& words : made.figure().words) {
      if (words.at.y > rows || words.at.y < rows - 30.0F) continue;
      ++headings;
      EXPECT_EQ(words.text.find("…"), std::string::npos) << words.text;
    }
    EXPECT_GE(headings, 5U);
  });
}

TEST(SoftmaxFigure, SetsTheThreeLinesOfTheSoftmax) {
  // Scores .31 .14 .30: exp(0), exp(−.17), exp(−.01).
  const FigureScene scene(document::computed(document::fresh(ExampleId::pool_beats_badminton, 0)));
  const MadeFigure made =
      make_figure(scene, first_view_state(), figure_places[0], put_softmax_figure);
  for (const char* text : {"s − max", "exp", "max 0.31", "score", "−0.17", "1.000", "0.844",
                           "0.990", "2.834", "0.353", "0.298", "0.349"}) {
    EXPECT_NE(find_words(made.figure(), text), nullptr) << text;
  }
  const Words* largest = find_words(made.figure(), "pool");
  ASSERT_NE(largest, nullptr);
  EXPECT_EQ(largest->tone, Tone::strong);
}

TEST(SoftmaxFigure, WhereTheSinkIsTheLargestNoScoreIsMarkedAsThat) {
  for (const bool with_sink : {false, true}) {
    document::Configuration configuration = document::fresh(ExampleId::your_sentence, 0);
    if (with_sink) configuration.variants.sink = 5.0F;
    const FigureScene scene(document::computed(configuration));
    const MadeFigure made =
        make_figure(scene, first_view_state(), figure_places[0], put_softmax_figure);
    std::vector<std::string> marked;  // differences to the largest, none of which is above 0
    for (const Words& words : made.figure().words)
      if (words.tone == Tone::strong && (words.text == "0.00" || words.text.rfind("−", 0) == 0))
        marked.push_back(words.text);
    EXPECT_EQ(marked, with_sink ? std::vector<std::string>{} : std::vector<std::string>{"0.00"});
  }
}

TEST(SoftmaxFigure, NamesWhatWasDoneToTheScore) {
  const auto heading = [](std::size_t variant, model::Scale::Kind kind) {
    document::Configuration configuration =
        document::fresh(ExampleId::pool_beats_badminton, variant);
    configuration.scale = model::Scale{kind, 2.5F};
    const FigureScene scene(document::computed(configuration));
    return make_figure(scene, first_view_state(), figure_places[0], put_softmax_figure);
  };
  using Kind = model::Scale::Kind;
  EXPECT_NE(find_words(heading(0, Kind::none).figure(), "score"), nullptr);
  EXPECT_NE(find_words(heading(0, Kind::sqrt_head_dim).figure(), "score / √4"), nullptr);
  EXPECT_NE(find_words(heading(0, Kind::sqrt_keys).figure(), "score / √3"), nullptr);
  EXPECT_NE(find_words(heading(0, Kind::number).figure(), "score / 2.5"), nullptr);
}

TEST(SoftmaxFigure, SaysThatEveryKeyIsHidden) {
  document::Configuration configuration = document::fresh(ExampleId::pool_beats_badminton, 0);
  for (std::size_t key = 0; key < 3; ++key) {
    configuration.edits.push_back({{lesson::AttentionId::attention, "mask", {0, 0, 1, key}},
                                   -std::numeric_limits<float>::infinity()});
  }
  const FigureScene scene(document::computed(configuration));
  document::ViewState view_state = first_view_state();
  view_state.query = 1;
  const MadeFigure made = make_figure(scene, view_state, figure_places[0], put_softmax_figure);
  expect_sound(made);
  std::string words = all_words(made.figure());
  const std::string pytorch = "PyTorch gives NaN";
  EXPECT_NE(words.find("Every key is hidden"), std::string::npos);
  ASSERT_NE(words.find(pytorch), std::string::npos);
  // No number of the figure is one.
  words.erase(words.find(pytorch), pytorch.size());
  EXPECT_EQ(words.find("NaN"), std::string::npos);
  for (const Bar& bar : made.figure().bars) EXPECT_EQ(bar.place.width, 0.0F);
}

TEST(SoftmaxFigure, SaysThatWeightsWereSetByHand) {
  std::size_t found = 0;
  for (const Scene* scene : all_scenes()) {
    const FigureScene figure_scene(*scene);
    for (const model::GivenWeights& given : scene->attention.trace.overrides.given_weights) {
      document::ViewState view_state;
      view_state.attention = scene->attention.id;
      view_state.sample = given.sample;
      view_state.head = given.head;
      view_state.query = given.query;
      const MadeFigure made =
          make_figure(figure_scene, view_state, figure_places[0], put_softmax_figure);
      EXPECT_NE(all_words(made.figure()).find("set by hand"), std::string::npos);
      EXPECT_EQ(find_words(made.figure(), "exp ÷ sum"), nullptr);
      ++found;
    }
  }
  EXPECT_GT(found, 0U);
}

TEST(SoftmaxFigure, TellsMistakesApart) {
  const tensor::Tensor input({1, 3, 2}, {1.0F, 0.5F, -0.5F, 2.0F, 0.25F, 1.0F});
  model::Options options;
  const auto words_of = [&](model::Mistake mistake) {
    options.overrides.mistake = mistake;
    auto trace =
        model::multi_head_attention(self_inputs(input, {}, model::look_ahead_mask(3, 3)), options);
    EXPECT_TRUE(trace);
    document::Computed computed;
    document::ComputedAttention attention;
    attention.trace = *trace;
    attention.query_tokens = attention.key_tokens = {{"a", "b", "c"}};
    computed.attentions.push_back(attention);
    document::ViewState view_state = first_view_state();
    view_state.query = 1;
    const FigureScene scene(computed);
    const MadeFigure made = make_figure(scene, view_state, figure_places[0], put_softmax_figure);
    expect_sound(made);
    return all_words(made.figure());
  };
  EXPECT_NE(words_of(model::Mistake::softmax_over_queries).find("over the queries"),
            std::string::npos);
  EXPECT_NE(words_of(model::Mistake::mask_after_softmax).find("were set to 0 afterwards"),
            std::string::npos);
  EXPECT_EQ(words_of(model::Mistake::none).find("does not sum to 1"), std::string::npos);
}

// The mistaken softmax of a key is computed from its column: each weight is exp ÷ sum of its line.
TEST(SoftmaxFigure, SaysTheSumOfEachColumnWhereItRunsOverTheQueries) {
  document::Configuration configuration = document::fresh(ExampleId::gender_and_number, 0);
  configuration.mistake = model::Mistake::softmax_over_queries;
  const FigureScene scene(document::computed(configuration));
  document::ViewState view_state = first_view_state();
  view_state.query = 1;
  const MadeFigure made = make_figure(scene, view_state, figure_places[0], put_softmax_figure);
  const std::string words = all_words(made.figure());
  std::size_t headings = 0;
  for (const Words& each : made.figure().words)
    headings += each.text == base::text("stage.softmax.of_column") ? 1 : 0;
  EXPECT_EQ(headings, 2U) << "of max and of sum in " << words;
  for (std::size_t key = 0; key < made.trace().config.key_len; ++key) {
    double sum = 0.0;
    double largest = -1e30;
    for (std::size_t query = 0; query < made.trace().config.query_len; ++query) {
      largest = std::max(largest,
                         static_cast<double>(made.trace()["masked_scores"].at({0, 0, query, key})));
    }
    for (std::size_t query = 0; query < made.trace().config.query_len; ++query) {
      sum += std::exp(static_cast<double>(made.trace()["masked_scores"].at({0, 0, query, key})) -
                      largest);
    }
    EXPECT_NE(words.find(number_in(static_cast<float>(sum), 6, 3)), std::string::npos)
        << key << " in " << words;
  }
}

TEST(SoftmaxFigure, ArrowsLeadToTheNeighbouringQueries) {
  const FigureScene scene(document::computed(document::fresh(ExampleId::pool_beats_badminton, 0)));
  document::ViewState view_state = first_view_state();
  for (view_state.query = 0; view_state.query < 3; ++view_state.query) {
    const MadeFigure made = make_figure(scene, view_state, figure_places[2], put_softmax_figure);
    std::set<std::size_t> queries;
    for (const Target& target : made.figure().targets) {
      ASSERT_TRUE(target.click);
      if (const auto* choice = std::get_if<document::ChooseQuery>(&*target.click))
        queries.insert(choice->value);
    }
    const std::set<std::size_t> neighbours[] = {{1}, {0, 2}, {1}};
    EXPECT_EQ(queries, neighbours[view_state.query]);
  }
}

TEST(SoftmaxFigure, SaysThatThereIsNoSoftmaxAndSetsNoExponential) {
  document::Configuration configuration =
      document::fresh(lesson::ExampleId::pool_beats_badminton, 0);
  configuration.mistake = model::Mistake::no_softmax;
  const FigureScene scene(document::computed(configuration));
  document::ViewState view_state;
  view_state.step = lesson::StepId::softmax;
  view_state.attention = scene.attention().id;
  const MadeFigure made = make_figure(scene, view_state, figure_places[0], put_softmax_figure);
  expect_sound(made);
  EXPECT_NE(all_words(made.figure()).find("There is no softmax"), std::string::npos);
  EXPECT_NE(find_words(made.figure(), "0.310"), nullptr);  // a weight, which is the score
  EXPECT_EQ(find_words(made.figure(), "1.000"), nullptr);  // exp(0)
  EXPECT_EQ(find_words(made.figure(), "exp"), nullptr);
  EXPECT_EQ(find_words(made.figure(), "s − max"), nullptr);
  EXPECT_NE(find_words(made.figure(), "= s"), nullptr);
}

TEST(SoftmaxFigure, LeadsBarsOfNegativeWeightsToTheLeft) {
  document::Configuration configuration = document::fresh(lesson::ExampleId::you_are_welcome, 0);
  configuration.mistake = model::Mistake::no_softmax;
  const FigureScene scene(document::computed(configuration));
  document::ViewState view_state;
  view_state.step = lesson::StepId::softmax;
  view_state.attention = scene.attention().id;
  const MadeFigure made = make_figure(scene, view_state, figure_places[0], put_softmax_figure);
  expect_sound(made);
  const std::vector<Bar>& bars = made.figure().bars;
  ASSERT_EQ(bars.size(), 3U);
  ASSERT_GT(bars[0].value, 0.0F);
  ASSERT_LT(bars[1].value, 0.0F);
  EXPECT_NEAR(bars[1].place.right(), bars[0].place.x, 0.01F);
  EXPECT_NEAR(bars[1].place.width / bars[0].place.width, -bars[1].value / bars[0].value, 0.01F);
}

// Whatever the mistake is, the figure has the same columns.
TEST(SoftmaxFigure, DoesNotTellWhichMistakeIsToBeGuessed) {
  for (const model::Mistake mistake : {model::Mistake::no_softmax, model::Mistake::naive_softmax,
                                       model::Mistake::softmax_over_queries}) {
    document::Configuration configuration = document::fresh(lesson::ExampleId::you_are_welcome, 0);
    configuration.mistake = mistake;
    const FigureScene scene(document::computed(configuration));
    document::ViewState view_state;
    view_state.step = lesson::StepId::softmax;
    view_state.attention = scene.attention().id;
    view_state.guessing = true;
    const MadeFigure made = make_figure(scene, view_state, figure_places[0], put_softmax_figure);
    expect_sound(made);
    for (const char* told : {"exp", "= s", "s − max", "exp ÷ sum"})
      EXPECT_EQ(find_words(made.figure(), told), nullptr) << told;
  }
}

TEST(SoftmaxFigure, SaysThatItsHeadIsSwitchedOff) {
  document::Configuration configuration = document::fresh(ExampleId::gender_and_number, 0);
  configuration.ablated_heads[lesson::AttentionId::attention] = {1};
  const FigureScene scene(document::computed(configuration));
  for (const std::size_t head : {0U, 1U}) {
    document::ViewState view_state = first_view_state();
    view_state.head = head;
    const MadeFigure made = make_figure(scene, view_state, figure_places[0], put_softmax_figure);
    const std::string words = all_words(made.figure());
    EXPECT_EQ(words.find(base::text("stage.weighted.off.shortest")) != std::string::npos, head == 1)
        << words;
    expect_sound(made);
  }
}

// Without a mask no weight is 0, but float32 has its limits.
TEST(SoftmaxFigure, AWeightThatFloat32RoundsToZeroIsExplained) {
  document::Configuration configuration = document::fresh(ExampleId::gender_and_number, 0);
  const auto words = [&](float divisor) {
    configuration.scale = model::Scale{model::Scale::Kind::number, divisor};
    const FigureScene scene(document::computed(configuration));
    document::ViewState view_state;
    view_state.step = lesson::StepId::softmax;
    return all_words(make_figure(scene, view_state, figure_places[4], put_softmax_figure).figure());
  };
  EXPECT_NE(words(0.01F).find("exactly 0"), std::string::npos);
  EXPECT_EQ(words(1.7F).find("exactly 0"), std::string::npos);
}

}  // namespace
}  // namespace stage
