#include "draw/stage/kept_routes.hpp"

#include <gtest/gtest.h>

#include "document/session.hpp"
#include "stage/layout/layout.hpp"

namespace draw {
namespace {

void expect_same(const std::vector<stage::Route>& ours, const std::vector<stage::Route>& theirs) {
  ASSERT_EQ(ours.size(), theirs.size());
  for (std::size_t i = 0; i < ours.size(); ++i) {
    EXPECT_EQ(ours[i].from, theirs[i].from);
    EXPECT_EQ(ours[i].to, theirs[i].to);
    EXPECT_EQ(ours[i].curved, theirs[i].curved);
    EXPECT_EQ(ours[i].points, theirs[i].points);
  }
}

stage::Stage overview(const document::Session& session, stage::Space space) {
  return stage::lay_out(session.attention(), session.document().look, space);
}

TEST(KeptRoutes, AreThoseOfTheStageThatIsAskedAbout) {
  const document::Session session;
  KeptRoutes kept;
  for (const stage::Space space : {stage::Space{900.0F, 480.0F}, stage::Space{360.0F, 700.0F}}) {
    stage::Stage stage = overview(session, space);
    ASSERT_GT(stage.links.size(), 5U);
    expect_same(kept.of(stage), stage::routes_of(stage));
    // Whatever a route depends on.
    for (stage::Group& group : stage.groups) {
      group.bounds.height += 30.0F;
      expect_same(kept.of(stage), stage::routes_of(stage));
      group.in_figure = true;
      expect_same(kept.of(stage), stage::routes_of(stage));
      group.in_figure = false;
    }
    for (stage::Block& block : stage.blocks) {
      block.cells = block.cells.moved(0.0F, 25.0F);
      expect_same(kept.of(stage), stage::routes_of(stage));
    }
    stage.links.pop_back();
    expect_same(kept.of(stage), stage::routes_of(stage));
    stage.across = !stage.across;
    expect_same(kept.of(stage), stage::routes_of(stage));
  }
}

TEST(KeptRoutes, AreMadeOnceWhileAllStandsWhereItStood) {
  document::Session session;
  KeptRoutes kept;
  const stage::Route* first = kept.of(overview(session, {900.0F, 480.0F})).data();
  // Other numbers, and what is written beside them, change no line.
  ASSERT_TRUE(session.perform(document::EditCell{
      {session.attention().id, attention::TensorId::q_proj_weight, {0, 0}}, 3.0F}));
  stage::Stage edited = overview(session, {900.0F, 480.0F});
  edited.groups[0].note = "another";
  EXPECT_EQ(kept.of(edited).data(), first);
  edited.groups[0].bounds.width += 1.0F;
  expect_same(kept.of(edited), stage::routes_of(edited));
}

}  // namespace
}  // namespace draw
