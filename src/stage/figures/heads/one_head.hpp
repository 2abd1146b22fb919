// One of the translator's heads, large: its weights with words and numbers, what it does, and the
// way to its steps.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "stage/figures/figures.hpp"
#include "stage/figures/heads/head_pattern.hpp"

namespace stage {

/// One of three texts: of the encoder, of the decoder, or of the cross-attention between them.
std::string_view text_of_kind(lesson::AttentionId kind, const std::array<const char*, 3>& keys);
/// How a kind of attention is called: "encoder".
std::string_view name_of_kind(lesson::AttentionId kind);

/// "encoder 0, head 3"
std::string name_of_head(lesson::AttentionId attention, std::size_t head);

float button_width(std::string_view words);

/// A button of a figure; returns where the next one can begin. `label`: what it does, where the
/// words on it do not say all of that.
float put_button(Figure& figure, float x, float y, std::string_view words,
                 document::Command command, std::string_view label = {});

/// Whether heads are labelled and sorted by what they do over held-out sentences.
bool over_held_out(const FigureInput& input);

/// The chosen head: words and buttons are put into the figure, its weights onto the stage.
/// `alone`: it stands in the place of the maps of all heads, with a way back to them.
void put_one_head(Stage& stage, Figure& figure, const FigureInput& input, const Rect& place,
                  bool alone);

}  // namespace stage
