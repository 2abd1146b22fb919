#include "stage/figures/step_figures.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "document/places/arriving.hpp"
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
  bool direct = true;  // the mask is added to scaled scores, not to what a variant made of them
  TensorId first;      // what they are added to, or scores, where they are only divided before
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
  const TensorId before = trace.made_by("masked_scores")->of[0];
  both.first = "scores";
  both.direct = before == TensorId("scaled_scores");
  if (!both.direct) both.first = before;
  both.scaled = both.direct && config.scale.kind != Scale::Kind::none;
  both.divisor = config.scale.divisor(config.head_dim(), config.key_len);
  both.divisor_text = divisor_text(config.scale, config.head_dim(), config.key_len);
  const ops::Constants constants{.divisor = both.divisor};
  const Tensor scores = row.view(both.first);
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
    notes.emplace_back(base::text("stage.mask.none"));
    return notes;
  }
  if (both.hidden == row.keys()) {
    notes.emplace_back(base::text("stage.mask.all_hidden"));
  } else {
    notes.push_back(
        base::counted_text("stage.mask.hidden_keys", row.keys(), {{"hidden", both.hidden}}));
    const auto other = document::sample_with_a_hidden_key(row.trace());
    if (other && !document::hides_a_key(row.trace(), row.sample()))
      notes.push_back(base::text("stage.mask.hidden_elsewhere", {{"sample", *other}}));
  }
  if (!both.as_it_should) {
    notes.emplace_back(base::text("stage.mask.mistake"));
  } else if (!both.direct) {
    return notes;
  } else if (!both.scaled) {
    notes.emplace_back(base::text("stage.mask.unscaled"));
  } else if (both.differ == 0) {
    notes.emplace_back(base::text("stage.mask.same"));
  } else {
    notes.push_back(base::text(
        both.divisor < 0.0F ? "stage.mask.differs_negative" : "stage.mask.differs_finite",
        {{"differ", both.differ}, {"keys", row.keys()}}));
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
  KeyTable table = begin_table(row, "mask-row", place, sizes, row.values("attention_weights"),
                               input.view_state.key);
  const bool two_ways = both.has_mask && both.scaled;
  const float count = both.has_mask ? (two_ways ? 4.0F : 3.0F) : 2.0F;
  const float gap = table.width() < 220.0F ? 6.0F : 12.0F;
  const float column = std::min(112.0F, (table.width() - gap * (count - 1.0F)) / count);
  const float cell = std::min(column, 84.0F);
  float x = table.left;
  const auto put_column = [&](TensorId tensor, const Lengths& first, const Lengths& second) {
    put_heading(table, x, column, Side::left, first, second);
    put_cells(stage, row, tensor, table.rows, x, cell);
    x += column + gap;
  };
  const std::string divided = "÷ " + both.divisor_text;
  const std::string_view score = base::text("stage.score.plain");
  const Lengths first = both.direct ? Lengths{score} : names_of_variant(row.trace());
  const std::string_view added = base::text("stage.mask.added");
  put_column(both.first, first, {});
  if (both.has_mask) put_column("mask", {"mask"}, {});
  if (two_ways) {
    const auto then = [](std::string_view first) {
      return base::text("stage.mask.then", {{"first", first}});
    };
    put_column("masked_scores", {then(divided), divided}, {added});
    put_heading(table, x, column, Side::left, {then(added), added}, {divided});
    for (std::size_t i = 0; i < table.rows.keys.size(); ++i) {
      const float number = both.masked_first[table.rows.keys[i]];
      const int room = static_cast<int>((column - 6.0F) / (table.type * 0.6F));
      put_number(table, x + cell - 4.0F, table.rows.middle(i), number_in(number, room, 3));
    }
  } else {
    const std::string sum = both.has_mask ? std::string(base::text("stage.mask.sum"))
                            : both.scaled ? base::text("stage.mask.scaled", {{"divided", divided}})
                                          : std::string(score);
    put_column("masked_scores", {sum, base::text("stage.sum.sum")},
               {both.has_mask ? "" : base::text("stage.mask.none.short")});
  }
  stage.figures.push_back(std::move(table.figure));
}

}  // namespace stage
