#include "document/edits/interventions.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "base/order.hpp"
#include "base/text.hpp"
#include "document/edits/given.hpp"
#include "document/state/text.hpp"
#include "tensor/tensor.hpp"

namespace document {

using base::fail;
using base::Result;
using lesson::AttentionId;
using lesson::Problem;
using model::GivenWeights;
using model::Mistake;
using model::Overrides;

namespace {

bool is_row_before(const GivenRow& a, const GivenRow& b) {
  return std::tie(a.attention, a.row.sample, a.row.head, a.row.query) <
         std::tie(b.attention, b.row.sample, b.row.head, b.row.query);
}

/// "cross_attention.attention_weights[0,1,2]"
std::string describe(const GivenRow& given) {
  return std::string(lesson::name_of(given.attention)) + ".attention_weights" +
         tensor::describe({given.row.sample, given.row.head, given.row.query});
}

/// The rows that the problem sets by hand. Only a single attention has any.
const std::vector<GivenWeights>& own_rows(const Problem& problem, std::size_t place) {
  static const std::vector<GivenWeights> none;
  return place == 0 ? problem.given_weights : none;
}

Result<void> check_row(const Problem& problem, const GivenRow& given) {
  const tensor::Tensor& queries = query_sequence(problem, given.attention).embedding;
  const std::size_t keys = key_sequence(problem, given.attention).embedding.dim(1);
  const tensor::Shape shape{queries.dim(0), problem.options.num_heads, queries.dim(1)};
  const GivenWeights& row = given.row;
  if (row.sample >= shape[0] || row.head >= shape[1] || row.query >= shape[2]) {
    return fail(base::text("document.weights.row_outside",
                           {{"row", describe(given)}, {"shape", tensor::describe(shape)}}));
  }
  if (row.weights.size() != keys) {
    return fail(
        base::text("document.weights.count",
                   {{"row", describe(given)}, {"count", row.weights.size()}, {"keys", keys}}));
  }
  for (const float weight : row.weights) {
    if (weight >= 0.0F && weight <= largest_weight) continue;  // false for NaN
    return fail(base::text("document.weights.number",
                           {{"row", describe(given)}, {"number", number_text(weight)}}));
  }
  return {};
}

Result<void> put_row(const Problem& problem, const GivenRow& given, std::vector<Overrides>& all) {
  const auto place = place_of(problem, given.attention);
  if (!place) return fail(place.error());
  if (auto fits = check_row(problem, given); !fits) return fits;
  std::vector<GivenWeights>& rows = all[*place].given_weights;
  std::erase_if(rows, [&given](const GivenWeights& row) {
    return given.is_same_row({given.attention, row});
  });
  rows.push_back(given.row);
  return {};
}

Result<void> check_twice(std::vector<GivenRow> rows) {
  base::sort(rows, is_row_before);
  const auto twice =
      std::adjacent_find(rows.begin(), rows.end(),
                         [](const GivenRow& a, const GivenRow& b) { return a.is_same_row(b); });
  if (twice == rows.end()) return {};
  return fail(base::text("document.weights.row_twice", {{"row", describe(*twice)}}));
}

}  // namespace

Result<std::vector<Overrides>> overrides_of(const Problem& problem,
                                            const Configuration& configuration) {
  const std::size_t num_heads = problem.options.num_heads;
  std::vector<Overrides> all(problem.attentions().size());
  for (std::size_t place = 0; place < all.size(); ++place) {
    all[place].mistake = configuration.mistake;
    all[place].given_weights = own_rows(problem, place);
  }
  for (const auto& [id, heads] : configuration.ablated_heads) {
    const auto place = place_of(problem, id);
    if (!place) return fail(place.error());
    for (const std::size_t head : heads) {
      if (head < num_heads) continue;
      return fail(base::text(
          "document.edit.ablated_head",
          {{"head", head}, {"attention", lesson::name_of(id)}, {"last", num_heads - 1}}));
    }
    all[*place].ablated_heads = heads;
  }
  if (configuration.given_weights.size() > max_given_rows) {
    return fail(
        base::text("document.weights.too_many_rows",
                   {{"count", configuration.given_weights.size()}, {"most", max_given_rows}}));
  }
  if (auto twice = check_twice(configuration.given_weights); !twice) return fail(twice.error());
  for (const GivenRow& given : configuration.given_weights) {
    if (auto put = put_row(problem, given, all); !put) return fail(put.error());
  }
  return all;
}

Configuration with_shortest_interventions(Configuration configuration, const Problem& problem) {
  for (auto& [id, heads] : configuration.ablated_heads) {
    base::sort(heads);
    heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
  }
  std::erase_if(configuration.ablated_heads,
                [](const auto& heads) { return heads.second.empty(); });
  base::sort(configuration.given_weights, is_row_before);
  std::erase_if(configuration.given_weights, [&](const GivenRow& given) {
    const auto place = place_of(problem, given.attention);
    if (!place) return false;
    const auto& own = own_rows(problem, *place);
    return std::find(own.begin(), own.end(), given.row) != own.end();
  });
  return configuration;
}

Configuration with_ablated_head(Configuration configuration, AttentionId attention,
                                std::size_t head, bool ablated) {
  std::vector<std::size_t>& heads = configuration.ablated_heads[attention];
  std::erase(heads, head);
  if (ablated) heads.push_back(head);
  return configuration;
}

Configuration with_row(Configuration configuration, GivenRow row) {
  std::erase_if(configuration.given_weights,
                [&row](const GivenRow& given) { return given.is_same_row(row); });
  configuration.given_weights.push_back(std::move(row));
  return configuration;
}

Configuration without_row(Configuration configuration, const ReleaseWeights& row) {
  std::erase_if(configuration.given_weights, [&row](const GivenRow& given) {
    return given.attention == row.attention && given.row.sample == row.sample &&
           given.row.head == row.head && given.row.query == row.query;
  });
  return configuration;
}

Configuration without_rows(Configuration configuration) {
  configuration.given_weights.clear();
  if (configuration.mistake == Mistake::keys_not_transposed) configuration.mistake = Mistake::none;
  return configuration;
}

Configuration without_heads(Configuration configuration) {
  configuration.ablated_heads.clear();
  return without_rows(std::move(configuration));
}

}  // namespace document
