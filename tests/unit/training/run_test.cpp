#include "training/run.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "training/small_transformer.hpp"

namespace training {
namespace {

Settings settings_of(TaskId id) { return task(id).settings; }

TEST(Run, SameSeedSameBits) {
  for (const Task& each : tasks()) {
    auto first = Run::start(each, each.settings);
    auto second = Run::start(each, each.settings);
    ASSERT_TRUE(first.has_value() && second.has_value());
    for (int step = 0; step < 3; ++step) {
      const auto a = first->step();
      const auto b = second->step();
      ASSERT_TRUE(a.has_value() && b.has_value());
      EXPECT_EQ(*a, *b) << each.name;
    }
    EXPECT_EQ(first->steps(), 3U);
    expect_same_bits(first->learner(), second->learner());
  }
}

TEST(Run, AnotherSeedHasOtherWeightsAndBatches) {
  Settings settings = settings_of(TaskId::reverse);
  auto first = Run::start(task(TaskId::reverse), settings);
  settings.seed = 2;
  auto second = Run::start(task(TaskId::reverse), settings);
  EXPECT_NE(*first->step(), *second->step());
}

// More sequences than one attention may have: in parts, with the same loss before the first step.
TEST(Run, LargeBatches) {
  Settings settings = settings_of(TaskId::reverse);
  settings.batch_size = 100;
  auto run = Run::start(task(TaskId::reverse), settings);
  ASSERT_TRUE(run.has_value());
  const Batch batch = make_batch(task(TaskId::reverse), settings.seed, 0, 100);
  const auto score = score_of(run->learner().in_use(), run->learner().weights(), batch);
  const auto loss = run->step();
  ASSERT_TRUE(loss.has_value() && score.has_value());
  EXPECT_NEAR(*loss, score->loss, 1e-5);
}

// The page learns in pieces between frames, the command whole batches: the same bits, even if
// another step was begun in pieces before.
TEST(Run, PiecesOfAStepAreTheStep) {
  for (const Task& each : tasks()) {
    for (const std::size_t batch_size : {std::size_t{1}, std::size_t{17}, std::size_t{100}}) {
      Settings settings = each.settings;
      settings.batch_size = batch_size;
      auto whole = Run::start(each, settings);
      auto pieces = Run::start(each, settings);
      ASSERT_TRUE(whole.has_value() && pieces.has_value());
      for (std::size_t step = 0; step < 2; ++step) {
        const auto loss = whole->step();
        ASSERT_TRUE(loss.has_value());
        std::optional<double> in_pieces;
        std::size_t count = 0;
        while (!in_pieces) {
          EXPECT_EQ(pieces->steps(), step) << each.name;
          const auto piece = pieces->piece_of_step();
          ASSERT_TRUE(piece.has_value());
          in_pieces = *piece;
          ++count;
        }
        EXPECT_EQ(count, (batch_size * each.length + 255) / 256) << each.name << batch_size;
        EXPECT_EQ(*in_pieces, *loss) << each.name << batch_size;
      }
      expect_same_bits(whole->learner(), pieces->learner());
      if (batch_size * each.length <= 256) continue;  // one piece is the step
      static_cast<void>(pieces->piece_of_step());
      ASSERT_TRUE(whole->step().has_value() && pieces->step().has_value());
      expect_same_bits(whole->learner(), pieces->learner());
    }
  }
}

TEST(Run, ReverseIsLearned) {
  const Task& reverse = task(TaskId::reverse);
  auto run = Run::start(reverse, reverse.settings);
  ASSERT_TRUE(run.has_value());
  const Batch held = held_out(reverse, 256);
  const auto before = score_of(run->learner().in_use(), run->learner().weights(), held);
  ASSERT_TRUE(before.has_value());
  EXPECT_LT(before->accuracy, 0.5);
  for (int step = 0; step < 300; ++step) ASSERT_TRUE(run->step().has_value());
  const auto after = score_of(run->learner().in_use(), run->learner().weights(), held);
  ASSERT_TRUE(after.has_value());
  EXPECT_GE(after->accuracy, 0.95);
  EXPECT_LT(after->loss, before->loss);
}

double accuracy_after(const Settings& settings, int steps) {
  const Task& reverse = task(TaskId::reverse);
  auto run = Run::start(reverse, settings);
  for (int step = 0; step < steps; ++step) EXPECT_TRUE(run->step().has_value());
  const Batch held = held_out(reverse, held_out_sequences);
  const auto score = score_of(run->learner().in_use(), run->learner().weights(), held);
  return score.has_value() ? score->accuracy : -1.0;
}

// As theory has it: with a wide head and large steps, undivided scores saturate their rows before
// anything is learned. With two narrow heads and small steps none of that happens.
TEST(Run, AWideHeadNeedsTheDivisionBySqrtD) {
  Settings settings = settings_of(TaskId::reverse);
  settings.num_heads = 1;
  settings.learning_rate = 0.03F;
  EXPECT_GE(accuracy_after(settings, 100), 0.95);
  settings.scaled = false;
  EXPECT_LE(accuracy_after(settings, 100), 0.3);
  Settings narrow = settings_of(TaskId::reverse);
  narrow.scaled = false;
  EXPECT_GE(accuracy_after(narrow, 100), 0.95);
}

TEST(Run, TheModelIsWhatTheSettingsSay) {
  Settings settings = settings_of(TaskId::reverse);
  settings.causal = true;
  settings.positions = false;
  settings.scaled = false;
  settings.num_layers = 2;
  const model::Transformer made = transformer_of(task(TaskId::reverse), settings);
  EXPECT_TRUE(made.causal);
  EXPECT_FALSE(made.positions);
  EXPECT_EQ(made.scale.kind, model::Scale::Kind::none);
  EXPECT_EQ(made.encoder_layers, 2U);
  EXPECT_EQ(made.decoder_layers, 0U);
  EXPECT_EQ(made.vocabulary, task(TaskId::reverse).vocabulary.size());
  EXPECT_TRUE(Run::start(task(TaskId::reverse), settings)->step().has_value());
}

TEST(Run, RefusesSettingsThatCannotBe) {
  for (const float rate : {0.0F, -1.0F, 1e9F, std::numeric_limits<float>::quiet_NaN()}) {
    Settings settings = settings_of(TaskId::agree);
    settings.learning_rate = rate;
    EXPECT_FALSE(Run::start(task(TaskId::agree), settings).has_value()) << rate;
  }
}

// The accuracy counts what the loss counts.
TEST(Run, PlacesThatDoNotCountAreInNoScore) {
  const Task& agree = task(TaskId::agree);
  const auto run = Run::start(agree, agree.settings);
  Batch batch = held_out(agree, 4);
  const auto all = score_of(run->learner().in_use(), run->learner().weights(), batch);
  batch.targets = tensor::Tensor::full(batch.targets.shape(), -1.0F);
  const auto none = score_of(run->learner().in_use(), run->learner().weights(), batch);
  ASSERT_TRUE(all.has_value() && none.has_value());
  EXPECT_GT(all->loss, 0.0);
  EXPECT_EQ(none->loss, 0.0);
  EXPECT_EQ(none->accuracy, 0.0);
}

TEST(Run, SaysWhereNumbersWereLostFirst) {
  Settings settings = settings_of(TaskId::reverse);
  settings.method = Method::sgd;
  settings.learning_rate = 10.0F;
  auto run = Run::start(task(TaskId::reverse), settings);
  EXPECT_EQ(first_lost(*run), "");
  double loss = 0.0;
  training::Run before = *run;
  for (int step = 0; step < 60 && std::isfinite(loss); ++step) {
    before = *run;
    loss = *run->step();
  }
  ASSERT_FALSE(std::isfinite(loss));
  const std::string first = first_lost(before);
  EXPECT_NE(first, "");
  EXPECT_EQ(first.find("mask"), std::string::npos) << first;
  // What follows from weights that are lost is lost with them.
  while (first_lost_weight(run->learner()).empty()) ASSERT_TRUE(run->step());
  EXPECT_EQ(first_lost(*run), first_lost_weight(run->learner()));
}

}  // namespace
}  // namespace training
