// The shortest form of a configuration.
#include <algorithm>
#include <utility>

#include "base/order.hpp"
#include "base/text.hpp"
#include "document/edits/address.hpp"
#include "document/edits/given.hpp"
#include "document/edits/interventions.hpp"
#include "document/learning/target.hpp"
#include "model/roles.hpp"

namespace document {

using base::fail;
using base::Result;

namespace {

Result<void> check_twice(const std::vector<Edit>& edits) {
  std::vector<CellAddress> cells;
  cells.reserve(edits.size());
  for (const Edit& edit : edits) cells.push_back(edit.cell);
  base::sort(cells, comes_before);
  const auto twice = std::adjacent_find(cells.begin(), cells.end());
  if (twice == cells.end()) return {};
  return fail(base::text("document.edit.twice", {{"cell", describe(*twice)}}));
}

/// What without_aliases forgets: the head of a mask cell.
Result<void> check_head(const CellAddress& cell, std::size_t num_heads) {
  if (cell.tensor != model::roles::mask || cell.index.rank() != 4 || cell.index[1] < num_heads)
    return {};
  return fail(base::text("document.edit.head_outside",
                         {{"cell", describe(cell)}, {"last", num_heads - 1}}));
}

/// The edits under their canonical names, without those that change nothing.
Result<std::vector<Edit>> canonical_edits(const std::vector<Edit>& edits, Given given) {
  std::vector<Edit> result;
  for (const Edit& edit : edits) {
    const auto canonical = canonical_edit(given, edit);
    if (!canonical) return fail(canonical.error());
    result.push_back(*canonical);
  }
  if (auto twice = check_twice(result); !twice) return fail(twice.error());
  std::erase_if(result, [&given](const Edit& edit) {
    return (*tensor_behind(given, edit.cell))->at(edit.cell.index) == edit.value;
  });
  return result;
}

}  // namespace

Result<Edit> canonical_edit(Given& given, const Edit& edit) {
  if (auto head = check_head(edit.cell, given.problem.options.num_heads); !head)
    return fail(head.error());
  const Edit canonical{without_aliases(given.problem.arrangement, edit.cell), edit.value};
  if (const auto tensor = tensor_behind(given, canonical.cell); !tensor)
    return fail(tensor.error());
  if (auto value = check_value(canonical); !value) return fail(value.error());
  return canonical;
}

namespace {

/// Without what is chosen as the task has it.
Training shortest(const Configuration& configuration) {
  const auto task = lesson::example(configuration.example).task;
  if (!task) return {};
  const training::Settings& own = training::task(*task).settings;
  Training training = configuration.training;
  if (training.method == own.method) training.method.reset();
  if (training.learning_rate == own.learning_rate) training.learning_rate.reset();
  if (training.batch_size == own.batch_size) training.batch_size.reset();
  return training;
}

}  // namespace

Result<Configuration> shortest(const Configuration& configuration, const lesson::Problem& problem) {
  if (configuration.edits.size() > max_edits) {
    return fail(base::text("document.edit.too_many",
                           {{"count", configuration.edits.size()}, {"most", max_edits}}));
  }
  auto given = with_choices(problem, configuration);
  if (!given) return fail(given.error());
  auto edits = canonical_edits(configuration.edits, *std::move(given));
  if (!edits) return fail(edits.error());

  auto target = checked_target(configuration.target, problem);
  if (!target) return fail(target.error());

  Configuration result = configuration;
  result.target = *std::move(target);
  result.parameters = lesson::shortest(configuration.example, configuration.parameters);
  result.edits = *std::move(edits);
  if (result.scale && result.scale->kind != model::Scale::Kind::number) result.scale->number = 1.0F;
  if (result.scale == problem.options.scale) result.scale.reset();
  if (result.position_encoding == problem.position_encoding) result.position_encoding.reset();
  for (std::size_t place = 0; place < problem.masks.size(); ++place) {
    const auto own = result.masks.find(problem.attentions()[place]);
    if (own != result.masks.end() && own->second == problem.masks[place]) result.masks.erase(own);
  }
  result.training = shortest(configuration);
  return with_shortest_interventions(std::move(result), problem);
}

}  // namespace document
