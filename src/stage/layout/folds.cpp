#include "stage/layout/folds.hpp"

#include <algorithm>

#include "lesson/steps/formula.hpp"
#include "stage/layout/lettering.hpp"

namespace stage {

namespace {

// Columns of the flow, as flow.cpp numbers them.
constexpr int first_split = 4;
constexpr int heads = 6;
constexpr int scaled = 8;
constexpr int masked = 10;
constexpr int weights = 11;

/// The part of the formula between the scores and the softmax, such as "/ √D + mask"; empty if
/// there is none.
std::string scaling(const model::Trace& trace, bool rightly) {
  const std::string formula =
      lesson::formula_for(lesson::step(lesson::StepId::overview), trace, rightly);
  const std::size_t from = formula.find("ᵀ") + std::string_view("ᵀ ").size();
  const std::size_t to = formula.find(") · V");
  return from < to ? formula.substr(from, to - from) : std::string();
}

/// Writes a title and a detail in the middle of a card, broken into lines.
void write(Figure& figure, const Rect& card, const std::string& title, const std::string& detail) {
  constexpr float line = 15.0F;
  const auto lines = [&](const std::string& text) {
    return lines_of(text, 11.5F, card.width - 4.0F);
  };
  const std::vector<std::string> first = lines(title);
  const std::vector<std::string> second = lines(detail);
  float y = card.centre().y - line * static_cast<float>(first.size() + second.size() - 1) / 2.0F;
  for (const std::vector<std::string>* part : {&first, &second}) {
    for (const std::string& text : *part) {
      add_words(figure, {card.centre().x, y}, Side::centre, text,
                part == &first ? Tone::strong : Tone::quiet, 11.0F);
      y += line;
    }
  }
}

}  // namespace

Fold fold_of(const Place& place) {
  if (place.column >= first_split && place.column <= heads) return Fold::split;
  return place.column >= scaled && place.column <= masked ? Fold::scale : Fold::none;
}

bool is_closed(Fold fold, const document::ViewState& view_state) {
  const auto bit = static_cast<unsigned>(fold);
  return fold != Fold::none && (static_cast<unsigned>(view_state.map) & bit) == 0;
}

std::optional<Place> place_on_map(const Place& place, const document::ViewState& view_state) {
  const Fold fold = fold_of(place);
  const int last = fold == Fold::split ? heads : masked;
  if (is_closed(fold, view_state) && place.column != last) return std::nullopt;
  Place result = place;
  // A closed card is low, so the weights can stand below it instead of one column further on.
  if (is_closed(Fold::scale, view_state) && place.column == weights) {
    --result.overview;
    result.lane += 4;
  }
  return result;
}

bool is_on_map(model::TensorId tensor, const document::ViewState& view_state) {
  const auto& all = lesson::step(lesson::StepId::overview).tensors;
  if (std::find(all.begin(), all.end(), tensor) == all.end()) return false;
  const std::optional<Place> place = find_place(tensor);
  return place && !is_closed(fold_of(*place), view_state);
}

void fold(Group& group, std::vector<Block>& blocks) {
  group.folded = true;
  for (std::string* words : {&group.title, &group.shape, &group.note}) words->clear();
  for (Block& block : blocks) {
    block.only_seen = true;
    block.opacity = 0.0F;
    block.rows_are_queries = false;
    block.row_labels = {};
    block.column_labels = {};
  }
}

void put_cards(Stage& stage, const model::Trace& trace, const document::ViewState& view_state) {
  const auto counted = [](std::size_t count, const char* what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
  };
  const std::string numbers =
      counted(trace.config.num_heads, "head") + " of " + counted(trace.config.head_dim(), "number");
  for (const Fold fold : {Fold::split, Fold::scale}) {
    const bool closed = is_closed(fold, view_state);
    Rect all;
    std::size_t line = 0;
    for (const Group& group : stage.groups) {
      // An open fold can run over several lines; the frame goes around its part in the first one.
      if (group.fold != fold || (!all.empty() && group.line != line)) continue;
      line = group.line;
      all = all.united(group.bounds);
    }
    if (all.empty()) continue;
    const bool split = fold == Fold::split;
    const std::string title = split ? "split into heads" : "scale, mask";
    constexpr float side = 12.0F;
    const Rect frame = closed ? all : all.inset(-around_open);
    // Inside a card's corner, but above an open frame, where it covers no matrix.
    const Rect button{frame.right() - side, frame.y - (closed ? 0.0F : side), side, side};
    const Rect pressed{button.right() - 30.0F, all.y - over_open, 30.0F, over_open};
    Figure figure = figure_in("fold", closed ? all : pressed);
    figure.of_matrices = true;
    add_frame(figure, frame, Tone::line, 1.25F);
    figure.strokes.back().dashed = !closed;
    if (closed) write(figure, frame, title, split ? numbers : scaling(trace, view_state.guessing));
    Bar& paper = figure.bars.emplace_back();
    paper.place = button;
    paper.tone = Tone::paper;
    add_frame(figure, button, Tone::quiet, 1.25F);
    add_words(figure, button.centre(), Side::centre, closed ? "+" : "−", Tone::strong, 12.0F);
    const auto other = static_cast<unsigned>(view_state.map) ^ static_cast<unsigned>(fold);
    figure.targets.push_back({figure.bounds,
                              (closed ? "Open: " : "Close: ") + title,
                              document::OpenMap{static_cast<document::MapOpen>(other)},
                              {}});
    stage.figures.push_back(std::move(figure));
  }
}

}  // namespace stage
