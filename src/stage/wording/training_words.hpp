// How far a training is, in words.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "document/session.hpp"

namespace stage {

struct TrainingWords {
  std::string step;  ///< "step 120"
  /// "held-out accuracy 0.873", "training accuracy 0.891"; with the step they belong to, where that
  /// is an earlier one.
  std::vector<std::string> accuracies;
  /// The same in short, without a step: "accuracy", "held-out 0.873", "training 0.891".
  std::array<std::string, 3> accuracy;
  std::string accuracy_line;  ///< both in one line, with their step
  std::string held_out_loss;  ///< "held-out loss 0.412"
  std::string training_loss;  ///< "training loss 0.398"; without a number at the beginning
  std::string trouble;        ///< why it cannot go on, or does not get better; may be empty
  std::string task;           ///< what is to be learned, in one line
  std::string settings;       ///< how it is learned: "Adam, learning rate 0.003"
  std::string right;          ///< "7 of 8 right"
  /// The key that a head attends to most, with its number where its word stands there several times
  /// ("bird 13"), and how much.
  struct Look {
    std::string token;
    float weight = 0.0F;
  };
  /// One token of the sequence on screen.
  struct Asked {
    std::string token;
    std::string given;
    std::string right;        ///< empty where nothing is asked
    std::vector<Look> looks;  ///< of each head, where something is asked
    bool wrong() const { return !right.empty() && given != right; }
  };
  std::vector<Asked> sequence;
  std::string answers;  ///< all as a sentence, with the right answer beside each wrong one
};

/// The session's example must have a task.
TrainingWords training_words(const document::Session& session);

}  // namespace stage
