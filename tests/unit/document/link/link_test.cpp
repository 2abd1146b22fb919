#include "document/link/link.hpp"

#include <gtest/gtest.h>

#include "document/commands.hpp"
#include "document/random_documents.hpp"
#include "document/setups.hpp"
#include "repetitions.hpp"

namespace document {
namespace {

using lesson::AttentionId;
using lesson::ExampleId;
using model::TensorId;

std::string link_of(const Session& session) {
  const auto link = to_link(session.document(), session.computed());
  EXPECT_TRUE(link) << link.error().message;
  return link ? *link : "";
}

TEST(ToLink, SaysWhereItLeadsAndNothingElseOfAnExampleAsItComes) {
  EXPECT_EQ(link_of(Session()), "#v=1&example=you-are-welcome&step=overview");
}

TEST(ToLink, WritesWhatWasChosenInTheOrderOfTheState) {
  Session session;
  perform(session, ChooseTheme{Theme::dark});
  perform(session, SetMask{AttentionId::cross_attention, lesson::MaskKind::none});
  perform(session, SetScale{{model::Scale::Kind::number, 2.5F}});
  perform(session, ChooseHead{1});
  perform(session, ShowAllHeads{false});
  perform(session, ChooseStep{lesson::StepId::softmax});
  perform(session, SetProgress{0.25F});
  perform(session, ChooseCell{CellRef{"attention_weights", {0, 1, 2, 0}}});
  perform(session, Frame{Framing{0.5F, 0.125F, 2.0F}});
  EXPECT_EQ(link_of(session),
            "#v=1&example=you-are-welcome&step=softmax&head=1&all_heads=false&query=2&scrub=0.25"
            "&cell=attention_weights:0,1,2,0&framing=0.5,0.125,2&scale=2.5"
            "&masks.cross_attention=none&theme=dark");
}

TEST(ToLink, WritesEditsInShort) {
  Session session;
  perform(session, ChooseExample{ExampleId::pool_beats_badminton, 2});
  for (std::size_t column = 0; column < 3; ++column) {
    perform(session, EditCell{{AttentionId::attention, "q_proj_weight", {1, column}},
                              0.25F * static_cast<float>(column + 1)});
  }
  perform(session, EditCell{{AttentionId::attention, "q_proj_weight", {0, 0}}, -1e4F});
  perform(session, EditCell{{AttentionId::attention, "mask", {0, 0, 2, 1}},
                            -std::numeric_limits<float>::infinity()});
  EXPECT_EQ(link_of(session),
            "#v=1&example=pool-beats-badminton&variant=projected&step=overview"
            "&edits=attention.q_proj_weight:1,0=0.25,0.5,0.75;0,0=-10000;"
            "attention.mask:0,0,2,1=-inf");
}

TEST(ToLink, SpellsSentences) {
  Session session;
  perform(session, ChooseExample{ExampleId::your_sentence, 0});
  perform(session, SetSentence{"Déjà vu, 50% & more."});
  EXPECT_EQ(
      link_of(session),
      "#v=1&example=your-sentence&step=overview&sentence=D%C3%A9j%C3%A0+vu,+50%25+%26+more%2E");
}

TEST(ToLink, SaysHowManyHeadsOfKeysAreShared) {
  Session session;
  perform(session, ChooseExample{ExampleId::your_sentence, 0});
  perform(session, SetSizes{0, 4, 2});
  EXPECT_EQ(link_of(session),
            "#v=1&example=your-sentence&step=overview&num_heads=4&num_kv_heads=2");
  perform(session, SetSizes{0, 4, 4});
  EXPECT_EQ(link_of(session), "#v=1&example=your-sentence&step=overview&num_heads=4");
}

TEST(ToLink, SaysHowWideAnotherSentenceIs) {
  Session session;
  perform(session, ChooseExample{ExampleId::your_sentence, 0});
  perform(session, SetKdim{12});
  EXPECT_EQ(link_of(session), "#v=1&example=your-sentence&step=overview&kdim=12");
}

TEST(ToLink, SaysWhichVariantsOfAttentionAreChosen) {
  Session session;
  perform(session, ChooseExample{ExampleId::your_sentence, 0});
  perform(session, SetAttentionVariants{{.rope_base = 500.0F,
                                         .alibi = true,
                                         .window = 3,
                                         .softcap = 0.5F,
                                         .qk_norm = true,
                                         .sink = 0.0F}});
  EXPECT_EQ(link_of(session),
            "#v=1&example=your-sentence&step=overview&qk_norm=true&rope=500&alibi=true&softcap=0.5&"
            "window=3&sink=0");
  perform(session, SetAttentionVariants{});
  EXPECT_EQ(link_of(session), "#v=1&example=your-sentence&step=overview");
}

TEST(ToLink, RefusesWhatNoAddressHolds) {
  const Session session;
  Document document = session.document();
  for (std::size_t place = 0; place < 10'000; ++place) {
    document.configuration.edits.push_back(
        {{AttentionId::cross_attention, "mask", {0, 0, 2 * place, 0}}, 0.125F});
  }
  const auto link = to_link(document, session.computed());
  ASSERT_FALSE(link);
  EXPECT_EQ(link.error().message,
            "As a link this would have 174514 characters; at most 65536 are allowed.");
}

TEST(ToLink, IsReadByAnyVersionThatCouldReadItOnce) {
  // Links that are out in the world: what they open must never change. Add, never edit.
  Session session;
  EXPECT_EQ(open_link(session,
                      "#v=1&example=pool-beats-badminton&variant=projected&step=softmax&query=2"
                      "&edits=attention.q_proj_weight:1,0=0.25,0.5;0,0=-10000"),
            std::vector<std::string>{});
  const Document& document = session.document();
  EXPECT_EQ(document.configuration.example, ExampleId::pool_beats_badminton);
  EXPECT_EQ(document.configuration.parameters.variant, 2U);
  EXPECT_EQ(document.view_state.step, lesson::StepId::softmax);
  EXPECT_EQ(document.view_state.query, 2U);
  const auto weight = [](tensor::Index index, float value) {
    return Edit{{AttentionId::attention, "q_proj_weight", index}, value};
  };
  EXPECT_EQ(document.configuration.edits,
            (std::vector{weight({1, 0}, 0.25F), weight({1, 1}, 0.5F), weight({0, 0}, -1e4F)}));
}

TEST(LinkRoundTrip, EveryExampleAndVariant) {
  Session other;
  for (const document::Configuration& configuration : all_setups()) {
    Session session({configuration, first_view_state({}, configuration.example)});
    ASSERT_EQ(session.document().configuration, configuration);
    EXPECT_EQ(open_link(other, link_of(session)), std::vector<std::string>{})
        << name_of(configuration);
    EXPECT_EQ(other.document(), session.document()) << name_of(configuration);
  }
}

TEST(LinkRoundTrip, ThousandsOfDocuments) {
  RandomDocuments documents(20261121);
  Session session;
  Session other;  // what it showed before never matters
  for (int i = 0; i < repetitions(2000); ++i) {
    documents.next(session);
    const std::string link = link_of(session);
    ASSERT_EQ(open_link(other, link), std::vector<std::string>{}) << link;
    ASSERT_EQ(state_json(other.document(), other.computed()).dump(),
              state_json(session.document(), session.computed()).dump())
        << link;
    ASSERT_EQ(other.document(), session.document()) << link;
    ASSERT_EQ(link_of(other), link);
  }
}

TEST(LinkRoundTrip, TheSameNumbers) {
  RandomDocuments documents(7);
  Session session;
  for (int i = 0; i < repetitions(100); ++i) {
    documents.next(session);
    Session other;
    ASSERT_EQ(open_link(other, link_of(session)), std::vector<std::string>{});
    ASSERT_EQ(fingerprint(other.computed()), fingerprint(session.computed())) << link_of(session);
  }
}

TEST(LinkRoundTrip, LinksAreMadeOfHarmlessCharacters) {
  RandomDocuments documents(11);
  Session session;
  for (int i = 0; i < repetitions(300); ++i) {
    documents.next(session);
    const std::string link = link_of(session);
    EXPECT_EQ(link.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                     "0123456789-_.,:;=&%+",
                                     1),
              std::string::npos)
        << link;
    EXPECT_TRUE(std::isalnum(static_cast<unsigned char>(link.back()))) << link;
  }
}

}  // namespace
}  // namespace document
