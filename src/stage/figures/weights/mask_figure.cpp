#include "stage/figures/step_figures.hpp"

#include <algorithm>

#include "model/attention/mask.hpp"
#include "ops/operation.hpp"
#include "stage/figures/contributions.hpp"
#include "stage/figures/row_table.hpp"
#include "stage/scene/number_text.hpp"

namespace stage {

using model::Scale;
using model::TensorId;
using tensor::Tensor;

namespace {

std::size_t differences(const std::vector<float>& a, const std::vector<float>& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += is_same(a[i], b[i]) ? 0U : 1U;
  return count;
}

/// The query's row, scaled and masked in both orders.
struct BothWays {
  bool has_mask = false;
  bool scaled = false;
  float divisor = 1.0F;
  std::string divisor_text;
  std::vector<float> masked_first;  // [Lk] (score + mask) / divisor
  std::size_t differ = 0;           // number of keys for which the order matters
  bool as_it_should = true;         // masked_scores are score / divisor + mask
  std::size_t hidden = 0;
};

BothWays compute_both_ways(const QueryRow& row) {
  const model::Trace& trace = row.trace();
  const model::Config& config = trace.config;
  BothWays both;
  both.has_mask = trace.has("mask");
  both.scaled = config.scale.kind != Scale::Kind::none;
  both.divisor = config.scale.divisor(config.head_dim(), config.key_len);
  both.divisor_text = divisor_text(config.scale, config.head_dim(), config.key_len);
  const ops::Constants constants{.divisor = both.divisor};
  const Tensor scores = row.view("scores");
  const Tensor scaled = both.scaled ? apply(ops::divide, {scores}, constants) : scores;
  const std::vector<float> made = row.values("masked_scores");
  if (!both.has_mask) {
    both.as_it_should = differences(scaled.values(), made) == 0;
    return both;
  }
  const Tensor mask = row.view("mask");
  const std::vector<float> scaled_first = apply(ops::add, {scaled, mask}).values();
  const Tensor masked = apply(ops::add, {scores, mask});
  both.masked_first = (both.scaled ? apply(ops::divide, {masked}, constants) : masked).values();
  both.differ = differences(scaled_first, both.masked_first);
  both.as_it_should = differences(scaled_first, made) == 0;
  for (const float value : mask.values()) both.hidden += value == model::hidden ? 1U : 0U;
  return both;
}

std::vector<std::string> notes_of(const QueryRow& row, const BothWays& both) {
  std::vector<std::string> notes;
  if (!both.has_mask) {
    notes.emplace_back("No mask: this query sees every key.");
    return notes;
  }
  const std::string keys = std::to_string(row.keys());
  if (both.hidden == row.keys()) {
    notes.emplace_back(
        "Every key is hidden from this query, so softmax would divide 0 by 0: see the next step.");
  } else {
    notes.push_back(std::to_string(both.hidden) + " of " + keys +
                    (row.keys() == 1 ? " key is hidden." : " keys are hidden."));
  }
  if (!both.as_it_should) {
    notes.emplace_back("Here masked_scores are not scaled_scores + mask: a mistake was made.");
  } else if (!both.scaled) {
    notes.emplace_back("Without a scale, the order makes no difference.");
  } else if (both.differ == 0) {
    notes.emplace_back(
        "Scaling first or masking first gives the same numbers: dividing changes neither 0 nor "
        "−∞.");
  } else {
    notes.push_back("The order matters for " + std::to_string(both.differ) + " of " + keys +
                    (both.divisor < 0.0F ? " keys: divided by a negative number, −∞ becomes ∞."
                                         : " keys: a finite mask value is divided too."));
  }
  return notes;
}

}  // namespace

void put_mask_figure(Stage& stage, const FigureInput& input, const Rect& wanted) {
  const Rect place = at_least(wanted, 240.0F, 150.0F);
  const QueryRow row(input);
  const BothWays both = compute_both_ways(row);
  TableSizes sizes;
  sizes.notes = notes_of(row, both);
  // If there are many keys, those with the largest weights say most, since hidden keys have none.
  KeyTable table = begin_table(row, "one row of the mask", place, sizes,
                               row.values("attention_weights"), row.keys());
  const bool two_ways = both.has_mask && both.scaled;
  const float count = both.has_mask ? (two_ways ? 4.0F : 3.0F) : 2.0F;
  const float gap = table.width() < 220.0F ? 6.0F : 12.0F;
  const float column = std::min(112.0F, (table.width() - gap * (count - 1.0F)) / count);
  const float cell = std::min(column, 84.0F);
  float x = table.left;
  const auto put_column = [&](TensorId tensor, const std::vector<std::string>& first,
                              const std::vector<std::string>& second) {
    put_heading(table, x, column, Side::left, first, second);
    put_cells(stage, row, tensor, table.rows, x, cell);
    x += column + gap;
  };
  const std::string divided = "÷ " + both.divisor_text;
  put_column("scores", {"score"}, {});
  if (both.has_mask) put_column("mask", {"mask"}, {});
  if (two_ways) {
    put_column("masked_scores", {divided + ", then", divided}, {"+ mask"});
    put_heading(table, x, column, Side::left, {"+ mask, then", "+ mask"}, {divided});
    for (std::size_t i = 0; i < table.rows.keys.size(); ++i) {
      const float number = both.masked_first[table.rows.keys[i]];
      const int room = static_cast<int>((column - 6.0F) / (table.type * 0.6F));
      put_number(table, x + cell - 4.0F, table.rows.middle(i), number_in(number, room, 3));
    }
  } else {
    put_column("masked_scores",
               {both.has_mask ? "score + mask"
                : both.scaled ? "score " + divided
                              : "score",
                "sum"},
               {both.has_mask ? "" : "no mask"});
  }
  stage.figures.push_back(std::move(table.figure));
}

}  // namespace stage
