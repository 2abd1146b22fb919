#include "platform/web/dom_keys.hpp"

#include <gtest/gtest.h>

namespace {

using platform::key_from_dom;

TEST(DomKeys, LettersGoByWhatTheyWrite) {
  EXPECT_EQ(key_from_dom("KeyZ", "z"), ImGuiKey_Z);
  EXPECT_EQ(key_from_dom("KeyY", "z"), ImGuiKey_Z)
      << "German keyboard: undo is where Y is on an American one";
  EXPECT_EQ(key_from_dom("KeyZ", "Y"), ImGuiKey_Y);
  EXPECT_EQ(key_from_dom("KeyQ", "a"), ImGuiKey_A) << "French keyboard";
  EXPECT_EQ(key_from_dom("Semicolon", "m"), ImGuiKey_M) << "French keyboard: M is where ; is";
}

TEST(DomKeys, LettersOfOtherScriptsGoByWhereTheyAre) {
  EXPECT_EQ(key_from_dom("KeyZ", "я"), ImGuiKey_Z);
  EXPECT_EQ(key_from_dom("KeyC", "с"), ImGuiKey_C) << "Cyrillic es, not Latin c";
  EXPECT_EQ(key_from_dom("KeyV", "ω"), ImGuiKey_V);
}

TEST(DomKeys, Digits) {
  EXPECT_EQ(key_from_dom("Digit7", "7"), ImGuiKey_7);
  EXPECT_EQ(key_from_dom("Digit2", "é"), ImGuiKey_2) << "French keyboard without Shift";
  EXPECT_EQ(key_from_dom("Digit0", ")"), ImGuiKey_0);
}

TEST(DomKeys, TheKeypadIsItself) {
  EXPECT_EQ(key_from_dom("Numpad4", "4"), ImGuiKey_Keypad4);
  EXPECT_EQ(key_from_dom("Numpad4", "ArrowLeft"), ImGuiKey_Keypad4);
  EXPECT_EQ(key_from_dom("NumpadEnter", "Enter"), ImGuiKey_KeypadEnter);
  EXPECT_EQ(key_from_dom("NumpadDecimal", ","), ImGuiKey_KeypadDecimal);
}

TEST(DomKeys, NamedKeys) {
  EXPECT_EQ(key_from_dom("ArrowUp", "ArrowUp"), ImGuiKey_UpArrow);
  EXPECT_EQ(key_from_dom("Backspace", "Backspace"), ImGuiKey_Backspace);
  EXPECT_EQ(key_from_dom("Space", " "), ImGuiKey_Space);
  EXPECT_EQ(key_from_dom("BracketLeft", "ü"), ImGuiKey_LeftBracket);
  EXPECT_EQ(key_from_dom("ShiftRight", "Shift"), ImGuiKey_RightShift);
  EXPECT_EQ(key_from_dom("Escape", "Escape"), ImGuiKey_Escape);
}

TEST(DomKeys, FunctionKeys) {
  EXPECT_EQ(key_from_dom("F1", "F1"), ImGuiKey_F1);
  EXPECT_EQ(key_from_dom("F12", "F12"), ImGuiKey_F12);
  EXPECT_EQ(key_from_dom("F24", "F24"), ImGuiKey_F24);
  EXPECT_EQ(key_from_dom("F25", "F25"), ImGuiKey_None);
  EXPECT_EQ(key_from_dom("F0", "F0"), ImGuiKey_None);
}

TEST(DomKeys, TouchKeyboardsSayNoPlace) {
  EXPECT_EQ(key_from_dom("", "Enter"), ImGuiKey_Enter);
  EXPECT_EQ(key_from_dom("", "Backspace"), ImGuiKey_Backspace);
  EXPECT_EQ(key_from_dom("", "q"), ImGuiKey_Q);
}

TEST(DomKeys, WhatNobodyKnows) {
  EXPECT_EQ(key_from_dom("", ""), ImGuiKey_None);
  EXPECT_EQ(key_from_dom("", "Unidentified"), ImGuiKey_None);
  EXPECT_EQ(key_from_dom("", "Dead"), ImGuiKey_None);
  EXPECT_EQ(key_from_dom("MediaPlayPause", "MediaPlayPause"), ImGuiKey_None);
  EXPECT_EQ(key_from_dom("Fn", "Fn"), ImGuiKey_None);
  EXPECT_EQ(key_from_dom("Key", "Ж"), ImGuiKey_None);
}

}  // namespace
