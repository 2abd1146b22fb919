#include "lesson/steps/offered_steps.hpp"

#include <gtest/gtest.h>

#include <array>

namespace lesson {
namespace {

constexpr std::array two{StepId::scores, StepId::softmax};

TEST(OfferedSteps, AreAllUnlessSomeAreChosen) {
  const OfferedSteps all;
  StepId step = all.first();
  EXPECT_EQ(step, StepId::sentence);
  for (std::size_t next = 1; next < step_count; ++next) {
    ASSERT_EQ(all.after(step), std::optional(static_cast<StepId>(next)));
    EXPECT_EQ(all.before(static_cast<StepId>(next)), std::optional(step));
    step = static_cast<StepId>(next);
  }
  EXPECT_EQ(step, StepId::overview);
  EXPECT_EQ(all.after(step), std::nullopt);
}

TEST(OfferedSteps, LeadFromAnyStepToTheNearestThatIsOffered) {
  const OfferedSteps offered(two);
  EXPECT_EQ(offered.first(), StepId::scores);
  EXPECT_FALSE(offered.has(StepId::scale));
  EXPECT_EQ(offered.after(StepId::scores), std::optional(StepId::softmax));
  EXPECT_EQ(offered.before(StepId::softmax), std::optional(StepId::scores));
  EXPECT_EQ(offered.after(StepId::softmax), std::nullopt);
  EXPECT_EQ(offered.before(StepId::scores), std::nullopt);
  // A link can show a step that is not offered.
  EXPECT_EQ(offered.after(StepId::input), std::optional(StepId::scores));
  EXPECT_EQ(offered.before(StepId::overview), std::optional(StepId::softmax));
}

}  // namespace
}  // namespace lesson
