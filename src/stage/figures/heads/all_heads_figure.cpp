#include <algorithm>
#include <array>
#include <vector>

#include "base/order.hpp"
#include "base/text.hpp"
#include "lesson/heads/recorded_heads.hpp"
#include "stage/figures/heads/head_grid.hpp"
#include "stage/figures/heads/head_pattern.hpp"
#include "stage/figures/heads/one_head.hpp"
#include "stage/figures/row_table.hpp"
#include "stage/figures/step_figures.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/scene/matrices.hpp"

namespace stage {

using document::ComputedAttention;
using lesson::AttentionId;

namespace {

constexpr float beside_maps = 28.0F;   // between the maps and the large one
constexpr float order_row = 30.0F;     // over that: what they are sorted by
constexpr float over_row = 29.0F;      // and, where it is narrow: over which sentences
constexpr float note_line = 18.0F;     // of words below them
constexpr float smallest_row = 26.0F;  // with less, only one kind is shown

constexpr std::array kinds = {AttentionId::encoder_self_attention,
                              AttentionId::decoder_self_attention, AttentionId::cross_attention};

/// The layers of one kind, in order.
std::vector<const ComputedAttention*> layers_of(const FigureInput& input, AttentionId kind) {
  std::vector<const ComputedAttention*> layers;
  for (const ComputedAttention& attention : input.computed.attentions) {
    if (lesson::kind_of(attention.id) == kind) layers.push_back(&attention);
  }
  return layers;
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

/// What the words of a kind mean.
std::string_view what_it_does(AttentionId kind) {
  return text_of_kind(
      kind, {"stage.heads.encoder.says", "stage.heads.decoder.says", "stage.heads.cross.says"});
}

std::string_view short_name_of(AttentionId kind) {
  return text_of_kind(
      kind, {"stage.heads.encoder.short", "stage.heads.decoder.short", "stage.heads.cross.short"});
}

/// Whether the maps and the large one have no room side by side.
bool is_upright(const Rect& place) {
  return place.width < 480.0F || (place.width < 560.0F && place.height > 0.9F * place.width);
}

struct OneHead {
  const ComputedAttention* layer = nullptr;
  std::size_t head = 0;
  HeadPattern does;
};

class AllHeads {
 public:
  AllHeads(Stage& stage, const FigureInput& input, const Rect& place)
      : stage_(stage),
        input_(input),
        figure_(figure_in(std::string(all_heads_name), place)),
        upright_(is_upright(place)) {
    group_.tensor = "attention_weights";
    group_.in_figure = true;
    group_.bounds = place;
  }

  void put(const Rect& place) {
    const std::size_t heads = input_.attention.trace.config.num_heads;
    const std::size_t layers = layers_of(input_, kinds.front()).size();
    const float rows = static_cast<float>(layers * kinds.size());
    const float headings = order_row + heads_line + kind_heading * static_cast<float>(kinds.size());
    const bool upright = upright_;
    // Upright there is one kind at a time, so that maps are as large as a finger.
    const bool all = !upright && (place.height - headings) / rows >= smallest_row;
    Rect maps = place;
    const float choices = order_row + (all || !has_held_out() ? 0.0F : over_row);
    if (!upright) {
      Rect large = place;
      large.width = std::clamp(place.width * 0.38F, 220.0F, 420.0F);
      large.x = place.right() - large.width;
      maps.width = place.width - large.width - beside_maps;
      put_one_head(stage_, figure_, input_, large, false);
    }
    put_order(maps, all);
    maps.y += choices;
    maps.height -= choices;
    if (over_held_out(input_)) put_note(maps);
    if (input_.view_state.sort_heads)
      put_sorted(maps, all);
    else
      put_by_layer(HeadGrid(maps, heads, layers, all ? kinds.size() : 1, upright ? 2 : 1), heads,
                   all);
    add_group(stage_, std::move(group_), std::move(blocks_));
    stage_.figures.push_back(std::move(figure_));
  }

 private:
  bool has_held_out() const {
    return held_out_pattern_of(input_.computed, input_.attention, 0).has_value();
  }
  /// At the bottom: the shares are of other sentences than the maps. Takes its height off `maps`.
  void put_note(Rect& maps) {
    const std::size_t count = lesson::recorded_sentences();
    const std::string_view brief = base::text("stage.heads.maps_here");
    const std::string full = input_.view_state.sort_heads
                                 ? base::text("stage.heads.maps_here_sorted", {{"count", count}})
                                 : std::string(brief);
    maps.height -= note_line;
    add_words(figure_, {maps.x, maps.bottom() + note_line / 2.0F}, Side::left,
              longest_fitting({full, brief, ""}, 11.5F, maps.width), Tone::quiet, 11.5F);
  }

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
    put_button(figure_, place.right() - button_width(other), y - 13.0F, other,
               document::SortHeads{!sorted});
  }

  void put_by_layer(const HeadGrid& grid, std::size_t heads, bool all) {
    float y = grid.place.y;
    if (grid.lines == 1) {
      for (std::size_t head = 0; head < heads; ++head) number_of_head(grid, head, y);
      y += heads_line;
    }
    for (const AttentionId kind : kinds) {
      if (all || kind == lesson::kind_of(input_.attention.id)) y = put_kind(grid, kind, y, all);
    }
  }

  void number_of_head(const HeadGrid& grid, std::size_t head, float y) {
    const float x = grid.map(head, y).x;
    const std::string number = std::to_string(head);
    add_words(figure_, {x, y + 7.0F}, Side::left,
              longest_fitting({base::text("stage.index.head", {{"index", head}}), number}, 11.0F,
                              grid.column - 4.0F),
              Tone::quiet, 11.0F);
  }

  void choices_of_kind(float x, float y) {
    for (const AttentionId kind : kinds) {
      const std::string name(name_of_kind(kind));
      const bool here = kind == lesson::kind_of(input_.attention.id);
      x = put_choice({x, y}, name, here, base::text("stage.heads.show", {{"kind", name}}),
                     document::ChooseAttention{kind});
    }
  }

  void choices_of_sentences(const Rect& place, float y) {
    float x = place.x;
    const std::string what(base::text("stage.heads.over"));
    const std::string here(base::text("stage.heads.this_sentence"));
    const std::string held_out = held_out_words();
    const float width = text_width(what, 12.0F) + 10.0F;
    const bool over = over_held_out(input_);
    if (place.width > width + text_width(here + held_out, 12.0F, false, true) + 206.0F) {
      add_words(figure_, {x, y}, Side::left, what, Tone::quiet, 12.0F);
      x += width;
    }
    x = put_choice({x, y}, here, !over, here, document::MeasureHeldOut{false});
    put_choice({x, y}, held_out, over, held_out, document::MeasureHeldOut{true});
  }

  /// Words that choose something, unless it is what is chosen. Returns where the next can begin.
  float put_choice(Point at, const std::string& words, bool chosen, const std::string& label,
                   document::Command command) {
    const float width = text_width(words, 12.0F, false, true) + 14.0F;
    const float high = 24.0F;
    const Rect box{at.x, at.y - high / 2.0F, width, high};
    add_frame(figure_, box, chosen ? Tone::accent : Tone::line, chosen ? 1.5F : 1.0F);
    add_words(figure_, {at.x + width / 2.0F, at.y}, Side::centre, words,
              chosen ? Tone::strong : Tone::accent, 12.0F);
    if (!chosen) figure_.targets.push_back({box, label, std::move(command), {}});
    return box.right() + 4.0F;
  }

  float put_kind(const HeadGrid& grid, AttentionId kind, float y, bool all) {
    const float x = grid.place.x;
    if (all) {
      const std::string name(name_of_kind(kind));
      add_words(figure_, {x, y + 11.0F}, Side::left, name, Tone::strong, 12.0F);
      const float after = text_width(name, 12.0F, false, true) + 10.0F;
      const std::string says =
          longest_fitting({what_it_does(kind), ""}, 12.0F, grid.place.width - after);
      if (!says.empty())
        add_words(figure_, {x + after, y + 11.0F}, Side::left, says, Tone::quiet, 12.0F);
      y += kind_heading;
    }
    for (const ComputedAttention* layer : layers_of(input_, kind)) {
      const float middle = grid.lines > 1 ? y + grid.row * static_cast<float>(grid.lines) / 2.0F
                                          : grid.map(0, y).centre().y;
      add_number(figure_, {x, middle}, Side::left, std::to_string(lesson::layer_of(layer->id)),
                 Tone::quiet, 11.0F);
      for (std::size_t head = 0; head < layer->trace.config.num_heads; ++head)
        put_head(grid, *layer, head, y);
      y += grid.layer;
    }
    return y;
  }

  void put_head(const HeadGrid& grid, const ComputedAttention& layer, std::size_t head, float y) {
    const Rect room = grid.map(head, y);
    const HeadPattern pattern = does(layer, head);
    if (grid.labels || grid.under) {
      const float x = grid.under ? room.x : room.right() + 4.0F;
      float middle = grid.under ? room.bottom() + 16.0F : room.centre().y;
      const bool off = layer.trace.overrides.ablates(head);
      std::string words(off ? base::text("stage.head.off") : short_words_for(pattern.pattern));
      bool has_share = !off;
      if (grid.lines > 1) {  // its number as well, and what else has room
        words = longest_fitting({words, ""}, 11.0F, grid.column - room.width - 5.0F);
        has_share = has_share && !words.empty() && grid.row >= 42.0F;
        add_number(figure_, {x, middle - (has_share ? 14.0F : 7.0F)}, Side::left,
                   std::to_string(head), Tone::strong, 11.0F);
        middle += has_share ? 7.0F : 14.0F;
      }
      if (!words.empty())
        add_words(figure_, {x, middle - 7.0F}, Side::left, words,
                  pattern.pattern == Pattern::mixed ? Tone::quiet : Tone::text, 11.0F);
      if (has_share)
        add_number(figure_, {x, middle + 7.0F}, Side::left, percent(pattern.share), Tone::quiet,
                   10.0F);
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
        over_held_out(input_)
            ? base::text("stage.heads.does_over_held_out",
                         {{"pattern", pattern}, {"share", share}, {"sentences", held_out_words()}})
            : base::text("stage.heads.does", {{"pattern", pattern}, {"share", share}});
    const document::ChooseHeadOf choose{one.layer->id, one.head};
    figure_.targets.push_back(
        {target,
         name_of_head(one.layer->id, one.head) + ": " + words + meaning_of(one.does),
         choose,
         {}});
    if (!upright_) figure_.targets.back().preview = choose;  // it is enlarged beside the maps
  }

  /// The heads of all kinds, or of one, in groups of those that do the same, most of it first.
  std::vector<std::vector<OneHead>> sorted_heads(bool all) const {
    std::vector<std::vector<OneHead>> groups(static_cast<std::size_t>(Pattern::mixed) + 1);
    for (const AttentionId kind : kinds) {
      if (!all && kind != lesson::kind_of(input_.attention.id)) continue;
      for (const ComputedAttention* layer : layers_of(input_, kind)) {
        for (std::size_t head = 0; head < layer->trace.config.num_heads; ++head) {
          const HeadPattern pattern = does(*layer, head);
          groups[static_cast<std::size_t>(pattern.pattern)].push_back({layer, head, pattern});
        }
      }
    }
    std::erase_if(groups, [](const auto& group) { return group.empty(); });
    for (std::vector<OneHead>& group : groups) {
      group = base::sorted_by(std::move(group), [](const OneHead& head) {
        return base::SortKey{-static_cast<double>(head.does.share)};
      });
    }
    return groups;
  }

  /// Maps of one size, group by group, in as many lines as they need.
  void put_sorted(const Rect& place, bool all) {
    constexpr float between = 6.0F;
    constexpr float least_named = 26.0F;  // in width; narrower maps have no names
    constexpr float name_line = 12.0F;
    const std::vector<std::vector<OneHead>> groups = sorted_heads(all);
    // Where one kind is shown, others may do it.
    const std::string missing = all ? missing_patterns(groups) : "";
    const auto columns_of = [&](float side) {
      return std::max<std::size_t>(1, static_cast<std::size_t>(place.width / (side + between)));
    };
    bool named = true;
    const auto line_of = [&](float side) { return side + between + (named ? name_line : 0.0F); };
    const auto height_of = [&](float side) {
      float height = missing.empty() ? 0.0F : note_line;
      for (const auto& group : groups) {
        const std::size_t lines = (group.size() + columns_of(side) - 1) / columns_of(side);
        height += kind_heading + static_cast<float>(lines) * line_of(side);
      }
      return height;
    };
    const auto largest = [&](float least) {
      float side = 64.0F;
      while (side > least && height_of(side) > place.height) side -= 1.0F;
      return side;
    };
    float side = largest(least_named);
    if (height_of(side) > place.height) {
      named = false;
      side = largest(10.0F);
    }
    float y = place.y;
    for (const std::vector<OneHead>& group : groups) {
      const Pattern pattern = group.front().does.pattern;
      add_words(figure_, {place.x, y + 10.0F}, Side::left,
                std::string(words_for(pattern)) + ": " + std::to_string(group.size()), Tone::strong,
                12.0F);
      y += kind_heading;
      for (std::size_t i = 0; i < group.size(); ++i) {
        const std::size_t column = i % columns_of(side);
        if (i > 0 && column == 0) y += line_of(side);
        const float x = place.x + 2.0F + static_cast<float>(column) * (side + between);
        put_map(group[i], {x, y, side, side}, side + 4.0F, side + 4.0F);
        if (!named) continue;
        add_words(figure_, {x, y + side + 8.0F}, Side::left,
                  longest_fitting(brief_names(group[i]), 10.0F, side + between - 1.0F), Tone::quiet,
                  10.0F);
      }
      y += line_of(side);
    }
    if (!missing.empty() && y + note_line <= place.bottom() + 1.0F)
      add_words(figure_, {place.x, y + note_line / 2.0F}, Side::left,
                cut_to(missing, 11.5F, place.width), Tone::quiet, 11.5F);
  }

  /// "encoder 2 · 5", the layer and the head, as briefly as there is room.
  static Lengths brief_names(const OneHead& one) {
    const std::string place =
        std::to_string(lesson::layer_of(one.layer->id)) + " · " + std::to_string(one.head);
    const AttentionId kind = lesson::kind_of(one.layer->id);
    return {std::string(name_of_kind(kind)) + " " + place,
            std::string(short_name_of(kind)) + " " + place, place, ""};
  }

  /// What none of the heads does, which is as good to know.
  static std::string missing_patterns(const std::vector<std::vector<OneHead>>& groups) {
    std::string list;
    for (std::size_t i = 0; i < static_cast<std::size_t>(Pattern::mixed); ++i) {
      const auto pattern = static_cast<Pattern>(i);
      const bool there = std::any_of(groups.begin(), groups.end(), [&](const auto& group) {
        return group.front().does.pattern == pattern;
      });
      if (!there) list += (list.empty() ? "" : ", ") + std::string(words_for(pattern));
    }
    return list.empty() ? "" : base::text("stage.heads.nobody", {{"patterns", list}});
  }

  Stage& stage_;
  const FigureInput& input_;
  Figure figure_;
  bool upright_;
  Group group_;
  std::vector<Block> blocks_;
};

}  // namespace

bool has_all_heads(const FigureInput& input) {
  return input.computed.attentions.size() > kinds.size() &&
         !layers_of(input, AttentionId::cross_attention).empty();
}

bool shows_one_head(const document::ViewState& view_state, const Rect& place) {
  return is_upright(place) && !view_state.all_heads;
}

void put_all_heads(Stage& stage, const FigureInput& input, const Rect& given) {
  const Rect place = at_least(given, 320.0F, given.width < 480.0F ? 360.0F : 280.0F);
  if (!shows_one_head(input.view_state, place)) {
    AllHeads(stage, input, place).put(place);
    return;
  }
  Figure figure = figure_in("one-head", place);
  put_one_head(stage, figure, input, place, true);
  stage.figures.push_back(std::move(figure));
}

}  // namespace stage
