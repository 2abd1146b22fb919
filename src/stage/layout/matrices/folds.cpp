#include "stage/layout/matrices/folds.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "lesson/steps/formula.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/scene/matrices.hpp"

namespace stage {

namespace {

/// The columns of the flow that a fold hides. What stands in the last of them stands for all.
struct Columns {
  int first;
  int last;
};

Columns columns_of(Fold fold) {
  const auto column = [](model::TensorId tensor) { return find_place(tensor)->column; };
  if (fold == Fold::split) return {column("q_split"), column("q_heads")};
  return {column("scaled_scores"), column("masked_scores")};
}

/// Writes a title and a detail in the middle of a card, broken into lines.
void write(Figure& figure, const Rect& card, std::string_view title, std::string_view detail) {
  constexpr float line = 15.0F;
  const auto lines = [&](std::string_view text) {
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

/// Whether this group is the part of a card that stands for the tensor. Where the flow has lanes,
/// each part stands only for the tensors of its own lane.
bool stands_for(const Group& group, model::TensorId tensor) {
  if (!group.folded) return false;
  const auto& on_map = lesson::step(lesson::StepId::overview).tensors;
  if (std::find(on_map.begin(), on_map.end(), tensor) == on_map.end()) return false;
  const std::optional<Place> place = find_place(tensor);
  return place && fold_of(*place) == group.fold &&
         (!has_lanes(place->column) || place->lane == find_place(group.tensor)->lane);
}

/// The group that shows a tensor or stands for it; for a repeated input, the group that shows the
/// original.
std::optional<std::size_t> group_of(const Stage& stage, const model::Trace& trace,
                                    model::TensorId tensor) {
  for (std::size_t i = 0; i < stage.groups.size(); ++i) {
    if (stage.groups[i].tensor == tensor || stands_for(stage.groups[i], tensor)) return i;
  }
  if (!is_repeated_input(trace, tensor)) return std::nullopt;
  return group_of(stage, trace, *trace.view_of(tensor));
}

}  // namespace

Fold fold_of(const Place& place) {
  for (const Fold fold : {Fold::split, Fold::scale}) {
    const Columns columns = columns_of(fold);
    if (place.column >= columns.first && place.column <= columns.last) return fold;
  }
  return Fold::none;
}

bool is_closed(Fold fold, const document::ViewState& view_state) {
  const auto bit = static_cast<unsigned>(fold);
  return fold != Fold::none && (static_cast<unsigned>(view_state.map) & bit) == 0;
}

std::optional<Place> place_on_map(const Place& place, const document::ViewState& view_state) {
  const Fold fold = fold_of(place);
  if (is_closed(fold, view_state) && place.column != columns_of(fold).last) return std::nullopt;
  Place result = place;
  // A closed card is low, so the weights can stand below it instead of one column further on.
  if (is_closed(Fold::scale, view_state) && place.tensor == "attention_weights") {
    --result.overview;
    result.lane += 7;
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

void link_groups(Stage& stage, const model::Trace& trace) {
  for (const Flow& flow : flows_of(trace)) {
    const auto from = group_of(stage, trace, flow.from);
    const auto to = group_of(stage, trace, flow.to);
    if (!from || !to || *from == *to || (flow.past && group_of(stage, trace, *flow.past))) continue;
    stage.links.push_back({*from, *to});
  }
}

void put_cards(Stage& stage, const model::Trace& trace, const document::ViewState& view_state) {
  const std::string numbers =
      base::text("stage.map.heads_of_numbers",
                 {{"heads", base::counted_text("stage.map.heads", trace.config.num_heads)},
                  {"numbers", base::counted_text("stage.map.numbers", trace.config.head_dim())}});
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
    const std::string_view title = base::text(split ? "stage.map.split" : "stage.map.scale");
    constexpr float side = 12.0F;
    const Rect frame = closed ? all : all.inset(-around_open);
    // Inside a card's corner, but above an open frame, where it covers no matrix.
    const Rect button{frame.right() - side, frame.y - (closed ? 0.0F : side), side, side};
    const Rect pressed{button.right() - 30.0F, all.y - over_open, 30.0F, over_open};
    Figure figure = figure_in("fold", closed ? all : pressed);
    figure.of_matrices = true;
    add_frame(figure, frame, Tone::line, 1.25F);
    figure.strokes.back().dashed = !closed;
    if (closed)
      write(figure, frame, title, split ? numbers : lesson::scaling_of(trace, view_state.guessing));
    Bar& paper = figure.bars.emplace_back();
    paper.place = button;
    paper.tone = Tone::paper;
    add_frame(figure, button, Tone::quiet, 1.25F);
    add_words(figure, button.centre(), Side::centre, closed ? "+" : "−", Tone::strong, 12.0F);
    const auto other = static_cast<unsigned>(view_state.map) ^ static_cast<unsigned>(fold);
    figure.targets.push_back(
        {figure.bounds,
         base::text(closed ? "stage.map.open" : "stage.map.close", {{"card", title}}),
         document::OpenMap{static_cast<document::MapOpen>(other)},
         {}});
    stage.figures.push_back(std::move(figure));
  }
}

}  // namespace stage
