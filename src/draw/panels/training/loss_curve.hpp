// The losses of a training over its steps, on a logarithmic scale.
#pragma once

#include <cstddef>
#include <vector>

#include "draw/panels/panels.hpp"
#include "stage/wording/training_words.hpp"

namespace draw {

/// The powers of ten with a line and a label on a curve so high, whose top is the loss `largest`:
/// so far apart that labels do not touch.
std::vector<int> labelled_powers(float height, double largest);

/// The labels of its losses stand so far to the left of a curve.
inline constexpr float loss_axis_width = 32.0F;

class LossCurve {
 public:
  /// `last_step`: the number of steps at the right end.
  LossCurve(const Screen& screen, const stage::TrainingWords& words, std::size_t last_step,
            const stage::Rect& place);

  void draw();
  /// The losses in words, over all lines: the one of the slider may stand where they do.
  void in_words();
  float x_of(double step) const;

 private:
  float y_of(double loss) const;
  void powers_of_ten();
  /// The mean of the losses that share a column of pixels.
  void training_line();
  void held_out_line();
  /// Whether more of the curve lies at the top of the right side than at its bottom.
  bool stays_high(float words_width, float words_height) const;
  /// Words that end at `right`; returns how wide they are.
  float words_at(float right, float y, const std::string& words, Rgb colour);

  const Screen& screen_;
  const stage::TrainingWords& words_;
  const document::TrainingRun& run_;
  std::size_t last_step_;
  stage::Rect place_;
  ImDrawList* list_;
  double largest_ = 2.0;  ///< the loss at the top
};

}  // namespace draw
