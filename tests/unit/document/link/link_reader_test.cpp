// Opening links that are not as to_link writes them.
#include <gtest/gtest.h>
#include <algorithm>

#include <nlohmann/json.hpp>

#include "document/commands.hpp"
#include "document/link/link.hpp"
#include "document/random_documents.hpp"
#include "document/setups.hpp"
#include "repetitions.hpp"

namespace document {
namespace {

using Sentences = std::vector<std::string>;

/// A document that no test asks for by accident.
Session elsewhere() {
  Session session;
  static_cast<void>(session.perform(ChooseExample{lesson::ExampleId::pool_beats_badminton, 1}));
  static_cast<void>(session.perform(ChooseQuery{2}));
  static_cast<void>(session.perform(ChooseTheme{Theme::dark}));
  return session;
}

/// The state after opening; `problems` are what was told.
nlohmann::json opened(std::string_view link, const Sentences& problems = {}) {
  Session session = elsewhere();
  EXPECT_EQ(open_link(session, link), problems) << link;
  return nlohmann::json::parse(state_json(session.document(), session.computed()).dump(), nullptr,
                               false);
}

TEST(OpenLink, ReadsWhatAnAuthorTypes) {
  const auto state = opened("example=your-sentence&sentence=the+lazy+dög&query=2&step=scores");
  EXPECT_EQ(state["example"], "your-sentence");
  EXPECT_EQ(state["sentence"], "the lazy dög");
  EXPECT_EQ(state["query"], 2);
  EXPECT_EQ(state["step"], "scores");
  EXPECT_EQ(state["theme"], "auto") << "what is not named is as the example has it";
}

TEST(OpenLink, ReadsWhatAFormWrites) {
  // new URLSearchParams({...}) in a script.
  const auto state = opened(
      "v=1&step=mask&masks.cross_attention=look-ahead&framing=0.5%2C0.5%2C3&cell=q_heads%3A0%2C1%"
      "2C2%2C0"
      "&edits=cross_attention.mask%3A0%2C0%2C1%2C0%3D-inf");
  EXPECT_EQ(state["masks"]["cross_attention"], "look-ahead");
  EXPECT_EQ(state["framing"], nlohmann::json({0.5, 0.5, 3.0}));
  EXPECT_EQ(state["cell"]["tensor"], "q_heads");
  EXPECT_EQ(state["edits"][0]["value"], "-Infinity");
}

TEST(OpenLink, ReadsPartsInAnyOrder) {
  const auto state = opened("query=4&scrub=0.5&sentence=a+b+c+d+e&step=mask&example=your-sentence");
  EXPECT_EQ(state["query"], 4);
  EXPECT_EQ(state["scrub"], 0.5);
  EXPECT_EQ(state["sentence"], "a b c d e");
}

TEST(OpenLink, EditsWithoutAttentionAreThoseOfTheOneLookedAt) {
  const auto state = opened("attention=cross_attention&edits=q_proj_weight:0,1=0.5;1,0=2");
  ASSERT_EQ(state["edits"].size(), 2U);
  EXPECT_EQ(state["edits"][1]["attention"], "cross_attention");
  EXPECT_EQ(state["edits"][1]["index"], nlohmann::json({1, 0}));
}

TEST(OpenLink, NothingUsableLeavesTheDocument) {
  for (const std::string_view link : {"", "#", "#v=1", "#&&&", "#main", "#=", "#step=nowhere",
                                      "#edits=", "#edits=;;", "#v=7&what=ever"}) {
    Session session = elsewhere();
    const Document before = session.document();
    static_cast<void>(open_link(session, link));
    EXPECT_EQ(session.document(), before) << link;
  }
}

TEST(OpenLink, TellsEveryBadPartAndUsesTheRest) {
  struct Case {
    std::string_view bad;
    std::string sentence;
  };
  const std::vector<Case> cases = {
      {"head=9", "head 9 is not there; heads are counted from 0 to 1."},
      {"head=-1", "head must be a whole number from 0 to 4294967295."},
      {"head=1.5", "head must be a whole number from 0 to 4294967295."},
      {"head=", "head must be a whole number from 0 to 4294967295."},
      {"query=1e9", "query must be a whole number from 0 to 4294967295, in digits alone."},
      {R"(given_weights=[{"a":1}])",
       "Every row of given_weights must have the fields attention, sample, head, query and "
       "weights, "
       "and no others."},
      {"query=3", "query 3 is not there; queries are counted from 0 to 2."},
      {"sample=2", "sample 2 is not there; samples are counted from 0 to 1."},
      {"scrub=2", "scrub is 2; it goes from 0 to 1."},
      {"scrub=much", "scrub must be a number from 0 to 1."},
      {"cell=q_heads:0,7,0,0",
       "There is no such cell of q_heads; its shape is [2,2,3,3], counted from 0."},
      {"cell=nothing:0",
       "tensor of cell is “nothing”; allowed: the names of tensors, as attention_weights."},
      {"framing=1,2", "framing must be three numbers, [x, y, zoom], or null."},
      {"theme=pink", "theme is “pink”; allowed: auto, light and dark."},
      {"all_heads=perhaps", "all_heads must be true or false."},
      {"attention=attention",
       "There is no attention here; there is encoder_self_attention, decoder_self_attention and "
       "cross_attention."},
      {"scale=0",
       "Scores cannot be divided by 0; the scale must be a number from 0.000001 to 1000000, or its "
       "negative."},
      {"scale=1e400",
       "scale must be one of none, sqrt-head-dim and sqrt-keys, or a finite number."},
      {"num_heads=5",
       "num_heads 5 is not possible with embed_dim 6 in you-are-welcome: choose one of 1, 2, 3, "
       "6."},
      {"num_kv_heads=1",
       "num_kv_heads belongs to your-sentence; in you-are-welcome every head has keys and values "
       "of "
       "its own."},
      {"window=2",
       "you-are-welcome has no sliding window or other variant of attention; your-sentence has "
       "them all."},
      {"masks.attention=none",
       "There is no attention here; there is encoder_self_attention, decoder_self_attention and "
       "cross_attention."},
      {"masks.cross_attention=holes",
       "masks.cross_attention is “holes”; allowed: none, padding, look-ahead and both."},
      {"variant=plain", "variant of you-are-welcome is “plain”; allowed: translation."},
      {"sentence=hello", "sentence belongs to your-sentence; you-are-welcome has its own words."},
      {"colour=red", "“colour” is no part of a link that this program knows."},
      {"%E4=1", "The name of a part of the link is not encoded correctly."},
      {"theme=%zz", "“theme” in the link is not encoded correctly."},
      {"theme=%", "“theme” in the link is not encoded correctly."},
      {"theme",
       "“theme” is not a part of a link: each part has a name and a value, like step=softmax."},
      {"v=2", "The link has version “2”; this program knows only version 1."},
      {"step=mask", "“step” is in the link twice."},
      {"edits=q_proj_weight:9,0=1",
       "encoder_self_attention.q_proj_weight[9,0] lies outside; the tensor's shape is [6,6]."},
      {"edits=scores:0,0,0,0=1",
       "encoder_self_attention.scores[0,0,0,0] is computed and cannot be edited; inputs, weights, "
       "biases and masks can."},
      {"edits=q_proj_weight:0,0=-inf",
       "encoder_self_attention.q_proj_weight[0,0] cannot be -Infinity; allowed are numbers from "
       "−10000 to 10000."},
      {"edits=q_proj_weight:0,0=much",
       "value of an edit must be a finite number, or \"-Infinity\" in a mask."},
      {"edits=q_proj_weight:0,0=",
       "value of an edit must be a finite number, or \"-Infinity\" in a mask."},
      {"edits=q_proj_weight:0,x=1",
       "“q_proj_weight:0,x=1” is not an edit; in a link one looks like q_proj_weight:0,1=0.5."},
      {"target=output:0,x=1",
       "“output:0,x=1” is no target; in a link one looks like output:0,0,1=0.6."},
      {"target=output:0,0,1=far", "value of a target must be a finite number."},
      {"edits=0,1=1", "“0,1=1” is not an edit; in a link one looks like q_proj_weight:0,1=0.5."},
      {"edits=q_proj_weight:0,1=1;0,1=2",
       "encoder_self_attention.q_proj_weight[0,1] is edited twice in the link; the first number is "
       "used."},
  };
  for (const Case& each : cases) {
    const auto state =
        opened("#v=1&example=you-are-welcome&step=softmax&all_samples=false&seed=7&" +
                   std::string(each.bad),
               each.bad.starts_with("v=") ? Sentences{"“v” is in the link twice."}
                                          : Sentences{each.sentence});
    EXPECT_EQ(state["step"], "softmax") << each.bad;
    EXPECT_EQ(state["all_samples"], false) << each.bad;
    EXPECT_EQ(state["seed"], 7) << each.bad;
  }
}

TEST(OpenLink, ALaterVersionIsReadAsFarAsItGoes) {
  const auto state = opened("#v=2&example=you-are-welcome&step=mask",
                            {"The link has version “2”; this program knows only version 1."});
  EXPECT_EQ(state["step"], "mask");
}

TEST(OpenLink, PartsWithinAFieldAddUp) {
  const std::string link =
      "ablated_heads.encoder_self_attention=0&ablated_heads.cross_attention=0,1&mistake=no-scale";
  const auto state = opened(link);
  EXPECT_EQ(state["ablated_heads"].size(), 2U);
  EXPECT_EQ(state["mistake"], "no-scale");
  Session session;
  EXPECT_EQ(open_link(session,
                      "ablated_heads.cross_attention=7&ablated_heads.encoder_self_attention=1&"
                      "mistake=no-scale")
                .size(),
            1U);
  EXPECT_EQ(session.document().configuration.ablated_heads.size(), 1U);
  EXPECT_EQ(session.document().configuration.mistake, model::Mistake::no_scale);
}

TEST(OpenLink, OneBadEditLeavesTheOthers) {
  const auto state = opened(
      "edits=q_proj_weight:0,0=1,2;7,7=3;mask:0,0,0,0=-inf;k_proj_weight:0,0=1e9,4",
      {"encoder_self_attention.q_proj_weight[7,7] lies outside; the tensor's shape is [6,6].",
       "encoder_self_attention.k_proj_weight[0,0] cannot be 1e+09; allowed are numbers from −10000 "
       "to "
       "10000."});
  ASSERT_EQ(state["edits"].size(), 4U);
  EXPECT_EQ(state["edits"][1]["value"], 2.0);
  EXPECT_EQ(state["edits"][3]["index"], nlohmann::json({0, 1}));
}

TEST(OpenLink, TellsWhatChangesNothing) {
  const auto state = opened("mask=none&masks.encoder_self_attention=both&step=mask",
                            {"“mask=none” in the link changes nothing in this example."});
  EXPECT_EQ(state["mask"], "both");
  opened("mask=none&masks.encoder_self_attention=both&step=mask&head=6",
         {"head 6 is not there; heads are counted from 0 to 1.",
          "“mask=none” in the link changes nothing in this example."});
}

// A cell has its own head, query, key and sample: what else the link says of them is not wrong.
TEST(OpenLink, LetsTheCellDecideWhereItIs) {
  const auto state = opened("step=softmax&query=1&cell=attention_weights:0,1,2,1", {});
  EXPECT_EQ(state["query"], 2);
}

TEST(OpenLink, BoundsWhatItTells) {
  std::string link = "step=mask";
  for (int i = 0; i < 5000; ++i) link += "&n" + std::to_string(i) + "=1";
  Session session;
  const Sentences problems = open_link(session, link);
  ASSERT_EQ(problems.size(), max_link_problems);
  EXPECT_EQ(problems.back(), "4993 more parts of the link could not be used.");
  EXPECT_EQ(session.document().view_state.step, lesson::StepId::mask);

  const Sentences long_one = open_link(session, "step=mask&v=" + std::string(5000, 'x'));
  ASSERT_EQ(long_one.size(), 1U);
  EXPECT_LE(long_one.front().size(), max_problem_bytes);
}

TEST(OpenLink, RefusesWhatIsTooLong) {
  Session session = elsewhere();
  const Document before = session.document();
  EXPECT_EQ(open_link(session, "step=mask&theme=" + std::string(max_link_bytes, 'x')),
            Sentences{"The link is too long: at most 65536 characters are allowed."});
  EXPECT_EQ(session.document(), before);
}

// Each is tried in several ways, each of which copies what was read before.
TEST(OpenLink, ThousandsOfPartsThatAreNoneAreQuickBesideEdits) {
  std::string link = "example=anthony-hopkins&edits=q_proj_weight:";
  for (int row = 0; row < 20; ++row) {
    link += (row == 0 ? "" : ";") + std::to_string(row) + ",0=1";
    for (int i = 1; i < 500; ++i) link += ",1";
  }
  for (int i = 0; link.size() + 48 < max_link_bytes; ++i)
    link += "&ablated_heads.z" + std::to_string(i) + "=1";
  link += "&given_weights=[]";
  Session session;
  const Sentences problems = open_link(session, link);
  EXPECT_EQ(problems.size(), max_link_problems);
  EXPECT_EQ(session.document().configuration.edits.size(), 10'000U);
}

TEST(OpenLink, ThousandsOfBadEditsAreQuick) {
  std::string link = "step=mask&edits=q_proj_weight:0,0=0.5;99,0=1";
  while (link.size() + 2 < max_link_bytes) link += ",1";
  Session session;
  const Sentences problems = open_link(session, link);
  EXPECT_EQ(problems.size(), max_link_problems);
  EXPECT_EQ(session.document().configuration.edits.size(), 1U);
}

TEST(OpenLink, IsOneStepOfUndo) {
  Session session = elsewhere();
  const document::Configuration before = session.document().configuration;
  EXPECT_EQ(open_link(session, "example=you-are-welcome&scale=none&head=7").size(), 1U);
  session.undo();
  EXPECT_EQ(session.document().configuration, before);
}

TEST(WithLink, SaysWhatOpeningTheLinkSays) {
  for (const std::string_view link : {
           "#example=anthony-hopkins&step=softmax&head=3&query=3&key=2&theme=dark",
           "#example=you-are-welcome&step=mask&attention=cross_attention"
           "&masks.decoder_self_attention=none&sample=1",
           "#example=pool-beats-badminton&variant=projected&step=scores&scale=none"
           "&cell=scores:0,0,1,2",
           "#example=pool-beats-badminton&scale=2.5&edits=query_input:0,0,0=1.5,2;0,2,3=0.25",
           "#example=pool-beats-badminton&step=mask&edits=attention.mask:0,0,0,2=-inf",
           "#example=your-sentence&sentence=the+lazy+dog%2C+again&seed=7&num_heads=4&embed_dim=16",
           "#example=your-sentence&num_heads=4&num_kv_heads=2&edits=attention.k_proj_weight:3,0=1",
           "#example=your-sentence&qk_norm=true&rope=10000&alibi=true&softcap=2&window=2&sink=-1&"
           "edits="
           "attention.mask:0,"
           "0,2,0=0",
           "#example=you-are-welcome&ablated_heads.encoder_self_attention=0&compare=true"
           "&mistake=no-scale&framing=0.5,0.5,2",
       }) {
    Session opened;
    EXPECT_TRUE(open_link(opened, link).empty()) << link;
    Session changed;
    EXPECT_TRUE(open_link(changed, "#example=lazy-dog").empty());
    const auto document = with_link(changed.document(), link);
    ASSERT_TRUE(document) << link << document.error().message;
    ASSERT_TRUE(changed.replace(*document)) << link;
    EXPECT_EQ(changed.document(), opened.document()) << link;
  }
}

TEST(WithLink, KeepsWhatTheLinkDoesNotName) {
  Session session;
  ASSERT_TRUE(session.perform(ChooseQuery{2}));
  open_link(session, "#step=input&attention=cross_attention&edits=q_proj_weight:0,1=0.5");
  const auto same = with_link(session.document(), "");
  ASSERT_TRUE(same);
  EXPECT_EQ(*same, session.document());
  const auto moved = with_link(session.document(), "#step=mask&theme=dark");
  ASSERT_TRUE(moved);
  EXPECT_EQ(moved->configuration, session.document().configuration);
  EXPECT_EQ(moved->view_state.step, lesson::StepId::mask);
  const auto edited = with_link(session.document(), "#edits=q_proj_weight:1,1=2");
  ASSERT_TRUE(edited);
  ASSERT_EQ(edited->configuration.edits.size(), 1U);
  EXPECT_EQ(edited->configuration.edits[0].cell.attention, lesson::AttentionId::cross_attention)
      << "edits without an attention are those of the one looked at";
}

TEST(WithLink, RefusesTheWholeForOneBadPart) {
  const Session session;
  for (const auto& [link, sentence] : {
           std::pair{"#step=mask&theme=pink", "theme is “pink”; allowed: auto, light and dark."},
           std::pair{"#step=mask&step=split", "“step” is in the link twice."},
           std::pair{"#v=9&step=mask",
                     "The link has version “9”; this program knows only version 1."},
           std::pair{"#step=mask&edits=1",
                     "“1” is not an edit; in a link one looks like q_proj_weight:0,1=0.5."},
       }) {
    const auto document = with_link(session.document(), link);
    ASSERT_FALSE(document) << link;
    EXPECT_EQ(document.error().message, sentence);
  }
  EXPECT_FALSE(with_link(session.document(), std::string(max_link_bytes + 1, 'a')));
}

TEST(OpenLink, ADamagedLinkStillOpensSomethingThatSaysWhatItIs) {
  RandomDocuments documents(3);
  Session session;
  for (int i = 0; i < repetitions(500); ++i) {
    documents.next(session);
    std::string link = *to_link(session.document(), session.computed());
    // One letter lost, one doubled, one changed.
    link.erase(1 + documents.below(link.size() - 1), 1);
    link.insert(1 + documents.below(link.size() - 1), 1, link[documents.below(link.size())]);
    link[1 + documents.below(link.size() - 1)] = "0aé&=%;:,."[documents.below(11)];
    Session other;
    static_cast<void>(open_link(other, link));
    const auto again = to_link(other.document(), other.computed());
    ASSERT_TRUE(again) << link;
    Session third;
    ASSERT_EQ(open_link(third, *again), Sentences{}) << link;
    ASSERT_EQ(third.document(), other.document()) << link;
  }
}

TEST(OpenLink, LeadsToWhereTheStepHasSomethingToShow) {
  Session session;
  EXPECT_TRUE(open_link(session, "#example=you-are-welcome&step=mask").empty());
  const ViewState& shown = session.document().view_state;
  EXPECT_EQ(shown.sample, 1U);  // the padded one
  EXPECT_TRUE(open_link(session, "#example=you-are-welcome&step=scale").empty());
  EXPECT_NE(session.attention().trace.config.key_len, session.attention().trace.config.head_dim());
  // What a link names, it gets.
  EXPECT_TRUE(open_link(session, "#example=you-are-welcome&step=mask&sample=0").empty());
  EXPECT_EQ(shown.sample, 0U);
  const auto link = to_link(session.document(), session.computed());
  ASSERT_TRUE(link);
  EXPECT_NE(link->find("&sample=0"), std::string::npos) << *link;
}

// Who comes to *scores* from a link starts at the product that counts most, as who steps there.
TEST(OpenLink, LeadsToTheKeyThatCountsMostForTheQuery) {
  Session session;
  for (const std::string query : {"", "&query=2", "&query=5&head=1"}) {
    EXPECT_TRUE(open_link(session, "#example=gender-and-number&step=scores" + query).empty());
    const ViewState& shown = session.document().view_state;
    const std::vector<float> row = session.attention()
                                       .trace["attention_weights"]
                                       .select(0, 0)
                                       .select(0, shown.head)
                                       .narrow(0, shown.query, 1)
                                       .values();
    EXPECT_EQ(row[shown.key], *std::max_element(row.begin(), row.end())) << query;
  }
  // What a link names, it gets, and writes again.
  EXPECT_TRUE(open_link(session, "#example=gender-and-number&step=scores&key=0").empty());
  EXPECT_EQ(session.document().view_state.key, 0U);
  const auto link = to_link(session.document(), session.computed());
  ASSERT_TRUE(link);
  EXPECT_NE(link->find("&key=0"), std::string::npos) << *link;
}

}  // namespace
}  // namespace document
