#include "draw/panels/training/heat_maps.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "draw/panels/widgets.hpp"
#include "stage/scene/number_text.hpp"

namespace draw {

using stage::Point;
using stage::Rect;

namespace {

constexpr float heading = 18.0F;
constexpr float tokens_room = 12.0F;  // at the left and at the top
constexpr float token_type = 10.5F;

}  // namespace

void draw_heat_map(ImDrawList* list, const Theme& theme, const tensor::Tensor& weights,
                   std::size_t head, Point corner, float size) {
  const tensor::Tensor map = weights.select(0, 0).select(0, head);
  const std::vector<float> values = map.values();
  const std::size_t columns = map.dim(1);
  const float cell = size / static_cast<float>(columns);
  const float range = std::max(1e-6F, *std::max_element(values.begin(), values.end()));
  list->AddRectFilled({corner.x, corner.y}, {corner.x + size, corner.y + size},
                      packed(cell_colour(theme, stage::Colouring::weights, range, 0.0F)));
  for (std::size_t i = 0; i < values.size(); ++i) {
    // Cells that would hardly differ from the ground are left out: there are many.
    if (!(values[i] > 0.02F * range)) continue;
    const float x = corner.x + cell * static_cast<float>(i % columns);
    const std::size_t row = i / columns;
    const float y = corner.y + cell * static_cast<float>(row);
    list->AddRectFilled({x, y}, {x + cell, y + cell},
                        packed(cell_colour(theme, stage::Colouring::weights, range, values[i])));
  }
  list->AddRect({corner.x, corner.y}, {corner.x + size, corner.y + size}, packed(theme.border));
}

HeatMaps::HeatMaps(const Screen& screen)
    : screen_(screen),
      trace_(screen.session.attention().trace),
      count_(std::min<std::size_t>(trace_["attention_weights"].dim(1), 2)) {}

float HeatMaps::width(float height) const {
  const float size = height - heading;
  return static_cast<float>(count_) * (size + between) + names_width(size);
}

float HeatMaps::names_width(float size) const {
  constexpr float most = 60.0F;
  const auto& tokens = screen_.session.attention().query_tokens[0];
  const bool high_enough = size / static_cast<float>(tokens.size()) >= token_type;
  if (!high_enough || has_tokens(size)) return 0.0F;
  float widest = 0.0F;
  for (const std::string& token : tokens)
    widest = std::max(widest, measure(screen_.type.words, token_type, token).x);
  return widest <= most ? widest + 5.0F : 0.0F;
}

Rect HeatMaps::square(std::size_t head, const Rect& place) const {
  const float size = place.height - heading;
  const float x = place.right() - static_cast<float>(count_ - head) * (size + between) + between;
  const Rect whole{x, place.y + heading - 2.0F, size, size};
  if (!has_tokens(size)) return whole;
  return {whole.x + tokens_room, whole.y + tokens_room, size - tokens_room, size - tokens_room};
}

/// Only single letters stand upright over columns as narrow as these.
bool HeatMaps::has_tokens(float size) const {
  const auto& tokens = screen_.session.attention().query_tokens[0];
  const float cell = (size - tokens_room) / static_cast<float>(tokens.size());
  const auto fits = [&](const std::string& token) {
    return measure(screen_.type.words, token_type, token).x <= std::min(cell, tokens_room - 2.0F);
  };
  return cell >= token_type - 1.0F && std::all_of(tokens.begin(), tokens.end(), fits);
}

void HeatMaps::put_tokens(ImDrawList* list, const Rect& map) const {
  const auto& tokens = screen_.session.attention().query_tokens[0];
  const float cell = map.width / static_cast<float>(tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const float along = cell * (static_cast<float>(i) + 0.5F);
    const auto put = [&](Point at) {
      set_text(list, screen_.type.words, token_type, at, Align::centre, packed(screen_.theme.quiet),
               tokens[i]);
    };
    put({map.x - tokens_room / 2.0F, map.y + along});
    put({map.x + along, map.y - tokens_room / 2.0F});
  }
}

void HeatMaps::put_names(ImDrawList* list, const Rect& map) const {
  const auto& tokens = screen_.session.attention().query_tokens[0];
  const float row = map.height / static_cast<float>(tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    set_text(list, screen_.type.words, token_type,
             {map.x - 5.0F, map.y + row * (static_cast<float>(i) + 0.5F)}, Align::right,
             packed(screen_.theme.quiet), tokens[i]);
  }
}

void HeatMaps::explain(std::size_t head, const Rect& map) const {
  if (!ImGui::IsWindowHovered() ||
      !ImGui::IsMouseHoveringRect({map.x, map.y}, {map.right(), map.bottom()}))
    return;
  const auto& attention = screen_.session.attention();
  const tensor::Tensor& weights = trace_["attention_weights"];
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const auto place = [](float part, std::size_t count) {
    const float at = part * static_cast<float>(count);
    return std::min(static_cast<std::size_t>(std::max(0.0F, at)), count - 1);
  };
  const std::size_t query = place((mouse.y - map.y) / map.height, weights.dim(2));
  const std::size_t key = place((mouse.x - map.x) / map.width, weights.dim(3));
  tooltip(base::text("draw.training.weight",
                     {{"query", attention.query_tokens[0][query]},
                      {"row", query},
                      {"key", attention.key_tokens[0][key]},
                      {"column", key},
                      {"weight", stage::number_text(weights.at({0, head, query, key}), 2)}}));
}

void HeatMaps::draw(ImDrawList* list, const Rect& place) const {
  for (std::size_t head = 0; head < count_; ++head) {
    const Rect map = square(head, place);
    draw_heat_map(list, screen_.theme, trace_["attention_weights"], head, {map.x, map.y},
                  map.width);
    set_text(list, screen_.type.words, 11.5F, {map.x, place.y + 8.0F}, Align::left,
             packed(screen_.theme.head(head)), base::text("draw.heads.head", {{"head", head}}));
    if (has_tokens(place.height - heading)) put_tokens(list, map);
    if (head == 0 && names_width(place.height - heading) > 0.0F) put_names(list, map);
    explain(head, map);
  }
}

}  // namespace draw
