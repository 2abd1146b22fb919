#include "document/state/state.hpp"

#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>

#include "document/random_documents.hpp"
#include "document/setups.hpp"
#include "lesson/input/random.hpp"
#include "model/attention/mask.hpp"

namespace document {
namespace {

using lesson::AttentionId;
using lesson::ExampleId;
using model::hidden;
using model::Scale;

std::string json_of(const Document& document) {
  return state_json(document, computed(document.configuration)).dump();
}

Document changed(const Document& document, std::string_view json) {
  const auto result = with_json(document, json);
  EXPECT_TRUE(result) << result.error().message;
  return result ? *result : Document{};
}

std::string state_error(std::string_view json, const Document& document = {}) {
  const auto result = with_json(document, json);
  EXPECT_FALSE(result) << json.substr(0, 100);
  return result ? "" : result.error().message;
}

TEST(ToJson, WritesEveryFieldInItsOrder) {
  EXPECT_EQ(
      json_of({}),
      R"({"example":"you-are-welcome","variant":"translation","step":"overview",)"
      R"("attention":"encoder_self_attention","head":0,"all_heads":true,"mean_heads":false,"query":0,"key":0,)"
      R"("sample":0,"all_samples":true,"shared_scale":false,"weights_to_one":false,"sort_heads":false,"held_out_heads":false,"map":"cards","projection":"q","scrub":1.0,"cell":null,"framing":null,"show":"auto",)"
      R"("more":false,"compare":false,"guessing":false,"gradients":false,"learning":false,"learning_rate":0.1,)"
      R"("learns":["embeddings","q_proj_weight","k_proj_weight","v_proj_weight",)"
      R"("out_proj_weight"],)"
      R"("scale":"sqrt-head-dim","mask":"padding","masks":{"encoder_self_attention":"padding",)"
      R"("decoder_self_attention":"both","cross_attention":"padding"},"position_encoding":true,)"
      R"("seed":1,"sentence":"","beam":1,"translation_begin":[],"picture":"","embed_dim":6,"num_heads":2,"num_kv_heads":2,"kdim":0,"qk_norm":false,"rope":0.0,"alibi":false,"softcap":0.0,"window":0,"sink":null,"source_len":3,)"
      R"("target_len":2,"theme":"auto","edits":[],"mistake":"none",)"
      R"("ablated_heads":{},"given_weights":[],"target":[],"method":"adam","training_rate":0.003,)"
      R"("batch_size":32,"sequence":0,"trained_steps":0})");
}

TEST(ToJson, WritesWhatIsLookedAtSoThatItReadsBack) {
  Document document;
  document.view_state.step = lesson::StepId::scores;
  document.view_state.key = 2;
  document.view_state.all_samples = false;
  document.view_state.progress = 0.3F;
  document.view_state.cell = CellRef{"scores", {0, 1, 2, 0}};
  document.view_state.framing = Framing{0.25F, 0.75F, 3.0F};
  document.view_state.show = Show::figure;
  document.view_state.projection = Projection::k;
  document.view_state.shared_scale = true;
  document.view_state.weights_to_one = true;
  document.view_state.map = MapOpen::all;
  document.view_state.compare = true;
  document.view_state.guessing = true;
  const auto read = with_json({}, json_of(document));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->view_state, document.view_state);
}

TEST(ToJson, WritesNumbersAsTheyWereTyped) {
  Document document = document_of(fresh(ExampleId::pool_beats_badminton, 0));
  document.configuration.scale = Scale{Scale::Kind::number, 0.3F};
  document.configuration.edits = {
      {cell(AttentionId::attention, "query_input", {0, 1, 2}), 0.1F},
      {cell(AttentionId::attention, "mask", {0, 0, 1, 2}), hidden},
  };
  const std::string json = json_of(document);
  EXPECT_NE(json.find(R"("scale":0.3,)"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("edits":[{"attention":"attention","tensor":"query_input","index":[0,1,2],)"
                      R"("value":0.1},{"attention":"attention","tensor":"mask","index":[0,0,1,2],)"
                      R"("value":"-Infinity"}])"),
            std::string::npos)
      << json;
}

TEST(ToJson, WritesTheSentenceThatIsShown) {
  Document document = document_of(fresh(ExampleId::your_sentence, 0));
  EXPECT_NE(json_of(document).find("\"sentence\":\"the fox saw"), std::string::npos);
  document.configuration.parameters.sentence = "日本 \"quoted\" \\ é";
  EXPECT_NE(json_of(document).find("\"sentence\":\"日本 \\\"quoted\\\" \\\\ é\""),
            std::string::npos);
}

// A document that was never computed may hold anything: written as valid JSON all the same.
TEST(ToJson, GarbageTextIsReplacedAndNotThrown) {
  Document document = document_of(fresh(ExampleId::your_sentence, 0));
  const Computed start = computed(document.configuration);
  document.configuration.parameters.sentence = "a\xFF\xC3";
  document.configuration.parameters.variant = 50;
  const auto json = nlohmann::json::parse(state_json(document, start).dump(), nullptr, false);
  EXPECT_FALSE(json.is_discarded());
}

TEST(WithJson, AnEmptyObjectChangesNothing) {
  Document document = document_of(fresh(ExampleId::anthony_hopkins, 1));
  document.configuration.parameters.seed = 12;
  EXPECT_EQ(changed(document, "{}"), document);
  EXPECT_EQ(changed(document, " \n{ }\t"), document);
}

// --- There and back ------------------------------------------------------------------------------

Session next(RandomDocuments& documents) {
  Session session;
  documents.next(session);
  return session;
}

TEST(RoundTrip, AStateSetOnAnyDocumentGivesTheDocumentItCameFrom) {
  RandomDocuments documents(1);
  std::size_t edits = 0;
  for (int round = 0; round < 120; ++round) {
    const Session from = next(documents);
    const std::string json = state_json(from.document(), from.computed()).dump();
    edits += from.document().configuration.edits.size();
    Session onto = next(documents);
    const auto next = with_json(onto.document(), json);
    ASSERT_TRUE(next) << next.error().message << json;
    const auto replaced = onto.replace(*next);
    ASSERT_TRUE(replaced) << replaced.error().message << json;
    EXPECT_EQ(onto.document(), from.document()) << json;
    EXPECT_EQ(fingerprint(onto.computed()), fingerprint(from.computed())) << json;
    EXPECT_EQ(state_json(onto.document(), onto.computed()).dump(), json);
  }
  EXPECT_GT(edits, 100U);
}

TEST(RoundTrip, SettingTheOwnStateIsNoStep) {
  RandomDocuments documents(2);
  for (int round = 0; round < 40; ++round) {
    Session session = next(documents);
    const std::uint64_t revision = session.revision();
    const auto same =
        with_json(session.document(), state_json(session.document(), session.computed()).dump());
    ASSERT_TRUE(same);
    ASSERT_TRUE(session.replace(*same));
    EXPECT_EQ(session.revision(), revision);
  }
}

// --- What is refused -----------------------------------------------------------------------------

TEST(WithJson, WhatIsNoObjectIsRefused) {
  for (const char* text :
       {"", " ", "{", "}", "nonsense", "{\"step\"}", "{\"step\":}", "{\"a\":1,}", "{'step':'mask'}",
        "{\"step\":\"mask\"", "{} {}", "\xEF\xBB\xBF{", "{\"head\":01}", "{\"head\":NaN}",
        "{\"scale\":Infinity}", "{\"sentence\":\"\xFF\"}", "{\"sentence\":\"\\ud800\"}"}) {
    EXPECT_EQ(state_error(text), "The state is not valid JSON.") << text;
  }
  EXPECT_EQ(state_error(std::string_view("{}\0", 3)), "The state is not valid JSON.");
  for (const char* text : {"null", "1", "\"text\"", "true", "[]", "[{}]"}) {
    EXPECT_EQ(state_error(text), "The state must be a JSON object, like {\"step\": \"softmax\"}.");
  }
}

TEST(WithJson, WhatOnlyComputingCanTellIsLeftToTheSession) {
  Session session;
  const auto error_in_session = [&session](std::string_view json) {
    const auto next = with_json(session.document(), json);
    EXPECT_TRUE(next) << json;
    const auto replaced = session.replace(*next);
    EXPECT_FALSE(replaced) << json;
    return replaced ? "" : replaced.error().message;
  };
  EXPECT_EQ(error_in_session(R"({"head":2})"),
            "head 2 is not there; heads are counted from 0 to 1.");
  EXPECT_EQ(
      error_in_session(R"({"num_heads":4})"),
      "num_heads 4 is not possible with embed_dim 6 in you-are-welcome: choose one of 1, 2, 3, "
      "6.");
  EXPECT_EQ(
      error_in_session(R"({"attention":"attention"})"),
      "There is no attention here; there is encoder_self_attention, decoder_self_attention and "
      "cross_attention.");
  EXPECT_EQ(
      error_in_session(R"({"masks":{"attention":"none"}})"),
      "There is no attention here; there is encoder_self_attention, decoder_self_attention and "
      "cross_attention.");
  EXPECT_NE(error_in_session(R"({"scale":0})").find("Scores cannot be divided by 0"),
            std::string::npos);
  EXPECT_NE(
      error_in_session(
          R"({"edits":[{"attention":"cross_attention","tensor":"q","index":[0,0,0],"value":1}]})")
          .find("is computed and cannot be edited"),
      std::string::npos);
  EXPECT_EQ(session.document(), Document{});
}

// --- Hostile text --------------------------------------------------------------------------------

TEST(WithJson, TextOverAMebibyteIsNotEvenRead) {
  const std::string fits = "{" + std::string(max_json_bytes - 2, ' ') + "}";
  EXPECT_TRUE(with_json({}, fits));
  EXPECT_EQ(state_error(fits + " "), "The state has 1048577 bytes; at most 1048576 are allowed.");
  EXPECT_NE(state_error(std::string(5'000'000, '[')).find("at most 1048576"), std::string::npos);
}

TEST(WithJson, DeepNestingIsRefusedBeforeItIsParsed) {
  for (const std::size_t depth : {std::size_t{9}, std::size_t{1000}, max_json_bytes / 2 - 20}) {
    const std::string arrays =
        "{\"edits\":" + std::string(depth, '[') + std::string(depth, ']') + "}";
    EXPECT_EQ(state_error(arrays), "The state is nested too deeply for any state there is.");
  }
  EXPECT_EQ(state_error(std::string(max_json_bytes, '[')),
            "The state is nested too deeply for any state there is.");
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  EXPECT_EQ(state_error(objects), "The state is nested too deeply for any state there is.");
  // Brackets inside text are text.
  const Document typed = document_of(fresh(ExampleId::your_sentence, 0));
  EXPECT_EQ(changed(typed, R"({"sentence":"[[[[[[[[[[ {{{{{{{{ \"[[[["})")
                .configuration.parameters.sentence,
            "[[[[[[[[[[ {{{{{{{{ \"[[[[");
}

TEST(WithJson, ManyFieldsAndManyEditsAreRefusedQuickly) {
  std::string fields = "{";
  for (int i = 0; i < 80'000; ++i) fields += "\"" + std::to_string(i) + "\":1,";
  fields.back() = '}';
  EXPECT_NE(state_error(fields).find("is not one of the fields"), std::string::npos);
  std::string edits = R"({"edits":[)";
  for (int i = 0; i < 100'000; ++i) edits += "0,";
  edits.back() = ']';
  EXPECT_EQ(state_error(edits + "}"), "edits has 100000 entries; at most 10000 are allowed.");
}

TEST(WithJson, AFieldGivenTwiceCountsOnce) {
  EXPECT_EQ(changed({}, R"({"head":0,"head":1})").view_state.head, 1U);
}

// Any damage to a valid state gives a document or a sentence; the session takes it as a whole or
// not at all.
TEST(WithJson, DamagedStatesAreTakenWholeOrNotAtAll) {
  RandomDocuments documents(3);
  lesson::Random random(4, "damage");
  const std::string_view pieces = "{}[]\",:0123456789.-+eEtrufalsn\\ \xFF\x80_abc";
  for (int round = 0; round < 25; ++round) {
    Session session = next(documents);
    const std::string valid = state_json(session.document(), session.computed()).dump();
    for (int damage = 0; damage < 40; ++damage) {
      std::string text = valid;
      for (std::size_t hits = 1 + random.bits() % 3; hits > 0; --hits) {
        const std::size_t at = random.bits() % text.size();
        const char piece = pieces[random.bits() % pieces.size()];
        switch (random.bits() % 3) {
          case 0:
            text[at] = piece;
            break;
          case 1:
            text.erase(at, 1);
            break;
          default:
            text.insert(at, 1, piece);
        }
      }
      const Document before = session.document();
      const auto next = with_json(before, text);
      if (!next) {
        EXPECT_EQ(next.error().message.back(), '.');
        continue;
      }
      const auto replaced = session.replace(*next);
      if (!replaced) {
        EXPECT_EQ(replaced.error().message.back(), '.');
        EXPECT_EQ(session.document(), before);
      }
    }
  }
}

}  // namespace
}  // namespace document
