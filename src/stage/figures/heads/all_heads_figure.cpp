#include <algorithm>
#include <array>
#include <vector>

#include "base/text.hpp"
#include "lesson/heads/recorded_heads.hpp"
#include "stage/figures/heads/head_grid.hpp"
#include "stage/figures/heads/head_pattern.hpp"
#include "stage/figures/row_table.hpp"
#include "stage/figures/step_figures.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/scene/drawing.hpp"
#include "stage/scene/matrices.hpp"
#include "stage/wording/translation_words.hpp"

namespace stage {

using document::ComputedAttention;
using lesson::AttentionId;

namespace {

constexpr float beside_maps = 28.0F;   // between the maps and the large one
constexpr float order_row = 30.0F;     // over that: what they are sorted by
constexpr float over_row = 24.0F;      // and, where it is narrow: over which sentences
constexpr float smallest_row = 26.0F;  // with less, only one kind is shown

struct Kind {
  AttentionId id;
  const char* key;

  std::string_view name() const { return base::text(key + std::string("name")); }
  std::string_view says() const { return base::text(key + std::string("says")); }
};
constexpr std::array kinds = {Kind{AttentionId::encoder_self_attention, "stage.heads.encoder."},
                              Kind{AttentionId::decoder_self_attention, "stage.heads.decoder."},
                              Kind{AttentionId::cross_attention, "stage.heads.cross."}};

/// The layers of one kind, in order.
std::vector<const ComputedAttention*> layers_of(const FigureInput& input, AttentionId kind) {
  std::vector<const ComputedAttention*> layers;
  for (const ComputedAttention& attention : input.computed.attentions) {
    if (lesson::kind_of(attention.id) == kind) layers.push_back(&attention);
  }
  return layers;
}

std::string percent(float share) {
  return std::to_string(static_cast<int>(share * 100.0F + 0.5F)) + " %";
}

/// One head's weights as a small picture.
Block map_of(const FigureInput& input, const ComputedAttention& attention, std::size_t head,
             const Rect& room) {
  document::ViewState view_state = input.view_state;
  view_state.all_heads = false;
  view_state.head = head;
  Block block = matrix_of_head(attention, view_state, "attention_weights");
  const auto rows = static_cast<float>(block.rows());
  const auto columns = static_cast<float>(block.columns());
  const float cell = std::min(room.width / columns, room.height / rows);
  block.cells = {room.x, room.y + (room.height - cell * rows) / 2.0F, cell * columns, cell * rows};
  block.rows_are_queries = false;
  block.only_seen = true;
  return block;
}

struct OneHead {
  const ComputedAttention* layer = nullptr;
  std::size_t head = 0;
  HeadPattern does;
};

class AllHeads {
 public:
  AllHeads(Stage& stage, const FigureInput& input, const Rect& place)
      : stage_(stage), input_(input), figure_(figure_in(std::string(all_heads_name), place)) {
    group_.tensor = "attention_weights";
    group_.in_figure = true;
    group_.bounds = place;
  }

  void put(const Rect& place) {
    const bool upright =
        place.width < 480.0F || (place.width < 560.0F && place.height > 0.9F * place.width);
    const std::size_t heads = input_.attention.trace.config.num_heads;
    const std::size_t layers = layers_of(input_, kinds.front().id).size();
    const float rows = static_cast<float>(layers * kinds.size());
    const float headings = order_row + heads_line + kind_heading * static_cast<float>(kinds.size());
    const bool all = !upright && (place.height - headings) / rows >= smallest_row;
    Rect maps = place;
    Rect large = place;
    const float choices = order_row + (all || !has_held_out() ? 0.0F : over_row);
    if (upright) {
      maps.height = choices - order_row +
                    std::min(place.height * 0.5F,
                             heads_line + kind_heading + 44.0F * static_cast<float>(layers));
      large.y = maps.bottom() + 12.0F;
      large.height = place.bottom() - large.y;
    } else {
      large.width = std::clamp(place.width * 0.38F, 220.0F, 420.0F);
      large.x = place.right() - large.width;
      maps.width = place.width - large.width - beside_maps;
    }
    put_order(maps, all);
    maps.y += choices;
    maps.height -= choices;
    if (input_.view_state.sort_heads)
      put_sorted(maps, all);
    else
      put_by_layer(HeadGrid(maps, heads, layers, all ? kinds.size() : 1), heads, all);
    put_large(large, upright);
    add_group(stage_, std::move(group_), std::move(blocks_));
    stage_.figures.push_back(std::move(figure_));
  }

 private:
  bool has_held_out() const {
    return held_out_pattern_of(input_.computed, input_.attention, 0).has_value();
  }
  /// Whether the maps are labelled and sorted by what heads do over held-out sentences.
  bool over_held_out() const { return input_.view_state.held_out_heads && has_held_out(); }

  HeadPattern does(const ComputedAttention& layer, std::size_t head) const {
    if (input_.view_state.held_out_heads) {
      if (const auto held_out = held_out_pattern_of(input_.computed, layer, head)) return *held_out;
    }
    return pattern_of(layer, input_.view_state.sample, head);
  }

  /// What the heads are sorted by and over which sentences, and which kind is shown where there is
  /// room for one only.
  void put_order(const Rect& place, bool all) {
    const float y = place.y + 13.0F;
    if (!all) choices_of_kind(place.x, y);
    if (has_held_out()) choices_of_sentences(place, all ? y : y + over_row);
    const bool sorted = input_.view_state.sort_heads;
    const std::string_view other =
        base::text(sorted ? "stage.heads.sort_by_layer" : "stage.heads.sort_by_pattern");
    put_button(place.right() - button_width(other), y - 13.0F, other, document::SortHeads{!sorted});
  }

  void put_by_layer(const HeadGrid& grid, std::size_t heads, bool all) {
    float y = grid.place.y;
    for (std::size_t head = 0; head < heads; ++head) number_of_head(grid, head, y);
    y += heads_line;
    for (const Kind& kind : kinds) {
      if (all || kind.id == lesson::kind_of(input_.attention.id)) y = put_kind(grid, kind, y, all);
    }
  }

  void number_of_head(const HeadGrid& grid, std::size_t head, float y) {
    const float x = grid.map(head, y).x;
    figure_.bars.push_back({{x, y + 14.0F, grid.side, 3.0F}, Tone::head, head, 1.0F, 0.0F, {}});
    const std::string number = std::to_string(head);
    add_words(figure_, {x, y + 7.0F}, Side::left,
              longest_fitting({base::text("stage.index.head", {{"index", head}}), number}, 11.0F,
                              grid.column - 4.0F),
              Tone::quiet, 11.0F);
  }

  void choices_of_kind(float x, float y) {
    for (const Kind& kind : kinds) {
      const bool here = kind.id == lesson::kind_of(input_.attention.id);
      x = put_choice({x, y}, std::string(kind.name()), here,
                     base::text("stage.heads.show", {{"kind", kind.name()}}),
                     document::ChooseAttention{kind.id});
    }
  }

  void choices_of_sentences(const Rect& place, float y) {
    float x = place.x;
    const std::string what(base::text("stage.heads.over"));
    const std::string here(base::text("stage.heads.this_sentence"));
    const std::string held_out = held_out_words();
    const float width = text_width(what, 12.0F) + 10.0F;
    const bool over = over_held_out();
    if (place.width > width + text_width(here + held_out, 12.0F, false, true) + 190.0F) {
      add_words(figure_, {x, y}, Side::left, what, Tone::quiet, 12.0F);
      x += width;
    }
    x = put_choice({x, y}, here, !over, here, document::MeasureHeldOut{false});
    put_choice({x, y}, held_out, over, held_out, document::MeasureHeldOut{true});
  }

  /// Words that choose something, unless it is what is chosen. Returns where the next can begin.
  float put_choice(Point at, const std::string& words, bool chosen, const std::string& label,
                   document::Command command) {
    const float width = text_width(words, 12.0F, false, true);
    add_words(figure_, at, Side::left, words, chosen ? Tone::strong : Tone::accent, 12.0F);
    if (!chosen) {
      figure_.targets.push_back(
          {{at.x - 2.0F, at.y - 11.0F, width + 8.0F, 22.0F}, label, std::move(command), {}});
    }
    return at.x + width + 18.0F;
  }

  float put_kind(const HeadGrid& grid, const Kind& kind, float y, bool all) {
    const float x = grid.place.x;
    if (all) {
      add_words(figure_, {x, y + 11.0F}, Side::left, kind.name(), Tone::strong, 12.0F);
      const float after = text_width(kind.name(), 12.0F, false, true) + 10.0F;
      const std::string says = longest_fitting({kind.says(), ""}, 12.0F, grid.place.width - after);
      if (!says.empty())
        add_words(figure_, {x + after, y + 11.0F}, Side::left, says, Tone::quiet, 12.0F);
      y += kind_heading;
    }
    for (const ComputedAttention* layer : layers_of(input_, kind.id)) {
      add_number(figure_, {x, y + grid.row / 2.0F}, Side::left,
                 std::to_string(lesson::layer_of(layer->id)), Tone::quiet, 11.0F);
      for (std::size_t head = 0; head < layer->trace.config.num_heads; ++head)
        put_head(grid, *layer, head, y);
      y += grid.row;
    }
    return y;
  }

  void put_head(const HeadGrid& grid, const ComputedAttention& layer, std::size_t head, float y) {
    const Rect room = grid.map(head, y);
    const HeadPattern pattern = does(layer, head);
    const float x = room.right() + 4.0F;
    if (grid.labels) {
      const bool off = layer.trace.overrides.ablates(head);
      add_words(figure_, {x, room.centre().y - 7.0F}, Side::left,
                off ? base::text("stage.head.off") : short_words_for(pattern.pattern),
                pattern.pattern == Pattern::mixed ? Tone::quiet : Tone::text, 11.0F);
      if (!off)
        add_number(figure_, {x, room.centre().y + 7.0F}, Side::left, percent(pattern.share),
                   Tone::quiet, 10.0F);
    }
    const float width = grid.column - 2.0F;
    put_map({&layer, head, pattern}, room, width, grid.labels ? width : room.width + 4.0F);
  }

  /// One head's map; `width`: of what can be clicked; `framed`: of its frame where it is chosen.
  void put_map(const OneHead& one, const Rect& room, float width, float framed) {
    blocks_.push_back(map_of(input_, *one.layer, one.head, room));
    if (one.layer->trace.overrides.ablates(one.head)) {
      Stroke& through =
          add_line(figure_, {room.x, room.bottom()}, {room.right(), room.y}, Tone::strong);
      through.width = 2.0F;
    }
    const Rect target{room.x - 2.0F, room.y - 2.0F, width, room.height + 4.0F};
    if (one.layer->id == input_.attention.id && one.head == input_.view_state.head)
      add_frame(figure_, {target.x, target.y, framed, target.height}, Tone::accent, 2.0F);
    const std::string pattern(words_for(one.does.pattern));
    const std::string share = percent(one.does.share);
    const std::string words =
        over_held_out()
            ? base::text("stage.heads.does_over_held_out",
                         {{"pattern", pattern}, {"share", share}, {"sentences", held_out_words()}})
            : base::text("stage.heads.does", {{"pattern", pattern}, {"share", share}});
    figure_.targets.push_back({target,
                               name_of(*one.layer, one.head) + ": " + words,
                               document::ChooseHeadOf{one.layer->id, one.head},
                               {}});
  }

  /// The heads of all kinds, or of one, in groups of those that do the same, most of it first.
  std::vector<std::vector<OneHead>> sorted_heads(bool all) const {
    std::vector<std::vector<OneHead>> groups(static_cast<std::size_t>(Pattern::mixed) + 1);
    for (const Kind& kind : kinds) {
      if (!all && kind.id != lesson::kind_of(input_.attention.id)) continue;
      for (const ComputedAttention* layer : layers_of(input_, kind.id)) {
        for (std::size_t head = 0; head < layer->trace.config.num_heads; ++head) {
          const HeadPattern pattern = does(*layer, head);
          groups[static_cast<std::size_t>(pattern.pattern)].push_back({layer, head, pattern});
        }
      }
    }
    std::erase_if(groups, [](const auto& group) { return group.empty(); });
    for (std::vector<OneHead>& group : groups) {
      std::stable_sort(group.begin(), group.end(), [](const OneHead& a, const OneHead& b) {
        return a.does.share > b.does.share;
      });
    }
    return groups;
  }

  /// Maps of one size, group by group, in as many lines as they need.
  void put_sorted(const Rect& place, bool all) {
    constexpr float between = 6.0F;
    const std::vector<std::vector<OneHead>> groups = sorted_heads(all);
    const auto columns_of = [&](float side) {
      return std::max<std::size_t>(1, static_cast<std::size_t>(place.width / (side + between)));
    };
    const auto height_of = [&](float side) {
      float height = 0.0F;
      for (const auto& group : groups) {
        const std::size_t lines = (group.size() + columns_of(side) - 1) / columns_of(side);
        height += kind_heading + static_cast<float>(lines) * (side + between);
      }
      return height;
    };
    float side = 64.0F;
    while (side > 10.0F && height_of(side) > place.height) side -= 1.0F;
    float y = place.y;
    for (const std::vector<OneHead>& group : groups) {
      const Pattern pattern = group.front().does.pattern;
      add_words(figure_, {place.x, y + 10.0F}, Side::left,
                std::string(words_for(pattern)) + ": " + std::to_string(group.size()), Tone::strong,
                12.0F);
      y += kind_heading;
      for (std::size_t i = 0; i < group.size(); ++i) {
        const std::size_t column = i % columns_of(side);
        if (i > 0 && column == 0) y += side + between;
        const float x = place.x + 2.0F + static_cast<float>(column) * (side + between);
        put_map(group[i], {x, y, side, side}, side + 4.0F, side + 4.0F);
      }
      y += side + between;
    }
  }

  static std::string name_of(const ComputedAttention& layer, std::size_t head) {
    const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& each) {
      return each.id == lesson::kind_of(layer.id);
    });
    return base::text(
        "stage.heads.name",
        {{"kind", kind->name()}, {"layer", lesson::layer_of(layer.id)}, {"head", head}});
  }

  static float button_width(std::string_view words) { return text_width(words, 12.0F) + 20.0F; }

  /// A button; returns where the next one can begin.
  float put_button(float x, float y, std::string_view words, document::Command command) {
    const Rect button{x, y, button_width(words), 26.0F};
    add_frame(figure_, button, Tone::line, 1.0F);
    add_words(figure_, button.centre(), Side::centre, words, Tone::accent, 12.0F);
    figure_.targets.push_back({button, std::string(words), std::move(command), {}});
    return button.right() + 10.0F;
  }

  /// At the bottom, what became of the translation by what the reader changed. Returns the height
  /// that is kept for it, whether something is changed or not.
  float put_unchanged(const Rect& place) {
    constexpr float line = 15.0F;
    constexpr std::size_t most = 2;
    if (!input_.computed.translated || place.height < 300.0F) return 0.0F;
    const std::string words = unchanged_words(*input_.computed.translated);
    std::vector<std::string> lines = lines_of(words, 12.0F, place.width);
    if (lines.size() > most) lines.resize(most);
    float y = place.bottom() - line * (static_cast<float>(most) - 0.5F);
    for (const std::string& each : lines) {
      add_words(figure_, {place.x, y}, Side::left, each, Tone::text, 12.0F);
      y += line;
    }
    return line * static_cast<float>(most) + 8.0F;
  }

  /// "this sentence: previous token, 83 %", stressed where the maps are labelled by it. Where there
  /// is little width, it still says over which sentences.
  void put_pattern(Point at, float width, const HeadPattern& does, bool held_out) {
    const std::string share = percent(does.share);
    const auto brief = [&](std::string_view pattern) {
      return base::text("stage.heads.does", {{"pattern", pattern}, {"share", share}});
    };
    const std::string words = brief(words_for(does.pattern));
    const std::string full = does.pattern == Pattern::mixed
                                 ? base::text("stage.heads.mixed", {{"share", share}})
                                 : words;
    const auto of = [&](const std::string& what) {
      return base::text(
          "stage.heads.does_there",
          {{"sentences",
            held_out ? held_out_words() : std::string(base::text("stage.heads.this_sentence"))},
           {"does", what}});
    };
    const auto briefly_of = [&](const std::string& what) {
      return held_out ? base::text("stage.heads.does_in_others",
                                   {{"count", lesson::recorded_sentences()}, {"does", what}})
                      : base::text("stage.heads.does_here", {{"does", what}});
    };
    add_words(figure_, at, Side::left,
              longest_fitting({of(full), of(words), briefly_of(words),
                               briefly_of(brief(short_words_for(does.pattern)))},
                              12.0F, width),
              held_out == over_held_out() ? Tone::text : Tone::quiet, 12.0F);
  }

  /// The chosen head's weights with words and numbers, what it does, and the way to its steps.
  void put_large(const Rect& place, bool beside) {
    const std::string_view opens = base::text("stage.heads.open");
    const ComputedAttention& attention = input_.attention;
    document::ViewState view_state = input_.view_state;
    view_state.all_heads = false;
    const std::size_t head = view_state.head;
    const float width = place.width - (beside ? 120.0F : 0.0F);  // beside the buttons
    float y = place.y + 8.0F;
    add_words(figure_, {place.x, y}, Side::left, name_of(attention, head), Tone::strong, 14.0F);
    y += 19.0F;
    const auto held_out = held_out_pattern_of(input_.computed, attention, head);
    put_pattern({place.x, y}, width, pattern_of(attention, view_state.sample, head), false);
    if (held_out) {
      y += 16.0F;
      put_pattern({place.x, y}, width, *held_out, true);
    }
    y += 14.0F;
    const bool off = attention.trace.overrides.ablates(head);
    const std::string_view other =
        base::text(off ? "stage.heads.switch_on" : "stage.heads.switch_off");
    const document::AblateHead ablate{attention.id, head, !off};
    const document::ChooseHeadOf open{attention.id, head,  // the step makes what is in the map
                                      lesson::StepId::softmax};
    if (beside) {  // where there is little height
      put_button(place.right() - button_width(opens), place.y - 5.0F, opens, open);
      put_button(place.right() - button_width(other), place.y + 25.0F, other, ablate);
      y += 12.0F;
    } else {
      put_button(put_button(place.x, y, opens, open), y, other, ablate);
      y += 38.0F;
    }
    const std::array<model::TensorId, 1> weights = {"attention_weights"};
    const std::vector<Drawing> drawings = drawings_of(attention, view_state, weights);
    if (drawings.empty()) return;
    const Drawing& drawing = drawings.front();
    const float below = put_unchanged(place);
    const float room = place.bottom() - below - y;
    float scale = 0.06F;
    for (float low = 0.06F, high = 1.2F; high - low > 0.002F;) {
      const float middle = (low + high) / 2.0F;
      const Measured m = measure(drawing.outline, middle, true, false, 1.0F, true);
      (m.width <= place.width && m.height <= room ? low : high) = middle;
      scale = low;
    }
    stage::put(stage_, drawing, measure(drawing.outline, scale, true, false, 1.0F, true), place.x,
               y);
  }

  Stage& stage_;
  const FigureInput& input_;
  Figure figure_;
  Group group_;
  std::vector<Block> blocks_;
};

}  // namespace

bool has_all_heads(const FigureInput& input) {
  return input.computed.attentions.size() > kinds.size() &&
         !layers_of(input, AttentionId::cross_attention).empty();
}

void put_all_heads(Stage& stage, const FigureInput& input, const Rect& given) {
  const Rect place = at_least(given, 320.0F, given.width < 480.0F ? 360.0F : 280.0F);
  AllHeads(stage, input, place).put(place);
}

}  // namespace stage
