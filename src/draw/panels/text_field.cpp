// A text field. ImGui keeps its text and reads the keys. A line with runs, which ImGui would set
// letter by letter from left to right, is drawn here, with its caret and its selection.
#include <algorithm>

#include "draw/panels/widgets.hpp"
#include "draw/text/shaped_runs.hpp"
#include "draw/text/typed_line.hpp"
#include "imgui_internal.h"  // ImGuiInputTextState
#include "imgui_stdlib.h"

namespace draw {

namespace {

constexpr float field_type = 13.5F;  // the size of the type

/// The field of a line with runs, after ImGui has read keys and mouse.
class ShapedField {
 public:
  /// `state`: of the field if somebody types in it. `inner`: the room for the line.
  ShapedField(std::string_view text, ImGuiInputTextState* state, const stage::Rect& inner)
      : text_(text), line_(ImGui::GetFont(), field_type, text), state_(state), inner_(inner) {
    if (state_ != nullptr) caret_ = to_offset(state_->GetCursorPos());
    // A caret beyond the edge moves the line.
    x_ = line_.to_left() ? inner_.right() - line_.width() : inner_.x;
    if (state_ == nullptr) return;
    const float caret = x_ + line_.caret(caret_);
    x_ -= std::max(0.0F, caret + 1.0F - inner_.right());
    x_ += std::max(0.0F, inner_.x - caret);
  }

  /// ImGui has set the caret where the letter would be if all stood from left to right.
  void click(ImGuiID field) {
    if (state_ == nullptr) return;
    const ImGuiIO& io = ImGui::GetIO();
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    const std::size_t here = line_.offset_at(io.MousePos.x - x_);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) && ImGui::IsItemHovered()) {
      storage.SetInt(field, static_cast<int>(here));
      const auto word = line_.word(here);
      io.MouseClickedCount[0] > 1 ? select(word.first, word.second) : select(here, here);
    } else if (ImGui::IsMouseDragging(ImGuiMouseButton_Left, 2.0F) && io.MouseClickedCount[0] < 2) {
      select(to_offset(storage.GetInt(field, static_cast<int>(here))), here);
    }
  }

  /// An arrow key leads to the letter that stands there. `before`: where the caret was.
  void walk(std::size_t before) {
    const ImGuiIO& io = ImGui::GetIO();
    if (state_ == nullptr || io.KeyShift || io.KeyCtrl || io.KeyAlt || io.KeySuper) return;
    if (!line_.grows_left(before)) return;
    if (ImGui::IsKeyPressed(ImGuiKey_LeftArrow)) {
      const std::size_t next = before + character_end(text_.substr(before));
      select(next, next);
    } else if (ImGui::IsKeyPressed(ImGuiKey_RightArrow)) {
      std::size_t last = 0;
      for (std::size_t end = 0; end < before; end += character_end(text_.substr(end))) last = end;
      select(last, last);
    }
  }

  void draw(const Theme& theme) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->PushClipRect({inner_.x, inner_.y}, {inner_.right(), inner_.bottom()}, true);
    const float top = inner_.centre().y - field_type * 0.65F;
    const float bottom = inner_.centre().y + field_type * 0.65F;
    if (state_ != nullptr && state_->HasSelection()) {
      const auto [first, last] = std::minmax(
          {to_offset(state_->GetSelectionStart()), to_offset(state_->GetSelectionEnd())});
      for (const auto& [left, right] : line_.selected(first, last))
        list->AddRectFilled({x_ + left, top}, {x_ + right, bottom},
                            ImGui::GetColorU32(ImGuiCol_TextSelectedBg));
    }
    set_text(list, ImGui::GetFont(), field_type, {x_, inner_.centre().y}, Align::left,
             packed(theme.text), text_);
    if (state_ != nullptr) {
      const float x = std::floor(x_ + line_.caret(caret_)) + 0.5F;
      list->AddLine({x, top}, {x, bottom}, packed(theme.text), 1.0F);
      // Where the system shows what it offers while one types.
      ImGui::GetCurrentContext()->PlatformImeData.InputPos = {x - 1.0F, top};
    }
    list->PopClipRect();
  }

 private:
  std::size_t to_offset(int place) const {
    return std::min(static_cast<std::size_t>(std::max(0, place)), text_.size());
  }
  /// ImGui takes it over in the next frame.
  void select(std::size_t begin, std::size_t end) {
    state_->WantReloadUserBuf = true;
    state_->ReloadSelectionStart = static_cast<int>(begin);
    state_->ReloadSelectionEnd = static_cast<int>(end);
    caret_ = end;
  }

  std::string_view text_;
  TypedLine line_;
  ImGuiInputTextState* state_;
  stage::Rect inner_;
  std::size_t caret_ = 0;
  float x_ = 0.0F;  // of the line's left end
};

}  // namespace

bool Widgets::field(const char* id, std::string& text, const std::string& current, float width,
                    std::string_view hint, bool numbers) {
  ImGui::SetNextItemWidth(width);
  ImGui::PushFont(numbers ? type_.numbers : type_.words, field_type);
  const ImGuiID own = ImGui::GetID(id);
  const bool has_runs = with_runs(text) != text;
  const ImGuiInputTextState* before = ImGui::GetInputTextState(own);
  const int caret = before != nullptr ? before->GetCursorPos() : 0;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  if (has_runs) {
    for (const ImGuiCol part : {ImGuiCol_Text, ImGuiCol_InputTextCursor, ImGuiCol_TextSelectedBg})
      ImGui::PushStyleColor(part, 0);
  }
  ImGui::InputTextWithHint(id, std::string(hint).c_str(), &text,
                           ImGuiInputTextFlags_EnterReturnsTrue);
  const bool committed = ImGui::IsItemDeactivatedAfterEdit();
  if (has_runs) {
    ImGui::PopStyleColor(3);
    const ImVec2 end = ImGui::GetItemRectMax();
    const float padding = ImGui::GetStyle().FramePadding.x;
    ShapedField field(
        text, ImGui::IsItemActive() ? ImGui::GetInputTextState(own) : nullptr,
        {start.x + padding, start.y, end.x - start.x - 2.0F * padding, end.y - start.y});
    if (before != nullptr) field.walk(std::min(static_cast<std::size_t>(caret), text.size()));
    field.click(own);
    field.draw(theme_);
  }
  if (!ImGui::IsItemActive() && !committed) text = current;
  ImGui::PopFont();
  return committed;
}

}  // namespace draw
