#include "stage/wording/breadcrumb.hpp"

#include <array>
#include <utility>

#include "base/text.hpp"
#include "document/commands.hpp"
#include "document/places/places.hpp"
#include "stage/figures/heads/one_head.hpp"

namespace stage {

using document::ViewState;
using lesson::StepId;

namespace {

constexpr std::size_t all_heads_level = 1;

/// `keys`: of the texts about a layer of the encoder, of the decoder, and of cross-attention.
std::string layer_words_of(const std::array<std::string_view, 3>& keys, lesson::AttentionId id) {
  const lesson::AttentionId kind = lesson::kind_of(id);
  const std::size_t place = kind == lesson::AttentionId::encoder_self_attention   ? 0
                            : kind == lesson::AttentionId::decoder_self_attention ? 1
                                                                                  : 2;
  return base::text(keys[place], {{"layer", lesson::layer_of(id)}});
}

std::string brief_layer_words(lesson::AttentionId id) {
  return layer_words_of({"stage.breadcrumb.encoder.brief", "stage.breadcrumb.decoder.brief",
                         "stage.breadcrumb.cross.brief"},
                        id);
}

/// "[0, 5, 1, 2]"
std::string index_words(const tensor::Index& index) {
  std::string words = "[";
  for (std::size_t axis = 0; axis < index.rank(); ++axis)
    words += (axis == 0 ? "" : ", ") + std::to_string(index[axis]);
  return words + "]";
}

/// The same attention on the map, as all heads or as its matrices.
ViewState on_map(ViewState view_state, document::Show show) {
  view_state.cell.reset();
  view_state = document::at_step(view_state, StepId::overview);
  view_state.show = show;
  return view_state;
}

}  // namespace

std::string layer_words(lesson::AttentionId id) {
  return layer_words_of(
      {"stage.breadcrumb.encoder", "stage.breadcrumb.decoder", "stage.breadcrumb.cross"}, id);
}

std::vector<Crumb> breadcrumb(const document::Computed& computed, const ViewState& now) {
  if (!computed.translated) return {};
  using document::Show;
  const document::ComputedAttention& attention = computed.find(now.attention);
  std::vector<Crumb> path;
  const auto add = [&path](std::string words, std::string brief, ViewState there) {
    path.push_back({std::move(words), std::move(brief), there, false});
  };

  ViewState whole = now;
  whole.cell.reset();
  whole = document::both_sentences(whole);
  const std::string translator(base::text("stage.breadcrumb.translator"));
  add(translator, translator, whole);
  const std::string heads =
      base::text("stage.breadcrumb.heads",
                 {{"count", computed.attentions.size() * attention.trace.config.num_heads}});
  ViewState all = on_map(now, Show::automatic);
  all.all_heads = true;
  add(heads, heads, all);

  const bool map = now.step == StepId::overview;
  const bool on_top = document::draws_mean(attention.trace, now) && !now.cell &&
                      now.attention == path.front().there.attention;
  if (on_top) {
    path.front().here = true;
    return path;
  }
  if (map && now.show != Show::matrices) {
    if (!now.all_heads) {  // one of them, enlarged
      const std::string head = name_of_head(now.attention, now.head);
      add(head, head, now);
    }
    path.back().here = true;
    return path;
  }

  ViewState matrices = on_map(now, Show::matrices);
  matrices.all_heads = true;
  add(layer_words(now.attention), brief_layer_words(now.attention), matrices);
  if (!now.all_heads && !document::draws_mean(attention.trace, now)) {
    matrices.all_heads = false;
    const std::string head = base::text("stage.breadcrumb.head", {{"head", now.head}});
    add(head, head, matrices);
  }
  if (!map) {
    ViewState step = now;
    step.cell.reset();
    const std::string label(lesson::step(now.step).label());
    add(label, label, step);
  }
  if (now.cell) {
    const std::string index = index_words(now.cell->index);
    add(base::text("stage.breadcrumb.cell", {{"index", index}}), index, now);
  }
  path.back().here = true;
  return path;
}

std::vector<CrumbShown> crumbs_in(const std::vector<Crumb>& path, float width, float between,
                                  const std::function<float(const std::string&)>& width_of) {
  const auto fits = [&](const std::vector<CrumbShown>& line) {
    float needed = between * static_cast<float>(line.size()) - between;
    for (const CrumbShown& part : line) needed += width_of(part.words);
    return needed <= width;
  };
  std::vector<CrumbShown> line;
  for (std::size_t level = 0; level < path.size(); ++level)
    line.push_back({path[level].words, level});
  if (fits(line)) return line;
  for (CrumbShown& part : line) part.words = path[part.level].brief;
  if (fits(line)) return line;
  // Without all heads, then without the first, then without one after the other.
  for (std::size_t first = 1, last = all_heads_level; last + 1 < path.size();
       first == 1 ? first = 0 : ++last) {
    std::vector<CrumbShown> shorter(line.begin(),
                                    line.begin() + static_cast<std::ptrdiff_t>(first));
    shorter.push_back({"…", last});
    shorter.insert(shorter.end(), line.begin() + static_cast<std::ptrdiff_t>(last) + 1, line.end());
    if (fits(shorter) || last + 2 == path.size()) return shorter;
  }
  return line;
}

}  // namespace stage
