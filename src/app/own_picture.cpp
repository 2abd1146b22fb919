// Uses a picture of the reader's as the tokens of image-patches.
#include "app/app.hpp"
#include "document/commands.hpp"
#include "lesson/input/patches.hpp"

namespace app {

void App::picture_given(std::span<const std::uint8_t> rgba, std::size_t width, std::size_t height) {
  auto rgb = lesson::picture_from_rgba(rgba, width, height);
  if (!rgb) return refused(rgb.error().message);
  document::Document next = session_.document();
  if (!lesson::example(next.configuration.example).has_picture) {
    next.configuration = document::fresh(lesson::ExampleId::image_patches, 0);
    next.view_state = document::first_view_state(next.view_state, next.configuration.example);
  }
  next.configuration = document::with_picture(std::move(next.configuration), *std::move(rgb));
  // One replacement, so that one undo leads back to the example before.
  static_cast<void>(replace(next));  // on error it shows the message
}

void App::refused(const std::string& sentence) {
  view_.message = sentence;
  request_frame();
}

}  // namespace app
