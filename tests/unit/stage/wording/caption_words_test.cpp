#include "stage/wording/caption_words.hpp"

#include <gtest/gtest.h>

#include "stage/compositions.hpp"

namespace stage {
namespace {

TEST(CaptionWords, StandForNamesAndShapes) {
  for (const auto& [name, computed] : computed_examples()) {
    const document::ViewState view_state =
        look_number(0, computed.attentions.front(), lesson::StepId::scores, true);
    Stage stage = compose(computed, view_state, page.space()).stage;
    std::vector<std::string> before;
    for (const Group& group : stage.groups) before.push_back(group.title);
    put_captions_in_words(stage);
    std::size_t queries = 0;
    for (std::size_t i = 0; i < stage.groups.size(); ++i) {
      const Group& group = stage.groups[i];
      EXPECT_EQ(group.shape.find('['), std::string::npos) << name << ": " << group.title;
      EXPECT_EQ(group.title.find('_'), std::string::npos) << name << ": " << group.title;
      EXPECT_EQ(group.title.empty(), before[i].empty()) << name;
      if (group.tensor == model::TensorId("q_heads")) queries += group.title.starts_with("queries");
      // The number of a head, or "transposed", stays.
      const std::size_t comma = before[i].find(',');
      if (comma != std::string::npos) EXPECT_TRUE(group.title.ends_with(before[i].substr(comma)));
    }
    EXPECT_EQ(queries, 1U) << name;
  }
}

}  // namespace
}  // namespace stage
