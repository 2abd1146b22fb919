#include "document/state/state_reader.hpp"

#include <gtest/gtest.h>

#include "document/setups.hpp"
#include "model/attention/mask.hpp"

namespace document {
namespace {

using base::Json;
using lesson::AttentionId;
using lesson::ExampleId;
using lesson::MaskKind;
using model::hidden;
using model::Scale;
using model::TensorId;

base::Result<Document> read(const Document& document, std::string_view text) {
  const Json json = Json::parse(text);
  EXPECT_TRUE(json.is_object()) << text;
  Document result = document;
  if (auto done = read_state(json, result); !done) return base::fail(done.error());
  return result;
}

Document changed_by_reading(const Document& document, std::string_view json) {
  const auto result = read(document, json);
  EXPECT_TRUE(result) << result.error().message;
  return result ? *result : Document{};
}

std::string reading_error(std::string_view json) {
  const auto result = read({}, json);
  EXPECT_FALSE(result) << json.substr(0, 100);
  return result ? "" : result.error().message;
}

TEST(ReadState, PicturesAreBytesInBase64) {
  const std::string wrong = "picture must be bytes in base64, or empty for the example's own.";
  EXPECT_EQ(reading_error(R"({"picture":1})"), wrong);
  EXPECT_EQ(reading_error(R"({"picture":"?"})"), wrong);
  EXPECT_EQ(reading_error(R"({"picture":"AAAA"})"),
            "picture belongs to image-patches; you-are-welcome has none.");
  EXPECT_EQ(changed_by_reading({}, R"({"picture":""})"), Document{});
}

TEST(ReadState, EachFieldSetsItsOwn) {
  const Document start;
  Document expected = start;
  expected.view_state.step = lesson::StepId::softmax;
  EXPECT_EQ(changed_by_reading(start, R"({"step":"softmax"})"), expected);
  expected = start;
  expected.view_state.attention = AttentionId::cross_attention;
  EXPECT_EQ(changed_by_reading(start, R"({"attention":"cross_attention"})"), expected);
  expected = start;
  expected.view_state.head = 1;
  expected.view_state.query = 2;
  expected.view_state.sample = 3;
  EXPECT_EQ(changed_by_reading(start, R"({"head":1,"query":2,"sample":3})"), expected);
  expected = start;
  expected.view_state.all_heads = false;
  EXPECT_EQ(changed_by_reading(start, R"({"all_heads":false})"), expected);
  expected = start;
  expected.view_state.mean_heads = true;
  EXPECT_EQ(changed_by_reading(start, R"({"mean_heads":true})"), expected);
  expected = start;
  expected.view_state.key = 1;
  expected.view_state.all_samples = false;
  expected.view_state.progress = 0.5F;
  expected.view_state.cell = CellRef{"q", {0, 1, 2}};
  expected.view_state.framing = Framing{0.0F, 1.0F, 2.5F};
  expected.view_state.show = Show::matrices;
  expected.view_state.projection = Projection::v;
  expected.view_state.shared_scale = true;
  expected.view_state.weights_to_one = true;
  expected.view_state.sort_heads = true;
  expected.view_state.held_out_heads = true;
  expected.view_state.map = MapOpen::all;
  expected.view_state.more = true;
  expected.view_state.compare = true;
  expected.view_state.guessing = true;
  EXPECT_EQ(
      changed_by_reading(
          start,
          R"({"key":1,"all_samples":false,"scrub":0.5,)"
          R"("cell":{"tensor":"q","index":[0,1,2]},"framing":[0,1,2.5],)"
          R"("shared_scale":true,"weights_to_one":true,"sort_heads":true,"held_out_heads":true,"map":"all","projection":"v","show":"matrices","more":true,"compare":true,"guessing":true})"),
      expected);
  EXPECT_EQ(changed_by_reading(expected, R"({"cell":null,"framing":null})").view_state.cell,
            std::nullopt);
  expected = start;
  expected.view_state.theme = Theme::dark;
  EXPECT_EQ(changed_by_reading(start, R"({"theme":"dark"})"), expected);
  expected = start;
  expected.configuration.scale = Scale{Scale::Kind::sqrt_keys, 1.0F};
  EXPECT_EQ(changed_by_reading(start, R"({"scale":"sqrt-keys"})"), expected);
  for (const auto& [text, number] : {std::pair{"2", 2.0F}, {"2.5", 2.5F}, {"-3", -3.0F}}) {
    expected.configuration.scale = Scale{Scale::Kind::number, number};
    EXPECT_EQ(changed_by_reading(start, std::string(R"({"scale":)") + text + "}"), expected);
  }
  expected = start;
  expected.configuration.position_encoding = false;
  EXPECT_EQ(changed_by_reading(start, R"({"position_encoding":false})"), expected);
  expected = start;
  expected.configuration.parameters.seed = 4294967295U;
  EXPECT_EQ(changed_by_reading(start, R"({"seed":4294967295})"), expected);
  expected = start;
  expected.configuration.parameters.source_len = 2;
  expected.configuration.parameters.target_len = 1;
  EXPECT_EQ(changed_by_reading(start, R"({"target_len":1,"source_len":2})"), expected);
  expected = start;
  expected.configuration.parameters.num_heads = 3;
  EXPECT_EQ(changed_by_reading(start, R"({"num_heads":3})"), expected);
  expected = start;
  expected.configuration.masks[AttentionId::encoder_self_attention] = MaskKind::both;
  EXPECT_EQ(changed_by_reading(start, R"({"mask":"both"})"), expected);
  expected = start;
  expected.configuration.masks[AttentionId::cross_attention] = MaskKind::none;
  EXPECT_EQ(changed_by_reading(start, R"({"masks":{"cross_attention":"none"}})"), expected);
}

TEST(ReadState, HeadsOfKeysAreSharedUntilThereAreOtherHeads) {
  const Document start = changed_by_reading({}, R"({"example":"your-sentence","num_heads":4})");
  EXPECT_EQ(start.configuration.parameters.num_kv_heads, 0U);
  const Document shared = changed_by_reading(start, R"({"num_kv_heads":2})");
  EXPECT_EQ(shared.configuration.parameters.num_kv_heads, 2U);
  EXPECT_EQ(changed_by_reading(shared, R"({"embed_dim":16})").configuration.parameters.num_kv_heads,
            2U);
  EXPECT_EQ(changed_by_reading(shared, R"({"num_heads":8})").configuration.parameters.num_kv_heads,
            0U);
  EXPECT_EQ(changed_by_reading(shared, R"({"num_kv_heads":1,"num_heads":2})").configuration,
            changed_by_reading(start, R"({"num_heads":2,"num_kv_heads":1})").configuration);
}

TEST(ReadState, AnotherSentenceBelongsToWhatOffersIt) {
  EXPECT_EQ(changed_by_reading({}, R"({"kdim":0})"), Document{});
  EXPECT_EQ(reading_error(R"({"kdim":12})"),
            "kdim belongs to your-sentence; in you-are-welcome it cannot be chosen.");
  EXPECT_EQ(changed_by_reading({}, R"({"example":"your-sentence","kdim":12})")
                .configuration.parameters.kdim,
            12U);
  for (const char* wrong : {"-2", "1.5", "65536", "\"12\"", "null"})
    EXPECT_EQ(reading_error(R"({"example":"your-sentence","kdim":)" + std::string(wrong) + '}'),
              "kdim must be a whole number from 0 to 65535.");
}

TEST(ReadState, HeadsOfKeysBelongToWhatOffersThem) {
  // As many as heads is what every example has, and what its whole state says.
  EXPECT_EQ(changed_by_reading({}, R"({"num_heads":2,"num_kv_heads":2})").configuration.example,
            ExampleId::you_are_welcome);
  EXPECT_EQ(reading_error(R"({"num_kv_heads":1})"),
            "num_kv_heads belongs to your-sentence; in you-are-welcome every head has keys and "
            "values of its own.");
  EXPECT_EQ(reading_error(R"({"example":"your-sentence","num_kv_heads":0})"),
            "num_kv_heads must be a whole number from 1 to 65535.");
}

TEST(ReadState, VariantsOfAttention) {
  const Document start = changed_by_reading({}, R"({"example":"your-sentence"})");
  EXPECT_EQ(start.configuration.variants, model::Variants());
  const Document narrow = changed_by_reading(start, R"({"window":3})");
  EXPECT_EQ(narrow.configuration.variants, model::Variants{.window = 3});
  EXPECT_EQ(changed_by_reading(narrow, R"({"window":0})"), start);
  EXPECT_EQ(changed_by_reading(start, R"({"softcap":50})").configuration.variants,
            model::Variants{.softcap = 50.0F});
  EXPECT_EQ(changed_by_reading(start, R"({"qk_norm":true})").configuration.variants,
            model::Variants{.qk_norm = true});
  EXPECT_EQ(changed_by_reading(start, R"({"rope":10000})").configuration.variants,
            model::Variants{.rope_base = 10000.0F});
  EXPECT_EQ(changed_by_reading(start, R"({"alibi":true})").configuration.variants,
            model::Variants{.alibi = true});
  const Document sunk = changed_by_reading(start, R"({"sink":0})");
  EXPECT_EQ(sunk.configuration.variants, model::Variants{.sink = 0.0F});
  EXPECT_EQ(changed_by_reading(sunk, R"({"sink":null})"), start);
  EXPECT_EQ(reading_error(R"({"sink":"deep"})"), "sink must be a number.");
  EXPECT_EQ(reading_error(R"({"softcap":"high"})"), "softcap must be a number.");
  EXPECT_EQ(reading_error(R"({"window":-1})"), "window must be a whole number from 0 to 65535.");
}

TEST(ReadState, AMaskIsThatOfTheAttentionInTheSameText) {
  Document expected;
  expected.view_state.attention = AttentionId::cross_attention;
  expected.configuration.masks[AttentionId::cross_attention] = MaskKind::look_ahead;
  EXPECT_EQ(changed_by_reading({}, R"({"mask":"look-ahead","attention":"cross_attention"})"),
            expected);
  // An example with one attention: the mask is that one's, although another was looked at.
  const Document pool =
      changed_by_reading({}, R"({"example":"pool-beats-badminton","mask":"look-ahead"})");
  EXPECT_EQ(pool.configuration.masks.at(AttentionId::attention), MaskKind::look_ahead);
}

TEST(ReadState, AMaskThatIsThereAlreadyKeepsWhatIsPaintedOnIt) {
  Document document;
  document.configuration.edits = {
      {cell(AttentionId::encoder_self_attention, "mask", {0, 0, 1, 1}), hidden}};
  EXPECT_EQ(changed_by_reading(document, R"({"mask":"padding"})"), document);
  EXPECT_TRUE(changed_by_reading(document, R"({"mask":"none"})").configuration.edits.empty());
}

TEST(ReadState, AnotherExampleStartsFresh) {
  Document start;
  start.configuration.parameters.seed = 3;
  start.configuration.scale = Scale{Scale::Kind::none, 1.0F};
  start.view_state.sample = 1;
  const Document next =
      changed_by_reading(start, R"({"variant":"cross","example":"anthony-hopkins"})");
  EXPECT_EQ(next.configuration, fresh(ExampleId::anthony_hopkins, 2));
  EXPECT_EQ(next.view_state.query, 3U);
  EXPECT_EQ(next.view_state.sample, 0U);
  // The example that is there already takes nothing away.
  EXPECT_EQ(changed_by_reading(start, R"({"example":"you-are-welcome","variant":"translation"})"),
            start);
}

TEST(ReadState, EditsAreAllTheEditsThereAre) {
  Document document = document_of(fresh(ExampleId::pool_beats_badminton, 0));
  document.configuration.edits = {{cell(AttentionId::attention, "query_input", {0, 0, 0}), 1.0F}};
  const Document next = changed_by_reading(
      document,
      R"({"edits":[{"value":2,"index":[0,1,1],"tensor":"key_input","attention":"attention"}]})");
  EXPECT_EQ(next.configuration.edits,
            (std::vector<Edit>{{cell(AttentionId::attention, "key_input", {0, 1, 1}), 2.0F}}));
  EXPECT_TRUE(changed_by_reading(document, R"({"edits":[]})").configuration.edits.empty());
  EXPECT_EQ(changed_by_reading(document, R"({"query":1})").configuration.edits,
            document.configuration.edits);
}

TEST(ReadState, MistakesHeadsAndRows) {
  const Document next = changed_by_reading(
      {}, R"({"mistake":"no-scale","ablated_heads":{"cross_attention":[1,0]},"given_weights":[)"
          R"({"weights":[0.5,0,1],"query":1,"head":0,"sample":1,"attention":"cross_attention"}]})");
  EXPECT_EQ(next.configuration.mistake, model::Mistake::no_scale);
  EXPECT_EQ(next.configuration.ablated_heads.at(AttentionId::cross_attention),
            (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(next.configuration.given_weights,
            (std::vector{GivenRow{AttentionId::cross_attention, {1, 0, 1, {0.5F, 0, 1}}}}));
  EXPECT_EQ(changed_by_reading(next, R"({"query":1})").configuration, next.configuration);
  EXPECT_EQ(changed_by_reading(next, R"({"mistake":"none","ablated_heads":{},"given_weights":[]})")
                .configuration,
            document::Configuration{});
}

TEST(ReadState, UnknownFieldsAreNamedWithThoseThatAre) {
  const std::string error = reading_error(R"({"step":"mask","heads":3})");
  EXPECT_EQ(error,
            "“heads” is not one of the fields of a state; with its first letter there are head "
            "and held_out_heads.");
  EXPECT_EQ(reading_error(R"({"tensors":1})"),
            "“tensors” is not one of the fields of a state; with its first letter there are "
            "translation_begin, target_len, theme, target, training_rate and trained_steps.");
  EXPECT_EQ(reading_error(R"({"0":1})"),
            "“0” is not one of the fields of a state; the state itself has them all.");
  EXPECT_EQ(reading_error("{\"" + std::string(5000, 'x') + "\":1}")
                .find("“" + std::string(40, 'x') + "…”"),
            0U);
}

TEST(ReadState, WrongValuesAreNamedWithWhatIsAllowed) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {R"({"example":"lazy-cat"})",
       "example is “lazy-cat”; allowed: pool-beats-badminton, you-are-welcome, anthony-hopkins, "
       "counting, lazy-dog, image-patches, gender-and-number, your-sentence, reverse, agree and "
       "look-back."},
      {R"({"example":3})", "example is not text; allowed:"},
      {R"({"variant":"plain"})", "variant of you-are-welcome is “plain”; allowed: translation."},
      {R"({"variant":0})", "variant of you-are-welcome is not text; allowed: translation."},
      {R"({"step":"SOFTMAX"})", "step is “SOFTMAX”; allowed: sentence, input, "},
      {R"({"step":null})", "step is not text;"},
      {R"({"attention":"self"})",
       "attention is “self”; allowed: attention, encoder_self_attention, decoder_self_attention, "
       "cross_attention, encoder_self_attention_1, "},
      {R"({"head":-1})", "head must be a whole number from 0 to 4294967295."},
      {R"({"head":1.0})", "head must be a whole number"},
      {R"({"head":"1"})", "head must be a whole number"},
      {R"({"query":99999999999999999999999})", "query must be a whole number"},
      {R"({"sample":[0]})", "sample must be a whole number"},
      {R"({"all_heads":1})", "all_heads must be true or false."},
      {R"({"compare":"yes"})", "compare must be true or false."},
      {R"({"scrub":"0.5"})", "scrub must be a number from 0 to 1."},
      {R"({"projection":"Q"})", "projection is “Q”; allowed: q, k and v."},
      {R"({"show":"both"})", "show is “both”; allowed: auto, matrices and figure."},
      {R"({"framing":[1,2]})", "framing must be three numbers, [x, y, zoom], or null."},
      {R"({"framing":[1,2,"3"]})", "framing must be three numbers"},
      {R"({"cell":[0,1]})", "cell must be null or have the fields tensor and index"},
      {R"({"cell":{"tensor":"Q","index":[]}})", "tensor of cell is “Q”; allowed: the names of"},
      {R"({"cell":{"tensor":"q","index":[-1]}})", "Each number in the index of cell must be"},
      {R"({"scale":"sqrt"})",
       "scale must be one of none, sqrt-head-dim and sqrt-keys, or a finite number."},
      {R"({"scale":true})", "scale must be"},
      {R"({"scale":1e300})", "scale must be"},
      {R"({"mask":"causal"})", "mask is “causal”; allowed: none, padding, look-ahead and both."},
      {R"({"mask":{}})", "mask is not text;"},
      {R"({"masks":"none"})", "masks must be an object"},
      {R"({"masks":{"self":"none"}})", "A name in masks is “self”; allowed:"},
      {R"({"masks":{"attention":1}})", "masks.attention is not text;"},
      {R"({"mask":"none","masks":{"encoder_self_attention":"both"}})",
       "mask and masks.encoder_self_attention differ; give one of them, or the same in both."},
      {R"({"position_encoding":"on"})", "position_encoding must be true or false."},
      {R"({"seed":4294967296})", "seed must be a whole number from 0 to 4294967295."},
      {R"({"seed":1.5})", "seed must be a whole number"},
      {R"({"sentence":5})", "sentence must be text."},
      {R"({"sentence":"hello"})",
       "sentence belongs to your-sentence; you-are-welcome has its own words."},
      {R"({"example":"your-sentence","sentence":""})", "The sentence is empty"},
      {R"({"embed_dim":0})", "embed_dim must be a whole number from 1 to 65535."},
      {R"({"num_heads":65536})", "num_heads must be a whole number from 1 to 65535."},
      {R"({"theme":"blue"})", "theme is “blue”; allowed: auto, light and dark."},
      {R"({"edits":{}})", "edits must be an array."},
      {R"({"edits":[1]})", "Every edit must have the fields attention, tensor, index and value"},
      {R"({"edits":[{"attention":"attention"}]})", "Every edit must have the fields"},
      {R"({"edits":[{"attention":"attention","tensor":"q","index":[],"values":1}]})",
       "An edit lacks the field value."},
      {R"({"edits":[{"attention":"attention","tensor":"Q","index":[],"value":1}]})",
       "tensor of an edit is “Q”; allowed:"},
      {R"({"edits":[{"attention":"attention","tensor":"q","index":5,"value":1}]})",
       "index of an edit must be an array"},
      {R"({"edits":[{"attention":"attention","tensor":"q","index":[0,0,0,0,0,0,0],"value":1}]})",
       "index of an edit must be an array"},
      {R"({"edits":[{"attention":"attention","tensor":"q","index":[-1],"value":1}]})",
       "Each number in the index of an edit must be a whole number"},
      {R"({"edits":[{"attention":"attention","tensor":"q","index":[0],"value":null}]})",
       "value of an edit must be a finite number"},
      {R"({"edits":[{"attention":"attention","tensor":"q","index":[0],"value":"NaN"}]})",
       "value of an edit must be a finite number"},
      {R"({"edits":[{"attention":"attention","tensor":"q","index":[0],"value":1e39}]})",
       "value of an edit must be a finite number"},
      {R"({"target":[1]})", "Every target must have the fields attention, tensor, index and value"},
      {R"({"target":[{"attention":"attention","tensor":"Q","index":[],"value":1}]})",
       "tensor of a target is “Q”; allowed: output and attention_weights."},
      {R"({"target":[{"attention":"attention","tensor":"output","index":[0,0,0],"value":"NaN"}]})",
       "value of a target must be a finite number."},
      {R"({"mistake":"no-idea"})", "mistake is “no-idea”; allowed: none, no-transpose, "},
      {R"({"mistake":3})", "mistake is not text; allowed: none"},
      {R"({"ablated_heads":[1]})", "ablated_heads must be an object"},
      {R"({"ablated_heads":{"head":[1]}})",
       "A name in ablated_heads is “head”; allowed: attention"},
      {R"({"ablated_heads":{"attention":1}})", "ablated_heads.attention must be an array"},
      {R"({"ablated_heads":{"attention":[-1]}})",
       "Each number in ablated_heads.attention must be a whole number"},
      {R"({"given_weights":{}})", "given_weights must be an array"},
      {R"({"given_weights":[{"attention":"attention"}]})",
       "Every row of given_weights must have the fields attention, sample, head, query and "
       "weights, and no others."},
      {R"({"given_weights":[{"attention":"attention","sample":0,"head":0,"query":0,"w":[]}]})",
       "A row of given_weights lacks the field weights."},
      {R"({"given_weights":[{"attention":"a","sample":0,"head":0,"query":0,"weights":[]}]})",
       "attention of a row of given_weights is “a”; allowed: attention"},
      {R"({"given_weights":[{"attention":"attention","sample":0.5,"head":0,"query":0,"weights":[]}]})",
       "sample of a row of given_weights must be a whole number"},
      {R"({"given_weights":[{"attention":"attention","sample":0,"head":0,"query":0,"weights":1}]})",
       "weights of a row of given_weights must be an array of numbers."},
      {R"({"given_weights":[{"attention":"attention","sample":0,"head":0,"query":0,"weights":["-Infinity"]}]})",
       "Each of the weights of a row of given_weights must be a finite number."},
  };
  for (const auto& [json, sentence] : wrong) {
    const std::string error = reading_error(json);
    EXPECT_NE(error.find(sentence), std::string::npos) << json << "\n" << error;
    EXPECT_EQ(error.back(), '.');
  }
}

// The tables of names stand in the order of the enumerations they are cast to.
TEST(ReadState, NamesStandInTheOrderOfWhatTheyName) {
  using Kind = Scale::Kind;
  const auto scale = [](std::string_view name) {
    return changed_by_reading({}, R"({"scale":")" + std::string(name) + R"("})")
        .configuration.scale->kind;
  };
  EXPECT_EQ(scale("none"), Kind::none);
  EXPECT_EQ(scale("sqrt-head-dim"), Kind::sqrt_head_dim);
  EXPECT_EQ(scale("sqrt-keys"), Kind::sqrt_keys);
  EXPECT_EQ(changed_by_reading({}, R"({"theme":"auto"})").view_state.theme, Theme::automatic);
  EXPECT_EQ(changed_by_reading({}, R"({"theme":"light"})").view_state.theme, Theme::light);
  for (const lesson::Step& step : lesson::steps()) {
    EXPECT_EQ(
        changed_by_reading({}, R"({"step":")" + std::string(step.name) + R"("})").view_state.step,
        step.id);
  }
  for (const std::string_view name : lesson::attention_names()) {
    EXPECT_EQ(
        lesson::name_of(changed_by_reading({}, R"({"attention":")" + std::string(name) + R"("})")
                            .view_state.attention),
        name);
  }
  Document pool;
  pool.configuration = fresh(ExampleId::pool_beats_badminton, 0);  // whose mask is none
  for (const std::string_view name : lesson::mask_names()) {
    document::Configuration configuration =
        changed_by_reading(pool, R"({"masks":{"attention":")" + std::string(name) + R"("}})")
            .configuration;
    EXPECT_EQ(lesson::name_of(configuration.masks[AttentionId::attention]), name);
  }
}

}  // namespace
}  // namespace document
