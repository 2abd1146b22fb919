// The trained translator as an example: what it says, and what its twelve attentions compute.
#include <cmath>
#include <set>

#include "document/link/link.hpp"
#include "document/session.hpp"
#include "document/translator/the_translator.hpp"
#include "training/initial_weights.hpp"

namespace document {
namespace {

using lesson::AttentionId;
using lesson::ExampleId;
using model::TensorId;

TEST_F(TheTranslator, IsAnExampleWhereItsWeightsAre) {
  EXPECT_EQ(lesson::examples().front().id, ExampleId::translator);
  const std::size_t count = lesson::examples().size();
  translation::install({});
  EXPECT_EQ(lesson::examples().size(), count - 1);
  const auto made = lesson::make_problem(ExampleId::translator, {});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message, "The translator’s weights are not here yet.");
  translation::install(std::as_bytes(std::span(weights_file())));
}

// The file says how good it is: 43.57 as it was measured with the weights that are in it.
TEST_F(TheTranslator, TellsTheBleuThatItsFileSays) {
  const Computed made = computed(saying("I am tired."));
  ASSERT_TRUE(made.translated);
  EXPECT_EQ(lesson::bleu_of(*made.translated), "43.57");
  lesson::Translated untrained = *made.translated;
  untrained.trained = false;
  EXPECT_EQ(lesson::bleu_of(untrained), "");
}

TEST_F(TheTranslator, SaysWhatTranslateSaysWithTheSameNumbers) {
  for (const char* sentence : {"He admired her as a great director.", "Hello, Tom."}) {
    const Computed made = computed(saying(sentence));
    const auto said = translator().translate(sentence);
    ASSERT_TRUE(said);
    ASSERT_TRUE(made.translated);
    EXPECT_EQ(made.translated->text, said->text);
    EXPECT_EQ(tokens_of(*made.translated), said->target);
    for (std::size_t i = 0; i < said->target.size(); ++i) {
      const lesson::Translated::Place& place = made.translated->places[i];
      EXPECT_NEAR(place.said.probability, said->probabilities[i], 1e-6);
      ASSERT_EQ(place.best.size(), said->candidates[i].size());
      for (std::size_t j = 0; j < place.best.size(); ++j)
        EXPECT_EQ(place.best[j].token, said->candidates[i][j].token);
    }
    const auto traces = translator().trace(*said);
    ASSERT_TRUE(traces);
    ASSERT_EQ(made.attentions.size(), 12U);
    for (const ComputedAttention& attention : made.attentions) {
      const AttentionId kind = kind_of(attention.id);
      const std::string part =
          std::string(kind == AttentionId::encoder_self_attention ? "encoder." : "decoder.") +
          std::to_string(layer_of(attention.id)) +
          (kind == AttentionId::cross_attention ? ".cross_attention" : ".self_attention");
      const auto whole = std::find_if(traces->begin(), traces->end(),
                                      [&](const model::Trace& each) { return each.name == part; });
      ASSERT_NE(whole, traces->end()) << part;
      for (const TensorId name : {TensorId("q"), TensorId("scores"), TensorId("attention_weights"),
                                  TensorId("head_outputs"), TensorId("output")}) {
        const tensor::Tensor own = attention.trace[name];
        const tensor::Tensor other = (*whole)[name];
        ASSERT_EQ(own.shape(), other.shape()) << part << ' ' << name_of(name);
        const std::vector<float> a = own.values();
        const std::vector<float> b = other.values();
        for (std::size_t i = 0; i < a.size(); ++i)
          ASSERT_NEAR(a[i], b[i], 2e-4F) << part << ' ' << name_of(name) << ' ' << i;
      }
    }
  }
}

TEST_F(TheTranslator, HasTwelveAttentionsOfDifferentNames) {
  std::set<std::string_view> names;
  const Computed made = computed(saying(""));
  for (const ComputedAttention& attention : made.attentions) {
    names.insert(name_of(attention.id));
    EXPECT_EQ(attention.trace.config.num_heads, 8U);
    EXPECT_EQ(attention.trace.config.embed_dim, 128U);
  }
  EXPECT_EQ(names.size(), 12U);
}

TEST_F(TheTranslator, AHeadThatIsOffChangesWhatIsSaid) {
  const std::string sentence = "He admired her as a great director.";
  const Computed before = computed(saying(sentence));
  Configuration off = saying(sentence);
  for (const ComputedAttention& attention : before.attentions) {
    if (kind_of(attention.id) == AttentionId::cross_attention)
      off.ablated_heads[attention.id] = {0, 1, 2, 3, 4, 5, 6, 7};
  }
  const Computed without = computed(off);
  ASSERT_TRUE(without.translated);
  EXPECT_NE(without.translated->text, before.translated->text) << "it does not see the sentence";
  Configuration one = saying(sentence);
  one.ablated_heads[AttentionId::cross_attention_3] = {2};
  const Computed less = computed(one);
  EXPECT_NE(less.translated->places[0].said.probability,
            before.translated->places[0].said.probability);
}

TEST_F(TheTranslator, TellsHowProbableItsUnchangedTranslationStillIs) {
  const std::string sentence = "He admired her as a great director.";
  const auto said = translator().translate(sentence);
  Configuration configuration = saying(sentence);
  EXPECT_FALSE(computed(configuration).translated->unchanged);
  // A head that is switched off: less probable, and as much as decoding says that begins so.
  configuration.ablated_heads[AttentionId::cross_attention_3] = {0, 1, 2, 3, 4, 5, 6, 7};
  const auto unchanged = computed(configuration).translated->unchanged;
  ASSERT_TRUE(unchanged);
  EXPECT_EQ(unchanged->text, said->text);
  EXPECT_NEAR(unchanged->log_probability, said->log_probability, 1e-4);
  EXPECT_LT(unchanged->log_probability_now, unchanged->log_probability - 0.1);
  configuration.parameters.begin.assign(said->target.begin(), said->target.end());
  double forced = 0.0;
  const Computed said_again = computed(configuration);
  for (const lesson::Translated::Place& place : said_again.translated->places)
    forced += std::log(place.said.probability);
  EXPECT_NEAR(unchanged->log_probability_now, forced, 1e-4);
}

TEST_F(TheTranslator, GoesOnFromAnotherToken) {
  Configuration begun = saying("Thank you.");
  const Computed before = computed(begun);
  const auto other = static_cast<std::uint32_t>(before.translated->places[0].best[1].token);
  begun.parameters.begin = {other};
  const Computed after = computed(begun);
  EXPECT_EQ(tokens_of(*after.translated).front(), other);
  EXPECT_NE(after.translated->text, before.translated->text);
  const std::vector<std::size_t> begin{other};
  EXPECT_EQ(after.translated->text, translator().translate("Thank you.", 1, begin)->text);

  begun.parameters.begin = {123456};
  const auto wrong = compute(begun);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message.rfind("The translation cannot begin with token 123456", 0), 0U)
      << wrong.error().message;
}

TEST_F(TheTranslator, ABeamFindsWhatTheCommandFinds) {
  const std::string sentence = "She gave the old man a very good book.";
  Configuration beam = saying(sentence);
  beam.parameters.beam = lesson::beam_width;
  const Computed made = computed(beam);
  const auto said = translator().translate(sentence, lesson::beam_width);
  ASSERT_TRUE(said);
  const lesson::Translated& translated = *made.translated;
  EXPECT_EQ(translated.text, said->text);
  EXPECT_EQ(tokens_of(translated), said->target);
  ASSERT_GE(translated.finished.size(), lesson::beam_width);
  EXPECT_EQ(translated.finished.front().tokens, said->target);
  EXPECT_DOUBLE_EQ(translated.finished.front().log_probability, said->log_probability);
  for (std::size_t i = 0; i < said->target.size(); ++i)
    EXPECT_NEAR(translated.places[i].said.probability, said->probabilities[i], 1e-6);
  EXPECT_TRUE(computed(saying(sentence)).translated->finished.empty()) << "greedy";
}

// Each of them has the log-probability that forcing its tokens gives, and the order is that of the
// mean.
TEST_F(TheTranslator, WhatABeamFindsHasItsProbability) {
  Configuration beam = saying("He admired her as a great director.");
  beam.parameters.beam = lesson::beam_width;
  const lesson::Translated best = *computed(beam).translated;
  ASSERT_GE(best.finished.size(), lesson::beam_width);
  double before = 0.0;
  for (const lesson::Translated::Finished& each : best.finished) {
    EXPECT_LE(each.mean_log_probability(), before);
    before = each.mean_log_probability();
    EXPECT_DOUBLE_EQ(each.mean_log_probability() * static_cast<double>(each.tokens.size()),
                     each.log_probability);
    Configuration forced = saying("He admired her as a great director.");
    forced.parameters.begin.assign(each.tokens.begin(), each.tokens.end());
    double log_probability = 0.0;
    const Computed said = computed(forced);
    for (const lesson::Translated::Place& place : said.translated->places)
      log_probability += std::log(place.said.probability);
    EXPECT_NEAR(each.log_probability, log_probability, 1e-4) << each.text;
    EXPECT_EQ(said.translated->text, each.text);
  }
}

TEST_F(TheTranslator, AnyTranslationOfTheBeamCanBeShown) {
  Session session;
  ASSERT_TRUE(session.replace(document_of(saying("He admired her as a great director."))));
  ASSERT_TRUE(session.perform(SetBeam{lesson::beam_width}));
  const lesson::Translated best = *session.computed().translated;
  const lesson::Translated::Finished second = best.finished[1];
  ASSERT_TRUE(session.perform(SetTranslationBegin{{second.tokens.begin(), second.tokens.end()}}));
  const lesson::Translated shown = *session.computed().translated;
  EXPECT_EQ(tokens_of(shown), second.tokens);
  EXPECT_EQ(shown.text, second.text);
  EXPECT_EQ(shown.finished, best.finished) << "the list stays";
  // The decoder reads the tokens of the one that is shown.
  const ComputedAttention& cross = session.computed().find(AttentionId::cross_attention_3);
  EXPECT_EQ(cross.trace.config.query_len, second.tokens.size());
  EXPECT_EQ(cross.query_tokens[0][1], shown.places[0].said.piece);

  const auto link = to_link(session.document(), session.computed());
  ASSERT_TRUE(link);
  EXPECT_NE(link->find("beam=4"), std::string::npos) << *link;
  Session reader;
  EXPECT_EQ(open_link(reader, *link), std::vector<std::string>());
  EXPECT_EQ(reader.document().configuration, session.document().configuration);
  EXPECT_EQ(reader.computed().translated, session.computed().translated);

  session.undo();
  EXPECT_EQ(session.computed().translated->text, best.text);
  session.redo();
  ASSERT_TRUE(session.perform(SetBeam{1}));
  EXPECT_TRUE(session.document().configuration.parameters.begin.empty());
  EXPECT_EQ(session.computed().translated->text,
            translator().translate("He admired her as a great director.")->text);

  const auto wrong = session.perform(SetBeam{3});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message,
            "The beam cannot have 3 translations: 1 is greedy decoding, and 4 are followed at the "
            "same time.");
  Session other;
  EXPECT_FALSE(other.perform(SetBeam{lesson::beam_width}));
}

// After a word that was chosen, all translations begin with it; a whole one that the beam does not
// find is among them.
TEST_F(TheTranslator, ABeamGoesOnFromTheWordThatWasChosen) {
  Configuration begun = saying("Thank you very much.");
  const Computed before = computed(begun);
  const auto other = static_cast<std::uint32_t>(before.translated->places[0].best[1].token);
  begun.parameters.begin = {other};
  begun.parameters.beam = lesson::beam_width;
  const lesson::Translated after = *computed(begun).translated;
  ASSERT_GE(after.finished.size(), lesson::beam_width);
  for (const lesson::Translated::Finished& each : after.finished)
    EXPECT_EQ(each.tokens.front(), other) << each.text;

  const std::vector<std::size_t>& last = after.finished.back().tokens;
  begun.parameters.begin.assign(last.begin(), last.end());
  const lesson::Translated whole = *computed(begun).translated;
  EXPECT_EQ(tokens_of(whole), last);
  EXPECT_EQ(std::count_if(whole.finished.begin(), whole.finished.end(),
                          [&](const auto& each) { return each.tokens == last; }),
            1);
}

TEST_F(TheTranslator, ABeamFollowsWhatIsChanged) {
  const std::string sentence = "She gave the old man a very good book.";
  for (const model::Mistake mistake :
       {model::Mistake::no_scale, model::Mistake::softmax_over_queries,
        model::Mistake::naive_softmax}) {
    Configuration wrong = saying(sentence);
    wrong.mistake = mistake;
    const double greedy = log_probability_of(*computed(wrong).translated);
    wrong.parameters.beam = lesson::beam_width;
    const lesson::Translated made = *computed(wrong).translated;
    ASSERT_GE(made.finished.size(), 1U);
    EXPECT_EQ(made.finished.front().tokens, tokens_of(made));
    EXPECT_NEAR(made.finished.front().log_probability, log_probability_of(made), 1e-4);
    EXPECT_TRUE(std::isfinite(greedy));
  }
  Configuration off = saying(sentence);
  off.parameters.beam = lesson::beam_width;
  const lesson::Translated all = *computed(off).translated;
  off.ablated_heads[AttentionId::cross_attention_3] = {2};
  const lesson::Translated less = *computed(off).translated;
  EXPECT_NE(less.finished, all.finished);
  ASSERT_TRUE(less.unchanged);
  EXPECT_EQ(less.unchanged->text, all.text);
  EXPECT_NEAR(less.unchanged->log_probability, all.finished.front().log_probability, 1e-4);

  off = saying("Thank you.");
  off.parameters.beam = lesson::beam_width;
  off.parameters.variant = 1;  // untrained
  const lesson::Translated untrained = *computed(off).translated;
  EXPECT_FALSE(untrained.finished.empty());
}

// What is computed while the translation is made is not computed again.
TEST_F(TheTranslator, TheSourceIsEncodedOnce) {
  for (const std::size_t beam : {std::size_t{1}, lesson::beam_width}) {
    Configuration configuration = saying("She gave the old man a very good book.");
    configuration.parameters.beam = beam;
    const auto problem = lesson::make_problem(ExampleId::translator, configuration.parameters);
    ASSERT_TRUE(problem);
    const auto made = compute(configuration, *problem);
    ASSERT_TRUE(made);
    ASSERT_EQ(problem->computed.size(), 8U) << "two parts for each layer of the encoder";
    for (std::size_t part = 0; part < problem->computed.size(); ++part) {
      const model::Trace& first = problem->computed[part];
      EXPECT_EQ(made->parts[part].name, first.name);
      for (const TensorId id : first.present())
        EXPECT_TRUE(made->parts[part][id].is_same_view(first[id])) << first.name << name_of(id);
    }
    // The encoder's output is that of the model which reads tokens, bit for bit.
    const auto said = translator().translate("She gave the old man a very good book.", beam);
    const auto traces = translator().trace(*said);
    ASSERT_TRUE(traces);
    const auto whole = std::find_if(traces->begin(), traces->end(),
                                    [](const auto& each) { return each.name == "encoder.3"; });
    EXPECT_TRUE((*whole)["layer_output"].has_same_bits(made->parts[7]["layer_output"]));
  }
}

// What comes before the edited layer keeps its bits.
TEST_F(TheTranslator, AnEditReachesWhatComesAfterIt) {
  Configuration edited = saying("Thank you.");
  const Computed before = computed(edited);
  edited.edits = {
      {{AttentionId::encoder_self_attention_2, TensorId("q_proj_weight"), {0, 0}}, 3.0F}};
  const Computed after = computed(edited);
  for (const ComputedAttention& attention : after.attentions) {
    const bool encoder = kind_of(attention.id) == AttentionId::encoder_self_attention;
    const bool same = before.find(attention.id)
                          .trace[TensorId("attention_weights")]
                          .has_same_bits(attention.trace[TensorId("attention_weights")]);
    const bool decodes_nothing_yet = attention.id == AttentionId::decoder_self_attention &&
                                     tokens_of(*after.translated) == tokens_of(*before.translated);
    EXPECT_EQ(same, (encoder && layer_of(attention.id) < 2) || decodes_nothing_yet)
        << name_of(attention.id);
  }
}

TEST_F(TheTranslator, ALinkTellsWhichTokensWereChosen) {
  Session session;
  ASSERT_TRUE(session.replace(document_of(saying("Thank you very much."))));
  const lesson::Translated first = *session.computed().translated;
  const lesson::Translated::Candidate& other = first.places[0].best[1];
  const auto token = static_cast<std::uint32_t>(other.token);
  ASSERT_TRUE(session.perform(SetTranslationBegin{{token}}));
  EXPECT_EQ(session.computed().translated->places[0].said.piece, other.piece);
  EXPECT_NE(session.computed().translated->text, first.text);

  const auto link = to_link(session.document(), session.computed());
  ASSERT_TRUE(link);
  EXPECT_NE(link->find("translation_begin=" + std::to_string(token)), std::string::npos) << *link;
  Session reader;
  EXPECT_EQ(open_link(reader, *link), std::vector<std::string>());
  EXPECT_EQ(reader.document().configuration, session.document().configuration);

  session.undo();
  EXPECT_EQ(session.computed().translated->text, first.text);
  session.redo();
  ASSERT_TRUE(session.perform(SetSentence{"Good morning."}));
  EXPECT_TRUE(session.document().configuration.parameters.begin.empty());

  const std::string before = session.computed().translated->text;
  const auto beyond = session.perform(SetTranslationBegin{{8000}});
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().message,
            "The translation cannot begin with token 8000: the vocabulary has tokens up to 7999.");
  EXPECT_EQ(session.computed().translated->text, before);
}

TEST_F(TheTranslator, UntrainedHasTheWeightsThatTrainingBeginsWith) {
  Configuration configuration = saying("Thank you.");
  const Computed trained = computed(configuration);
  configuration.parameters.variant = 1;
  const Computed untrained = computed(configuration);
  EXPECT_NE(untrained.translated->text, trained.translated->text);
  const model::Weights begins = training::initial_weights(translator().transformer(), 1);
  const tensor::Tensor used =
      untrained.find(AttentionId::cross_attention_2).trace[TensorId("q_proj_weight")];
  EXPECT_EQ(used.values(), begins.at("decoder.2.cross_attention.q_proj_weight").values());
  // What goes on from it, edits included, has them too.
  configuration.edits = {
      {{AttentionId::decoder_self_attention, TensorId("q_proj_weight"), {0, 0}}, 0.5F}};
  const Computed edited = computed(configuration);
  EXPECT_FALSE(edited.translated->trained);
  EXPECT_LT(edited.translated->places[0].said.probability, 0.05);
}

TEST_F(TheTranslator, TakesAnyText) {
  for (const char* sentence : {"😀😀", "привет мир", "漢字", "?!...", "xqzzyx"}) {
    const Computed made = computed(saying(sentence));
    EXPECT_TRUE(made.translated) << sentence;
  }
  std::string cats;
  for (int i = 0; i < 200; ++i) cats += "cat ";
  for (const std::string& sentence : {std::string("   "), cats}) {
    const auto made = compute(saying(sentence));
    ASSERT_FALSE(made) << sentence;
    EXPECT_EQ(made.error().message.back(), '.') << made.error().message;
  }
}

}  // namespace
}  // namespace document
