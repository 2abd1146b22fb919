// Training the network of an example that has a task: a slice in each frame.
#include "app/app.hpp"
#include "stage/wording/training_words.hpp"

namespace app {

namespace {

/// No frame waits longer for training.
constexpr double slice_seconds = 0.008;

}  // namespace

void App::train() {
  if (!session_.trains()) return;
  session_.train(slice_seconds);
  // Frames come only while the figure is seen, and so does training.
  request_frame();
  if (!session_.trains()) say_how_it_went();
}

void App::say_how_it_went() {
  const std::string trouble = stage::training_words(session_).trouble;
  if (!trouble.empty()) view_.message = trouble;
}

base::Result<void> App::set_training(bool on) {
  if (on == session_.plays_training()) return told({});
  if (on) return told(session_.play_training());
  session_.pause_training();
  auto done = told({});
  say_how_it_went();
  return done;
}

void App::train_as_asked(const draw::Requests& requests) {
  if (!session_.has_task()) return;
  document::Training training = session_.document().configuration.training;
  if (requests.train) (void)set_training(!session_.plays_training());
  if (requests.train_step) {
    ++training.steps;
    (void)perform(document::SetTraining{training});
  } else if (requests.restart_training) {
    (void)told(session_.restart_training());
  } else if (requests.next_sequence) {
    training.sequence = (training.sequence + 1) % training::held_out_sequences;
    (void)perform(document::SetTraining{training});
  } else if (requests.trained_steps) {
    training.steps = requests.trained_steps->steps;
    (void)told(session_.perform(document::SetTraining{training}, requests.trained_steps->goes_on));
  }
}

}  // namespace app
