#include "document/link/riddle.hpp"

#include <gtest/gtest.h>

#include <set>

#include "document/link/link.hpp"
#include "document/session.hpp"
#include "document/state/state.hpp"

namespace document {
namespace {

TEST(Riddle, IsAnotherForEachMistakeAndLeadsBack) {
  std::set<std::string> riddles;
  for (const std::string_view name : model::mistake_names) {
    const model::Mistake mistake = *model::mistake_named(name);
    const std::string riddle = riddle_of(mistake);
    EXPECT_TRUE(riddles.insert(riddle).second) << riddle;
    EXPECT_EQ(riddle.find(name), std::string::npos);
    EXPECT_EQ(mistake_of_riddle(riddle), mistake);
  }
  EXPECT_EQ(mistake_of_riddle("riddle-"), std::nullopt);
  EXPECT_EQ(mistake_of_riddle("no-scale"), std::nullopt);
}

TEST(Riddle, StandsInAStateForItsMistake) {
  const std::string riddle = riddle_of(model::Mistake::no_scale);
  const auto read = with_json(Document{}, R"({"mistake": ")" + riddle + R"("})");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->configuration.mistake, model::Mistake::no_scale);
}

TEST(Riddle, StandsInALinkForAMistakeThatIsToBeGuessed) {
  Session session;
  ASSERT_TRUE(session.perform(SetMistake{model::Mistake::no_transpose}));
  const auto told = to_link(session.document(), session.computed());
  ASSERT_TRUE(told);
  EXPECT_NE(told->find("mistake=no-transpose"), std::string::npos);
  ASSERT_TRUE(session.perform(Guess{true}));
  const auto link = to_link(session.document(), session.computed());
  ASSERT_TRUE(link);
  EXPECT_EQ(link->find("no-transpose"), std::string::npos) << *link;
  Session other;
  EXPECT_TRUE(open_link(other, *link).empty());
  EXPECT_EQ(other.document(), session.document());
}

}  // namespace
}  // namespace document
