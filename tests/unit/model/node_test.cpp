#include "model/node.hpp"

#include <string>

#include <gtest/gtest.h>

#include "model/tables/mistaken_rows.hpp"

namespace model {
namespace {

std::string axes_in_words(TensorId id) {
  std::string text;
  for (const ops::Axis axis : axes_of(id)) {
    if (!text.empty()) text += ',';
    text += name_of(axis);
  }
  return text;
}

TEST(Node, AxesAsPrinted) {
  EXPECT_EQ(axes_in_words("position_encoding"), "Lq,E");
  EXPECT_EQ(axes_in_words("value_input"), "B,Lk,vdim");
  EXPECT_EQ(axes_in_words("k_proj_weight"), "E,kdim");
  EXPECT_EQ(axes_in_words("out_proj_bias"), "E");
  EXPECT_EQ(axes_in_words("k"), "B,Lk,E");
  EXPECT_EQ(axes_in_words("v_split"), "B,Lk,H,D");
  EXPECT_EQ(axes_in_words("q_heads"), "B,H,Lq,D");
  EXPECT_EQ(axes_in_words("attention_weights"), "B,H,Lq,Lk");
  EXPECT_EQ(axes_in_words("weighted_values"), "B,H,Lq,Lk,D");
  EXPECT_EQ(axes_in_words("merged_split"), "B,Lq,H,D");
  EXPECT_EQ(axes_in_words("output"), "B,Lq,E");
  EXPECT_EQ(axes_in_words("hidden"), "B,L,F");
}

TEST(Node, GivenOrComputed) {
  for (const TensorId id : {TensorId("key_input"), TensorId("out_proj_bias"), TensorId("mask"),
                            TensorId("linear2.weight"), TensorId("input")}) {
    EXPECT_TRUE(is_given(id)) << name_of(id);
  }
  for (const TensorId id : {TensorId("q"), TensorId("scores"), TensorId("masked_scores"),
                            TensorId("output"), TensorId("position_encoding")}) {
    EXPECT_FALSE(is_given(id)) << name_of(id);
  }
}

TEST(Node, RowsReadWhatStandsBeforeThemOrIsGiven) {
  for (const Node& row : nodes_of<tables::multi_head_attention>) {
    EXPECT_GE(row.count, row.operation->needs) << name_of(row.id);
    for (const TensorId operand : row.operands()) EXPECT_LT(operand, row.id) << name_of(row.id);
  }
}

TEST(Node, OfANewNameTheyComeBehindWhatTheyRead) {
  const auto& table = nodes_of<tables::multi_head_attention>;
  std::vector<Node> nodes(table.begin(), table.end());
  replace(nodes, nodes_of<tables::grouped_query_attention>);
  EXPECT_EQ(nodes.size(), table.size() + 4);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const TensorId operand : nodes[i].operands()) {
      EXPECT_TRUE(std::any_of(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(i),
                              [&](const Node& row) { return row.id == operand; }))
          << name_of(nodes[i].id);
    }
  }
}

TEST(Node, RowsTakeThePlaceOfThoseOfTheirName) {
  const auto& table = nodes_of<tables::multi_head_attention>;
  std::vector<Node> nodes(table.begin(), table.end());
  replace(nodes, nodes_of<tables::no_scale>);
  EXPECT_EQ(nodes.size(), table.size());
  std::size_t others = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) others += nodes[i] == table[i] ? 0U : 1U;
  EXPECT_EQ(others, 1U);
  replace(nodes, std::span(&nodes_of<tables::encoder_layer>.back(), 1));
  EXPECT_EQ(nodes.size(), table.size() + 1) << "one of a new name comes last";
}

}  // namespace
}  // namespace model
