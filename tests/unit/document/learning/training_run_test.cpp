#include "document/learning/training_run.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "document/link/link.hpp"
#include "document/session.hpp"
#include "document/state/state.hpp"

namespace document {
namespace {

constexpr double no_time = 0.0;  // one piece of work at a time
constexpr double any_time = 1e9;

Session network_of(lesson::ExampleId example) {
  Session session;
  EXPECT_TRUE(session.perform(ChooseExample{example}));
  return session;
}

Session reversing() { return network_of(lesson::ExampleId::reverse); }

void train_to(Session& session, std::size_t steps) {
  Training training = session.document().configuration.training;
  training.steps = steps;
  ASSERT_TRUE(session.perform(SetTraining{training}));
  while (session.trains()) session.train(any_time);
}

std::vector<float> weights_in(const Session& session) {
  return session.attention().trace["attention_weights"].values();
}

TEST(TrainingRun, SlicesGiveTheSameNumbersAsStepsInOneGo) {
  const training::Task& task = training::task(training::TaskId::reverse);
  auto sliced = TrainingRun::start(task, task.settings);
  auto whole = training::Run::start(task, task.settings);
  ASSERT_TRUE(sliced && whole);
  std::vector<float> losses;
  for (int step = 0; step < 25; ++step) losses.push_back(static_cast<float>(*whole->step()));
  int slices = 0;
  while (!sliced->work(25, no_time)) ++slices;
  EXPECT_GT(slices, 25);
  EXPECT_EQ(sliced->losses(), losses);
  const auto score = training::score_of(whole->learner().in_use(), whole->learner().weights(),
                                        training::held_out(task, training::held_out_sequences));
  EXPECT_EQ(sliced->reached(), 25U);
  EXPECT_EQ(sliced->measured().back().steps, 20U);
  ASSERT_TRUE(score);
  const training::Batch last = training::make_batch(task, task.settings.seed, 19, 32);
  const auto learned =
      training::score_of(sliced->at(20)->in_use(), sliced->at(20)->weights(), last);
  ASSERT_TRUE(learned);
  EXPECT_EQ(sliced->measured().back().learned.accuracy, learned->accuracy);
  EXPECT_EQ(sliced->measured().back().learned.loss, learned->loss);
  const model::Weights expected = whole->learner().weights();
  for (const auto& [name, weight] : sliced->at(25)->weights())
    EXPECT_EQ(weight.values(), expected.at(name).values()) << name;
}

TEST(TrainingRun, KeepsSomeDozensOfMoments) {
  const training::Task& task = training::task(training::TaskId::reverse);
  training::Settings settings = task.settings;
  settings.batch_size = 1;
  auto run = TrainingRun::start(task, settings);
  ASSERT_TRUE(run);
  run->work(200, any_time);
  const std::vector<std::size_t> kept = run->kept_steps();
  EXPECT_LE(kept.size(), most_kept + 1);
  EXPECT_GE(kept.size(), most_kept / 2);
  EXPECT_EQ(kept.front(), 0U);
  EXPECT_EQ(kept.back(), 200U);
  EXPECT_EQ(run->nearest_kept(199), 200U);
  // Moments between them are learned again.
  EXPECT_EQ(run->at(131), nullptr);
  run->work(131, any_time);
  ASSERT_NE(run->at(131), nullptr);
  auto again = TrainingRun::start(task, settings);
  again->work(131, any_time);
  EXPECT_EQ(run->at(131)->weights().at("embedding.weight").values(),
            again->at(131)->weights().at("embedding.weight").values());
}

TEST(TrainingRun, SaysWhatWasLostFirstAndKeepsTheLastGoodWeights) {
  Session session = reversing();
  Training training;
  training.method = training::Method::sgd;
  training.learning_rate = 10.0F;
  ASSERT_TRUE(session.perform(SetTraining{training}));
  ASSERT_TRUE(session.play_training());
  for (int slice = 0; slice < 10'000 && session.trains(); ++slice) session.train(0.05);
  for (const float weight : weights_in(session)) EXPECT_TRUE(std::isfinite(weight));
  if (session.training_run()->failure().empty()) return;  // it only did not learn
  EXPECT_NE(session.training_run()->failure().find("Training stopped: with step "),
            std::string::npos);
  EXPECT_FALSE(session.plays_training());
  EXPECT_EQ(session.document().configuration.training.steps, session.training_run()->reached());
}

training::Score score_after(const TrainingRun& run, std::size_t steps) {
  const auto score =
      training::score_of(run.at(steps)->in_use(), run.at(steps)->weights(),
                         training::held_out(run.task(), training::held_out_sequences));
  EXPECT_TRUE(score);
  return score.value_or(training::Score());
}

// What is said of a step is measured there, also between two points of the curve and where training
// had to stop.
TEST(TrainingRun, MeasuresWhereItRests) {
  const training::Task& task = training::task(training::TaskId::reverse);
  auto run = TrainingRun::start(task, task.settings);
  ASSERT_TRUE(run);
  for (const std::size_t steps :
       {std::size_t{7}, std::size_t{8}, std::size_t{20}, std::size_t{25}}) {
    run->work(steps, any_time);
    ASSERT_EQ(run->reached(), steps);
    ASSERT_NE(run->measured_at(steps), nullptr);
    EXPECT_EQ(run->measured_at(steps)->steps, steps);
    EXPECT_NEAR(run->measured_at(steps)->held_out.accuracy, score_after(*run, steps).accuracy,
                1e-12);
    EXPECT_NEAR(run->measured_at(steps)->held_out.loss, score_after(*run, steps).loss, 1e-6);
  }
  EXPECT_EQ(run->measured_at(19)->steps, 0U);
  EXPECT_EQ(run->measured().size(), 2U);  // the curve's points do not depend on where one rests
  training::Settings wild = task.settings;
  wild.method = training::Method::sgd;
  wild.learning_rate = 10.0F;
  auto lost = TrainingRun::start(task, wild);
  ASSERT_TRUE(lost);
  lost->work(200, any_time);
  ASSERT_FALSE(lost->failure().empty());
  const std::size_t kept = lost->reached();
  ASSERT_NE(lost->measured_at(kept), nullptr);
  EXPECT_EQ(lost->measured_at(kept)->steps, kept);
  EXPECT_NEAR(lost->measured_at(kept)->held_out.accuracy, score_after(*lost, kept).accuracy, 1e-12);
}

TEST(Session, ShowsTheNetworkAsItWasTrainedForItsExample) {
  for (const auto example :
       {lesson::ExampleId::reverse, lesson::ExampleId::agree, lesson::ExampleId::look_back}) {
    Session session = network_of(example);
    const std::vector<float> untrained = weights_in(session);
    train_to(session, 3);
    EXPECT_NE(weights_in(session), untrained);
    // The attentions are those of the whole network that reads the sequence.
    const TrainingRun& run = *session.training_run();
    const auto model = model::transformer_model(
        run.at(3)->in_use(), run.at(3)->weights(),
        {run.held_out().tokens.narrow(0, 0, 1), {}, run.held_out().targets.narrow(0, 0, 1)});
    ASSERT_TRUE(model);
    const std::vector<model::Trace> parts = model::compute(*model);
    EXPECT_EQ(parts[1]["attention_weights"].values(), weights_in(session));
    if (example == lesson::ExampleId::look_back) {
      ASSERT_EQ(session.computed().attentions.size(), 2U);
      EXPECT_EQ(parts[3]["attention_weights"].values(),
                session.computed().attentions[1].trace["attention_weights"].values());
    }
    // Its answers are the largest logits.
    const std::vector<float> logits = parts.back()["logits"].values();
    const auto& vocabulary = run.task().vocabulary;
    for (std::size_t i = 0; i < session.computed().answers.size(); ++i) {
      const auto first = logits.begin() + static_cast<std::ptrdiff_t>(i * vocabulary.size());
      const auto best =
          std::max_element(first, first + static_cast<std::ptrdiff_t>(vocabulary.size()));
      EXPECT_EQ(session.computed().answers[i].given,
                vocabulary[static_cast<std::size_t>(best - first)]);
    }
  }
}

TEST(Session, ALinkTrainsAgainToTheSameNumbers) {
  Session session = reversing();
  ASSERT_TRUE(session.perform(SetSeed{7}));
  ASSERT_TRUE(session.perform(SetPositionEncoding{false}));
  train_to(session, 12);
  const auto link = to_link(session.document(), session.computed());
  ASSERT_TRUE(link);
  EXPECT_NE(link->find("trained_steps=12"), std::string::npos) << *link;
  Session other;
  EXPECT_TRUE(open_link(other, *link).empty());
  EXPECT_EQ(other.document(), session.document());
  EXPECT_TRUE(other.trains());
  EXPECT_EQ(other.shown_steps(), 0U);
  while (other.trains()) other.train(no_time);
  EXPECT_EQ(other.shown_steps(), 12U);
  EXPECT_EQ(weights_in(other), weights_in(session));
  const auto computed = compute(session.document().configuration);
  ASSERT_TRUE(computed);
  EXPECT_EQ(computed->attentions[0].trace["attention_weights"].values(), weights_in(session));
}

TEST(Session, PlaysTrainingToItsEndAndCanBePaused) {
  Session session = reversing();
  ASSERT_TRUE(session.play_training());
  while (session.training_run()->reached() < 5) session.train(no_time);
  session.pause_training();
  // What is due to be measured is still measured.
  while (session.trains()) session.train(no_time);
  const std::size_t reached = session.training_run()->reached();
  EXPECT_LT(reached, 20U);
  EXPECT_EQ(session.document().configuration.training.steps, reached);
  ASSERT_TRUE(session.play_training());
  while (session.trains()) session.train(any_time);
  EXPECT_FALSE(session.plays_training());
  EXPECT_EQ(session.training_run()->reached(), 400U);
  EXPECT_GE(session.training_run()->measured().back().held_out.accuracy, 0.95);
  // One step back in time, and to the beginning.
  Training training = session.document().configuration.training;
  training.steps = session.training_run()->nearest_kept(100);
  const std::vector<float> at_the_end = weights_in(session);
  ASSERT_TRUE(session.perform(SetTraining{training}));
  EXPECT_EQ(session.shown_steps(), training.steps);
  EXPECT_NE(weights_in(session), at_the_end);
  session.undo();
  EXPECT_EQ(weights_in(session), at_the_end);
  ASSERT_TRUE(session.restart_training());
  EXPECT_EQ(session.training_run()->reached(), 0U);
  EXPECT_EQ(session.shown_steps(), 0U);
}

TEST(Session, AnotherWayOfTrainingBeginsAnew) {
  Session session = reversing();
  train_to(session, 5);
  ASSERT_TRUE(session.perform(SetScale{{model::Scale::Kind::none, 1.0F}}));
  EXPECT_EQ(session.document().configuration.training.steps, 0U);
  EXPECT_FALSE(session.training_run()->settings().scaled);
  ASSERT_TRUE(session.perform(SetSizes{0, 1}));
  EXPECT_EQ(session.training_run()->settings().num_heads, 1U);
  // Another example while it trains.
  ASSERT_TRUE(session.play_training());
  ASSERT_TRUE(session.perform(ChooseExample{lesson::ExampleId::counting}));
  EXPECT_FALSE(session.trains());
  EXPECT_FALSE(session.plays_training());
  EXPECT_FALSE(session.play_training());
}

TEST(Session, RefusesWhatCannotBeTrained) {
  Session session = reversing();
  const Document before = session.document();
  for (const float rate : {0.0F, -1.0F, 1e9F, std::numeric_limits<float>::quiet_NaN()}) {
    Training training;
    training.learning_rate = rate;
    const auto done = session.perform(SetTraining{training});
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().message, training::no_learning_rate());
    EXPECT_EQ(session.document(), before);
  }
  Training far;
  far.sequence = training::held_out_sequences;
  EXPECT_FALSE(session.perform(SetTraining{far}));
  EXPECT_FALSE(with_json(before, R"({"training_rate": "NaN"})"));
  EXPECT_FALSE(with_json(before, R"({"method": "newton"})"));
}

TEST(Session, RefusesToSetATrainingWhereThereIsNone) {
  const Session session = network_of(lesson::ExampleId::counting);
  const Document& counting = session.document();
  for (const char* field : {R"("method": "sgd")", R"("training_rate": 0.5)", R"("batch_size": 7)",
                            R"("sequence": 3)", R"("trained_steps": 5)"}) {
    const auto read = with_json(counting, "{" + std::string(field) + "}");
    ASSERT_FALSE(read) << field;
    EXPECT_EQ(
        read.error().message,
        "method, training_rate, batch_size, sequence and trained_steps belong to the examples "
        "with a task (reverse, agree, look-back); nothing is trained in counting.");
    const auto going =
        with_json(reversing().document(), R"({"example": "counting", )" + std::string(field) + "}");
    EXPECT_FALSE(going) << field;
  }
  EXPECT_TRUE(with_json(counting, state_json(counting, session.computed()).dump()))
      << "its own state";
}

}  // namespace
}  // namespace document
