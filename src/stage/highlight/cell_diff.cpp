#include "stage/highlight/cell_diff.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/text.hpp"
#include "model/roles.hpp"
#include "stage/highlight/note_room.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/layout/steps/step_layouts.hpp"

namespace stage {

using tensor::Index;
using tensor::Tensor;

bool differ(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) != std::isnan(b);
  if (std::isinf(a) || std::isinf(b)) return a != b;
  return std::fabs(a - b) > 1e-5F * (1.0F + std::fabs(b));
}

bool mistake_shows(const document::Session& session) {
  if (session.document().configuration.mistake == model::Mistake::none) return false;
  const document::Computed* right = session.without_mistake();
  if (right == nullptr) return true;
  const document::ViewState& view_state = session.document().view_state;
  const auto output = [&view_state](const document::Computed& computed) {
    const Tensor& all = computed.find(view_state.attention).trace[model::roles::output];
    return all.select(0, std::min(view_state.sample, all.dim(0) - 1)).values();
  };
  const std::vector<float> seen = output(session.computed());
  const std::vector<float> wanted = output(*right);
  return !std::equal(seen.begin(), seen.end(), wanted.begin(), wanted.end(),
                     [](float a, float b) { return !differ(a, b); });
}

bool is_another(float a, float b) { return a != b && !(std::isnan(a) && std::isnan(b)); }

namespace {

using Compare = bool (*)(float, float);

/// How many cells of a group were compared, and how many of them are others.
struct Counted {
  std::size_t differ = 0;
  std::size_t all = 0;
};

/// Which cells of a block differ from the same cells of `other`, in row-major order; empty where
/// they cannot be compared.
std::vector<bool> differing(const Block& block, const document::Computed& other,
                            const document::ViewState& view_state, Compare differs) {
  const model::Trace& trace = other.find(block.attention).trace;
  const Tensor tensor = trace.at_query(block.tensor, view_state.query);
  if (!tensor.defined() || block.partial || block.piece) return {};
  std::vector<bool> result(block.rows() * block.columns(), false);
  for (std::size_t row = 0; row < block.rows(); ++row) {
    for (std::size_t column = 0; column < block.columns(); ++column) {
      Index index = block.index_of(row, column);
      if (trace.is_on_demand(block.tensor))
        index[trace.axes_of(block.tensor).place_of(model::Axis::Lq)] = 0;  // its only query
      // A translation that was changed by an edit or without a head may be longer.
      if (!tensor::contains(tensor.shape(), index)) return {};
      result[row * block.columns() + column] = differs(block.value(row, column), tensor.at(index));
    }
  }
  return result;
}

/// Marks the cells of all blocks that differ from those of `other`, in a list of each block; the
/// counts are of each group.
std::vector<Counted> mark(Stage& stage, std::vector<bool> Block::*marks,
                          const document::Computed& other, const document::ViewState& view_state,
                          Compare differs) {
  std::vector<Counted> counted(stage.groups.size());
  for (Block& block : stage.blocks) {
    std::vector<bool> found = differing(block, other, view_state, differs);
    counted[block.group].differ +=
        static_cast<std::size_t>(std::count(found.begin(), found.end(), true));
    counted[block.group].all += found.size();
    block.*marks = std::move(found);
  }
  return counted;
}

/// The longest of these notes that ends before what stands on the right of the caption. Where not
/// even the last does, it takes the place of the shape, since it matters more.
void put_note(const Stage& stage, Group& group, const Lengths& notes) {
  if (group.caption.height < caption_height) return;  // it has no second line
  const float limit = note_limit(stage, group);
  for (const std::string& note : notes.all) {
    group.note = note;
    if (group.caption.x + caption_width(group) <= limit) return;
  }
  group.shape.clear();
}

}  // namespace

void mark_wrong(Stage& stage, const document::Computed& right,
                const document::ViewState& view_state) {
  const std::vector<Counted> wrong = mark(stage, &Block::wrong, right, view_state, differ);
  for (std::size_t i = 0; i < stage.groups.size(); ++i) {
    if (wrong[i].differ == 0) continue;
    put_note(
        stage, stage.groups[i],
        {base::text("stage.caption.wrong", {{"wrong", wrong[i].differ}, {"all", wrong[i].all}}),
         base::text("stage.caption.wrong.short",
                    {{"wrong", wrong[i].differ}, {"all", wrong[i].all}})});
    stage.groups[i].wrong = true;
    if (!stage.groups[i].folded) continue;
    for (Figure& card : stage.figures) {
      if (!card.bounds.contains(stage.groups[i].bounds.centre())) continue;
      for (Stroke& stroke : card.strokes) stroke.tone = Tone::wrong;
    }
  }
}

void mark_changed(Stage& stage, const document::Computed& before,
                  const document::ViewState& view_state) {
  const std::vector<Counted> changed = mark(stage, &Block::changed, before, view_state, is_another);
  for (std::size_t i = 0; i < stage.groups.size(); ++i) {
    Group& group = stage.groups[i];
    if (changed[i].differ == 0 || group.wrong) continue;
    put_note(stage, group,
             {base::text("stage.caption.changed",
                         {{"changed", changed[i].differ}, {"all", changed[i].all}}),
              base::text("stage.caption.changed.short",
                         {{"changed", changed[i].differ}, {"all", changed[i].all}})});
  }
}

}  // namespace stage
