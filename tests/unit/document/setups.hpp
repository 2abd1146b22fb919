// What the tests of this room share.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "document/commands.hpp"
#include "document/computed.hpp"
#include "document/session.hpp"

namespace document {

/// Every variant of every example, as it comes.
inline std::vector<Configuration> all_setups() {
  std::vector<Configuration> setups;
  for (const lesson::Example& example : lesson::examples()) {
    for (std::size_t variant = 0; variant < example.variants.size(); ++variant) {
      setups.push_back(fresh(example.id, variant));
    }
  }
  return setups;
}

inline std::string name_of(const Configuration& configuration) {
  const lesson::Example& example = lesson::example(configuration.example);
  return std::string(example.name) + " " +
         std::string(example.variants[configuration.parameters.variant].name);
}

/// A document that shows what comes first of it.
inline Document document_of(const Configuration& configuration) {
  Document result;
  result.configuration = configuration;
  result.view_state = first_view_state({}, configuration.example);
  return result;
}

inline Session session_of(lesson::ExampleId example, std::size_t variant = 0) {
  Document document;
  document.configuration = fresh(example, variant);
  return Session(document);
}

inline void perform(Session& session, const Command& command, bool goes_on = false) {
  const auto done = session.perform(command, goes_on);
  ASSERT_TRUE(done) << done.error().message;
}

/// The attention of an example that has one.
inline constexpr auto alone = lesson::AttentionId::attention;

inline Computed computed(const Configuration& configuration) {
  auto result = compute(configuration);
  EXPECT_TRUE(result) << result.error().message;
  return result ? *std::move(result) : Computed{};
}

/// Every variant of every example, computed once.
inline const std::vector<Computed>& all_computed() {
  static const std::vector<Computed> all = [] {
    std::vector<Computed> made;
    for (const Configuration& configuration : all_setups()) made.push_back(computed(configuration));
    return made;
  }();
  return all;
}

inline lesson::Problem problem_of(const Configuration& configuration) {
  auto result = lesson::make_problem(configuration.example, configuration.parameters);
  EXPECT_TRUE(result) << result.error().message;
  return result ? *std::move(result) : lesson::Problem{};
}

/// The bits of all cells: unlike ==, they tell 0 from −0 and find NaN equal to itself.
inline std::vector<std::uint32_t> bits(const tensor::Tensor& tensor) {
  if (!tensor.defined()) return {};
  const std::vector<float> values = tensor.values();
  std::vector<std::uint32_t> result(values.size());
  static_assert(sizeof(float) == sizeof(std::uint32_t));
  if (!values.empty()) std::memcpy(result.data(), values.data(), values.size() * sizeof(float));
  return result;
}

/// Every number of a computed document, as bits, with the tensors' places and names in it.
inline std::vector<std::uint32_t> fingerprint(const Computed& computed) {
  std::vector<std::uint32_t> result;
  for (std::size_t part = 0; part < computed.parts.size(); ++part) {
    for (const model::TensorId id : computed.parts[part].present()) {
      result.push_back(static_cast<std::uint32_t>(part << 8U | id.place()));
      const std::vector<std::uint32_t> own = bits(computed.parts[part][id]);
      result.insert(result.end(), own.begin(), own.end());
    }
  }
  return result;
}

/// What can be typed into and is kept as an edit: rows of attention_weights are kept on their own.
inline bool takes_edits(const ComputedAttention& attention, model::TensorId tensor) {
  return tensor != "attention_weights" && is_editable(attention, tensor);
}

inline CellAddress cell(lesson::AttentionId attention, model::TensorId tensor,
                        tensor::Index index) {
  return {attention, tensor, index};
}

inline EditCell edit(model::TensorId tensor, tensor::Index index, float value,
                     lesson::AttentionId attention = alone) {
  return {cell(attention, tensor, index), value};
}

/// The index whose every place is 0.
inline tensor::Index first_cell(const tensor::Tensor& tensor) {
  return tensor::Index::filled(tensor.rank(), 0);
}

}  // namespace document
