#include "lesson/examples/example.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "lesson/examples/examples.hpp"
#include "lesson/input/tokenize.hpp"

namespace lesson {
namespace {

std::string error_of(ExampleId id, const Parameters& parameters) {
  const auto problem = make_problem(id, parameters);
  EXPECT_FALSE(problem);
  return problem ? "" : problem.error().message;
}

Parameters sized(std::size_t embed_dim, std::size_t num_heads) {
  Parameters parameters;
  parameters.embed_dim = embed_dim;
  parameters.num_heads = num_heads;
  return parameters;
}

TEST(Names, OfAttentionsAndMasks) {
  EXPECT_EQ(name_of(AttentionId::cross_attention), "cross_attention");
  EXPECT_EQ(name_of(MaskKind::look_ahead), "look-ahead");
}

TEST(Examples, AreFoundByIdAndByName) {
  const std::vector<std::string_view> names = {"pool-beats-badminton",
                                               "you-are-welcome",
                                               "anthony-hopkins",
                                               "counting",
                                               "lazy-dog",
                                               "image-patches",
                                               "gender-and-number",
                                               "your-sentence",
                                               "reverse",
                                               "agree",
                                               "look-back"};
  ASSERT_EQ(examples().size(), names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Example& each = examples()[i];
    EXPECT_EQ(static_cast<std::size_t>(each.id), i + 1) << "after the translator";
    EXPECT_EQ(each.name, names[i]);
    EXPECT_EQ(example(each.id).name, names[i]);
    EXPECT_EQ(example_named(names[i]), each.id);
    EXPECT_FALSE(each.title().empty());
    EXPECT_EQ(each.description().back(), '.');
  }
  EXPECT_FALSE(example_named("counting-sheep").has_value());
  EXPECT_FALSE(example_named("").has_value());
}

template <typename T>
bool equal(std::span<const T> a, std::span<const T> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

void expect_sequence(const Sequence& sequence, std::size_t embed_dim) {
  const tensor::Tensor& embedding = sequence.embedding;
  ASSERT_EQ(embedding.rank(), 3U);
  EXPECT_EQ(embedding.dim(0), sequence.tokens.size());
  EXPECT_EQ(embedding.dim(2), embed_dim);
  ASSERT_EQ(sequence.lengths.size(), sequence.tokens.size());
  for (std::size_t sample = 0; sample < sequence.tokens.size(); ++sample) {
    ASSERT_EQ(sequence.tokens[sample].size(), embedding.dim(1));
    for (std::size_t token = 0; token < embedding.dim(1); ++token) {
      EXPECT_EQ(sequence.tokens[sample][token] == pad_token, token >= sequence.lengths[sample]);
    }
  }
}

// What an Example announces before it is made is what making it gives.
TEST(Examples, EveryVariantIsWhatItsDescriptionSays) {
  for (const Example& each : examples()) {
    std::set<std::string_view> names;
    ASSERT_FALSE(each.variants.empty());
    for (std::size_t variant = 0; variant < each.variants.size(); ++variant) {
      SCOPED_TRACE(std::string(each.name) + " " + std::string(each.variants[variant].name));
      names.insert(each.variants[variant].name);
      EXPECT_FALSE(each.variants[variant].label().empty());
      Parameters parameters;
      parameters.variant = variant;
      const auto problem = make_problem(each.id, parameters);
      ASSERT_TRUE(problem) << problem.error().message;
      // A variant with fewer layers has the first of them.
      const std::size_t count = problem->attentions().size();
      const bool fewer = each.variants[variant].name == "one-layer";
      EXPECT_EQ(count, fewer ? 1U : each.attentions.size());
      EXPECT_TRUE(equal(problem->attentions(), each.attentions.first(count)));
      EXPECT_TRUE(equal(std::span<const MaskKind>(problem->masks), each.masks.first(count)));
      const SizeRange& sizes = sizes_of(each, variant);
      EXPECT_EQ(problem->options.num_heads, sizes.num_heads);
      expect_sequence(problem->source, sizes.embed_dim);
      if (problem->arrangement == Arrangement::self || is_encoder(problem->arrangement)) {
        EXPECT_TRUE(problem->target.tokens.empty());
        EXPECT_FALSE(problem->target.embedding.defined());
      } else {
        expect_sequence(problem->target, sizes.embed_dim);
      }
      const Sequence& queries =
          problem->arrangement == Arrangement::cross ? problem->target : problem->source;
      EXPECT_LT(each.query, queries.tokens.front().size());
    }
    EXPECT_EQ(names.size(), each.variants.size());
  }
}

TEST(Examples, TheSameParametersGiveTheSameNumbers) {
  for (const Example& each : examples()) {
    Parameters parameters;
    parameters.variant = each.variants.size() - 1;
    const auto first = make_problem(each.id, parameters);
    const auto second = make_problem(each.id, parameters);
    ASSERT_TRUE(first && second);
    EXPECT_EQ(first->source.embedding.values(), second->source.embedding.values());
    EXPECT_EQ(first->weights["q_proj_weight"].values(), second->weights["q_proj_weight"].values());
  }
}

// A seed is offered where it changes a number, and only there.
TEST(Examples, TheSeedChangesTheNumbersOfRandomVariants) {
  for (const Example& each : examples()) {
    for (std::size_t variant = 0; variant < each.variants.size(); ++variant) {
      Parameters parameters;
      parameters.variant = variant;
      const auto first = make_problem(each.id, parameters);
      parameters.seed = 2;
      const auto second = make_problem(each.id, parameters);
      ASSERT_TRUE(first && second);
      const auto numbers = [](const Problem& problem) {
        std::vector<float> all = problem.source.embedding.values();
        const tensor::Tensor& weight = problem.weights["v_proj_weight"];
        if (weight.defined()) {
          const std::vector<float> more = weight.values();
          all.insert(all.end(), more.begin(), more.end());
        }
        return all;
      };
      EXPECT_EQ(numbers(*first) != numbers(*second), each.variants[variant].random)
          << each.name << " " << each.variants[variant].name;
      EXPECT_EQ(first->note.find("seed 1") != std::string::npos, each.variants[variant].random);
    }
  }
}

TEST(Examples, AVariantThatIsNotThereIsNamedWithThoseThatAre) {
  Parameters parameters;
  parameters.variant = 3;
  EXPECT_EQ(error_of(ExampleId::pool_beats_badminton, parameters),
            "Variant 3 of pool-beats-badminton does not exist; there are 3, counted from 0: plain, "
            "scaled, projected.");
}

TEST(Sizes, EveryHeadCountThatDividesIsPossible) {
  for (const Example& each : examples()) {
    for (std::size_t heads = 1; heads <= 40; ++heads) {
      const auto problem = make_problem(each.id, sized(0, heads));
      const bool divides =
          heads <= each.sizes.largest_num_heads && each.sizes.embed_dim % heads == 0;
      const bool allowed = !each.has_sizes || divides;
      EXPECT_EQ(problem.has_value(), allowed) << each.name << " " << heads;
      if (problem) {
        EXPECT_EQ(problem->options.num_heads, each.has_sizes ? heads : each.sizes.num_heads);
      }
    }
  }
}

TEST(Sizes, WhatIsNotPossibleIsNamedWithWhatIs) {
  EXPECT_EQ(error_of(ExampleId::pool_beats_badminton, sized(0, 3)),
            "num_heads 3 is not possible with embed_dim 4 in pool-beats-badminton: choose one of "
            "1, 2, 4.");
  EXPECT_EQ(error_of(ExampleId::pool_beats_badminton, sized(8, 2)),
            "embed_dim 8 is not possible in pool-beats-badminton: it is always 4. The embeddings "
            "of this example have 4 dimensions.");
  EXPECT_EQ(error_of(ExampleId::anthony_hopkins, sized(62, 2)),
            "embed_dim 62 is not possible in anthony-hopkins: choose an even number from 64 to "
            "512.");
  EXPECT_EQ(error_of(ExampleId::your_sentence, sized(7, 1)),
            "embed_dim 7 is not possible in your-sentence: choose an even number from 2 to 512.");
  EXPECT_EQ(error_of(ExampleId::your_sentence, sized(514, 2)),
            "embed_dim 514 is not possible in your-sentence: choose an even number from 2 to 512.");
  EXPECT_EQ(
      error_of(ExampleId::your_sentence, sized(8, 16)),
      "num_heads 16 is not possible with embed_dim 8 in your-sentence: choose one of 1, 2, 4, "
      "8.");
  const std::size_t huge = ~std::size_t{0};
  EXPECT_FALSE(make_problem(ExampleId::your_sentence, sized(huge, 0)));
  EXPECT_FALSE(make_problem(ExampleId::your_sentence, sized(huge - 1, 0)));
  EXPECT_FALSE(make_problem(ExampleId::your_sentence, sized(8, huge)));
}

TEST(Sizes, AWidthAloneTakesAHeadCountThatDividesIt) {
  for (std::size_t embed_dim = 2; embed_dim <= 64; embed_dim += 2) {
    const auto sizes =
        choose_sizes(sized(embed_dim, 0), example(ExampleId::your_sentence).sizes, "x");
    ASSERT_TRUE(sizes);
    EXPECT_EQ(sizes->embed_dim, embed_dim);
    EXPECT_EQ(sizes->num_heads, 2U);
  }
  // An example whose own head count does not divide every width.
  const SizeRange range{.embed_dim = 12,
                        .smallest_embed_dim = 2,
                        .largest_embed_dim = 64,
                        .num_heads = 6,
                        .largest_num_heads = 12};
  const auto sizes = choose_sizes(sized(8, 0), range, "x");
  ASSERT_TRUE(sizes);
  EXPECT_EQ(sizes->num_heads, 4U);
}

// Every length that is offered can be had, with the first tokens and their own numbers; one more
// cannot.
TEST(Lengths, AreThoseOfTheFirstTokens) {
  for (const Example& each : examples()) {
    for (std::size_t variant = 0; variant < each.variants.size(); ++variant) {
      SCOPED_TRACE(std::string(each.name) + " " + std::string(each.variants[variant].name));
      Parameters parameters;
      parameters.variant = variant;
      const auto whole = make_problem(each.id, parameters);
      ASSERT_TRUE(whole);
      const auto expect = [&](const LengthRange& range, std::size_t Parameters::*field,
                              Sequence Problem::*sequence) {
        if (!range.can_change()) {
          EXPECT_EQ(range.reason().empty(), (*whole.*sequence).tokens.empty());
          return;
        }
        EXPECT_TRUE(range.reason().empty());
        EXPECT_EQ(range.length, (*whole.*sequence).tokens.front().size());
        for (std::size_t length = range.smallest; length <= range.largest; ++length) {
          Parameters other = parameters;
          other.*field = length;
          const auto problem = make_problem(each.id, other);
          ASSERT_TRUE(problem) << problem.error().message;
          const std::vector<std::string>& all = (*whole.*sequence).tokens.front();
          const std::vector<std::string>& some = (*problem.*sequence).tokens.front();
          ASSERT_EQ(some.size(), length);
          const std::size_t common = std::min(length, all.size());
          EXPECT_TRUE(equal(std::span(some).first(common), std::span(all).first(common)));
          const std::vector<float> numbers = (*problem.*sequence).embedding.values();
          const std::vector<float> of_all = (*whole.*sequence).embedding.values();
          const std::size_t count = common * (*whole.*sequence).embedding.dim(2);
          EXPECT_TRUE(equal(std::span(numbers).first(count), std::span(of_all).first(count)));
        }
        Parameters too_long = parameters;
        too_long.*field = range.largest + 1;
        EXPECT_FALSE(make_problem(each.id, too_long));
      };
      expect(each.variants[variant].source_len, &Parameters::source_len, &Problem::source);
      expect(each.variants[variant].target_len, &Parameters::target_len, &Problem::target);
    }
  }
}

TEST(Lengths, WhatIsNotPossibleIsNamedWithWhatIs) {
  Parameters parameters;
  parameters.source_len = 10;
  EXPECT_EQ(error_of(ExampleId::anthony_hopkins, parameters),
            "source_len 10 is not possible in anthony-hopkins: choose a number from 1 to 9.");
  parameters.source_len = 0;
  parameters.target_len = 3;
  EXPECT_EQ(error_of(ExampleId::you_are_welcome, parameters),
            "target_len 3 is not possible in you-are-welcome: choose a number from 1 to 2.");
}

TEST(Lengths, ThatCannotBeChosenAreLeftAsTheyAre) {
  Parameters parameters;
  parameters.variant = 1;  // with printed weights
  parameters.source_len = 5;
  const auto problem = make_problem(ExampleId::anthony_hopkins, parameters);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->source.tokens.front().size(), 9U);
}

// What cannot be changed says why; what can does not.
TEST(Sizes, AReasonIsGivenWhereASizeIsFixed) {
  for (const Example& each : examples()) {
    SCOPED_TRACE(each.name);
    const SizeRange& sizes = each.sizes;
    EXPECT_EQ(sizes.embed_dim_reason().empty(), sizes.can_change_embed_dim());
    EXPECT_EQ(sizes.num_heads_reason().empty(), sizes.can_change_num_heads());
    EXPECT_EQ(each.has_sizes, sizes.can_change_num_heads());
    std::vector<std::string_view> reasons = {sizes.embed_dim_reason(), sizes.num_heads_reason()};
    for (const Variant& variant : each.variants) {
      reasons.push_back(variant.source_len.reason());
      reasons.push_back(variant.target_len.reason());
    }
    for (const std::string_view reason : reasons) {
      EXPECT_TRUE(reason.empty() || reason.back() == '.') << reason;
    }
  }
}

TEST(Shortest, LeavesOutLengthsThatChangeNothing) {
  Parameters parameters;
  parameters.source_len = 9;
  EXPECT_EQ(shortest(ExampleId::anthony_hopkins, parameters), Parameters{});
  parameters.source_len = 4;
  EXPECT_EQ(shortest(ExampleId::anthony_hopkins, parameters), parameters);
  EXPECT_EQ(shortest(ExampleId::your_sentence, parameters), Parameters{});
  parameters.target_len = 4;  // only the variant with German words has a target
  EXPECT_EQ(shortest(ExampleId::anthony_hopkins, parameters).target_len, 0U);
  parameters.variant = 2;
  EXPECT_EQ(shortest(ExampleId::anthony_hopkins, parameters), parameters);
  parameters.target_len = 12;
  EXPECT_EQ(shortest(ExampleId::anthony_hopkins, parameters).target_len, 0U);
}

TEST(Shortest, LeavesOutAPictureWhereNoneIsTaken) {
  Parameters parameters;
  parameters.picture = {1, 2, 3};
  EXPECT_EQ(shortest(ExampleId::your_sentence, parameters), Parameters{});
}

TEST(Shortest, LeavesOutWhatTheExampleHasAnyway) {
  Parameters parameters = sized(8, 2);
  parameters.sentence = default_sentence();
  EXPECT_EQ(shortest(ExampleId::your_sentence, parameters), Parameters{});
  parameters = sized(4, 1);
  EXPECT_EQ(shortest(ExampleId::pool_beats_badminton, parameters), Parameters{});
}

TEST(Shortest, LeavesOutWhatTheExampleDoesNotTake) {
  Parameters parameters;
  parameters.sentence = "hello";
  EXPECT_EQ(shortest(ExampleId::you_are_welcome, parameters), Parameters{});
}

TEST(Shortest, KeepsWhatWasChosen) {
  Parameters parameters = sized(16, 4);
  parameters.sentence = "hello world";
  parameters.seed = 9;
  EXPECT_EQ(shortest(ExampleId::your_sentence, parameters), parameters);
  parameters = sized(0, 2);
  parameters.variant = 2;
  EXPECT_EQ(shortest(ExampleId::pool_beats_badminton, parameters), parameters);
  // Heads are the default of the width that was chosen.
  EXPECT_EQ(shortest(ExampleId::your_sentence, sized(16, 2)), sized(16, 0));
}

TEST(Shortest, MakesTheSameProblem) {
  for (std::size_t embed_dim = 2; embed_dim <= 32; embed_dim += 2) {
    for (std::size_t heads = 1; heads <= 16; ++heads) {
      const Parameters long_form = sized(embed_dim, heads);
      const auto problem = make_problem(ExampleId::your_sentence, long_form);
      const auto same =
          make_problem(ExampleId::your_sentence, shortest(ExampleId::your_sentence, long_form));
      ASSERT_EQ(problem.has_value(), same.has_value());
      if (!problem) continue;
      EXPECT_EQ(problem->options.num_heads, same->options.num_heads);
      EXPECT_EQ(problem->source.embedding.values(), same->source.embedding.values());
    }
  }
}

TEST(SentenceOf, IsTypedOrTheExamplesOwnOrNone) {
  Parameters parameters;
  EXPECT_EQ(sentence_of(ExampleId::your_sentence, parameters), default_sentence());
  parameters.sentence = "hello";
  EXPECT_EQ(sentence_of(ExampleId::your_sentence, parameters), "hello");
  EXPECT_EQ(sentence_of(ExampleId::anthony_hopkins, parameters), "");
}

}  // namespace
}  // namespace lesson
