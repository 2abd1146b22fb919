#include "stage/figures/patch_grid.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/scene/number_text.hpp"

namespace stage {

namespace {

constexpr float patch_for_number = 40.0F;
constexpr float patch_for_small_number = 28.0F;

}  // namespace

PatchGrid::PatchGrid(const lesson::Picture& picture, const Rect& frame)
    : picture_(&picture),
      frame_(frame),
      size_(frame.width / static_cast<float>(picture.patches_per_row())) {}

Rect PatchGrid::patch(std::size_t token) const {
  const std::size_t across = picture_->patches_per_row();
  const std::size_t row = token / across;
  return {frame_.x + size_ * static_cast<float>(token % across),
          frame_.y + size_ * static_cast<float>(row), size_, size_};
}

void PatchGrid::put_pixels(Figure& figure) const {
  const float pixel = frame_.width / static_cast<float>(picture_->width);
  for (std::size_t y = 0; y < picture_->height; ++y) {
    for (std::size_t x = 0; x < picture_->width; ++x) {
      const std::uint8_t* rgb = &picture_->rgb[(y * picture_->width + x) * 3];
      const Rect place{frame_.x + pixel * static_cast<float>(x),
                       frame_.y + pixel * static_cast<float>(y), pixel, pixel};
      figure.patches.push_back({place, rgb[0], rgb[1], rgb[2], 1.0F});
    }
  }
}

void PatchGrid::put_weights(Figure& figure, const QueryRow& row, model::TensorId tensor) const {
  const std::vector<float> weights = row.values(tensor);
  const float largest = std::max(1e-9F, *std::max_element(weights.begin(), weights.end()));
  for (std::size_t key = 0; key < weights.size(); ++key) {
    const float opacity = 0.85F * (1.0F - std::clamp(weights[key] / largest, 0.0F, 1.0F));
    const document::CellRef cell = row.cell(tensor, key);
    figure.bars.push_back({patch(key), Tone::paper, {}, opacity, weights[key], cell});
    if (size_ < patch_for_small_number) continue;
    Words& number =
        add_number(figure, patch(key).centre(), Side::centre, number_text(weights[key], 2),
                   Tone::text, size_ < patch_for_number ? 10.0F : 11.0F);
    number.cell = cell;
    number.plate = true;
  }
}

void PatchGrid::put_targets(Figure& figure, const QueryRow& row) const {
  for (std::size_t key = 0; key < row.keys(); ++key) {
    figure.targets.push_back({patch(key),
                              base::text("stage.picture.choose", {{"patch", row.key_token(key)}}),
                              document::ChooseQuery{key},
                              {}});
  }
}

void PatchGrid::put_frames(Figure& figure, std::size_t query,
                           std::optional<std::size_t> key) const {
  for (std::size_t i = 0; i <= picture_->patches_per_row(); ++i) {
    const float at = size_ * static_cast<float>(i);
    add_line(figure, {frame_.x + at, frame_.y}, {frame_.x + at, frame_.bottom()}, Tone::line);
    add_line(figure, {frame_.x, frame_.y + at}, {frame_.right(), frame_.y + at}, Tone::line);
  }
  if (key && *key != query) add_frame(figure, patch(*key), Tone::text, 1.5F);
  add_frame(figure, patch(query), Tone::accent, 2.5F);
}

}  // namespace stage
