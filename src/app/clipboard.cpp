// Numbers to and from the clipboard.
#include "app/app.hpp"
#include "app/block_edit.hpp"
#include "files/snippets.hpp"
#include "files/table.hpp"
#include "imgui.h"

namespace app {

std::string App::pasted_text() {
  const char* text = ImGui::GetClipboardText();
  return text == nullptr ? std::string() : std::string(text);
}

bool App::is_block(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  if (first == std::string::npos) return false;
  return text.find_first_of("\t\r\n;", first) < last;
}

void App::copy_cell() {
  const auto place = place_of(chosen());
  if (!place) return;
  platform_->set_clipboard(
      files::float_text(stage_.blocks[place->block].value(place->row, place->column)));
}

void App::paste(const std::string& text) {
  request_frames(3);
  const auto refuse = [this](std::string sentence) { view_.message = std::move(sentence); };
  const auto place = place_of(chosen());
  if (!place)
    return refuse("Choose a cell first; a pasted block goes from there to the right and down.");
  if (std::string why = why_fixed(chosen()->tensor); !why.empty()) return refuse(std::move(why));
  const auto table = files::parse_table(text);
  if (!table) return refuse(table.error().message);
  const auto edits = edits_of(*table, stage_.blocks[place->block], place->row, place->column);
  if (!edits) return refuse(edits.error().message);
  bool goes_on = false;
  for (const document::Edit& edit : *edits) {
    const auto done = session_.perform(document::EditCell{edit.cell, edit.value}, goes_on);
    if (!done) {
      if (goes_on) session_.take_back();
      return refuse(done.error().message);
    }
    goes_on = session_.can_undo();
  }
  view_.message.clear();
}

}  // namespace app
