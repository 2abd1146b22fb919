// Which ImGui key a browser's KeyboardEvent means. Header only, so that it is tested natively as
// well.
#pragma once

#include <imgui.h>

#include <string_view>

namespace platform {

namespace detail {

struct NamedKey {
  std::string_view code;
  ImGuiKey key;
};

/// Keys by their code. Letters, digits and function keys are computed instead. Punctuation keys are
/// included, so that ImGui handles an Enter that follows at once in a later frame than the text.
/// Names: UI Events KeyboardEvent code Values (W3C), section 3.
inline constexpr NamedKey named_keys[] = {
    {"Tab", ImGuiKey_Tab},
    {"ArrowLeft", ImGuiKey_LeftArrow},
    {"ArrowRight", ImGuiKey_RightArrow},
    {"ArrowUp", ImGuiKey_UpArrow},
    {"ArrowDown", ImGuiKey_DownArrow},
    {"PageUp", ImGuiKey_PageUp},
    {"PageDown", ImGuiKey_PageDown},
    {"Home", ImGuiKey_Home},
    {"End", ImGuiKey_End},
    {"Insert", ImGuiKey_Insert},
    {"Delete", ImGuiKey_Delete},
    {"Backspace", ImGuiKey_Backspace},
    {"Space", ImGuiKey_Space},
    {"Enter", ImGuiKey_Enter},
    {"Escape", ImGuiKey_Escape},
    {"ControlLeft", ImGuiKey_LeftCtrl},
    {"ControlRight", ImGuiKey_RightCtrl},
    {"ShiftLeft", ImGuiKey_LeftShift},
    {"ShiftRight", ImGuiKey_RightShift},
    {"AltLeft", ImGuiKey_LeftAlt},
    {"AltRight", ImGuiKey_RightAlt},
    {"MetaLeft", ImGuiKey_LeftSuper},
    {"MetaRight", ImGuiKey_RightSuper},
    {"ContextMenu", ImGuiKey_Menu},
    {"Quote", ImGuiKey_Apostrophe},
    {"Comma", ImGuiKey_Comma},
    {"Minus", ImGuiKey_Minus},
    {"Period", ImGuiKey_Period},
    {"Slash", ImGuiKey_Slash},
    {"Semicolon", ImGuiKey_Semicolon},
    {"Equal", ImGuiKey_Equal},
    {"BracketLeft", ImGuiKey_LeftBracket},
    {"Backslash", ImGuiKey_Backslash},
    {"BracketRight", ImGuiKey_RightBracket},
    {"Backquote", ImGuiKey_GraveAccent},
    {"IntlBackslash", ImGuiKey_Oem102},
    {"CapsLock", ImGuiKey_CapsLock},
    {"ScrollLock", ImGuiKey_ScrollLock},
    {"NumLock", ImGuiKey_NumLock},
    {"PrintScreen", ImGuiKey_PrintScreen},
    {"Pause", ImGuiKey_Pause},
    {"NumpadDecimal", ImGuiKey_KeypadDecimal},
    {"NumpadDivide", ImGuiKey_KeypadDivide},
    {"NumpadMultiply", ImGuiKey_KeypadMultiply},
    {"NumpadSubtract", ImGuiKey_KeypadSubtract},
    {"NumpadAdd", ImGuiKey_KeypadAdd},
    {"NumpadEnter", ImGuiKey_KeypadEnter},
    {"NumpadEqual", ImGuiKey_KeypadEqual},
};

constexpr ImGuiKey offset_key(ImGuiKey first, int offset) {
  return static_cast<ImGuiKey>(static_cast<int>(first) + offset);
}

/// A–Z, a–z and 0–9, else none.
constexpr ImGuiKey key_of_character(char character) {
  if (character >= 'a' && character <= 'z') return offset_key(ImGuiKey_A, character - 'a');
  if (character >= 'A' && character <= 'Z') return offset_key(ImGuiKey_A, character - 'A');
  if (character >= '0' && character <= '9') return offset_key(ImGuiKey_0, character - '0');
  return ImGuiKey_None;
}

}  // namespace detail

/// `code` is the key's position ("KeyZ"), `key` what it types ("y" on a German keyboard).
///
/// Letters and digits are identified by what they type, so that undo is Ctrl and the key labelled Z
/// on every Latin layout; if they type something else (Cyrillic, say), by position. All other keys
/// are identified by position, or by `key` if a touch keyboard gives no position. ImGuiKey_None if
/// the key is unknown.
constexpr ImGuiKey key_from_dom(std::string_view code, std::string_view key) {
  const bool on_numpad = code.substr(0, 6) == "Numpad";
  if (!on_numpad && key.size() == 1) {
    const ImGuiKey by_character = detail::key_of_character(key[0]);
    if (by_character != ImGuiKey_None) return by_character;
  }
  if (code.size() == 4 && code.substr(0, 3) == "Key") return detail::key_of_character(code[3]);
  if (code.size() == 6 && code.substr(0, 5) == "Digit") return detail::key_of_character(code[5]);
  if (on_numpad && code.size() == 7 && code[6] >= '0' && code[6] <= '9') {
    return detail::offset_key(ImGuiKey_Keypad0, code[6] - '0');
  }
  const std::string_view name = code.empty() ? key : code;
  if (name.size() >= 2 && name.size() <= 3 && name[0] == 'F') {
    int number = 0;
    for (const char digit : name.substr(1)) {
      if (digit < '0' || digit > '9') return ImGuiKey_None;
      number = number * 10 + (digit - '0');
    }
    return number >= 1 && number <= 24 ? detail::offset_key(ImGuiKey_F1, number - 1)
                                       : ImGuiKey_None;
  }
  for (const detail::NamedKey& named : detail::named_keys) {
    if (named.code == name) return named.key;
  }
  return ImGuiKey_None;
}

}  // namespace platform
