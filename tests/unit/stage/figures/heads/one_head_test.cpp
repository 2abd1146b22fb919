#include "stage/figures/heads/one_head.hpp"

#include "document/translator/the_translator.hpp"
#include "speaking.hpp"
#include "stage/figures/figure_scenes.hpp"
#include "stage/figures/step_figures.hpp"

namespace stage {
namespace {

using lesson::AttentionId;

class OneHeadFigure : public document::TheTranslator {};

// In every room and language the head can be switched off and on in all layers of its kind, and
// what became of the translation is said to the end.
TEST_F(OneHeadFigure, IsSwitchedOffInAllLayersOfItsKind) {
  for (const bool off : {false, true}) {
    document::Configuration configuration = saying("He admired her as a great director.");
    for (const AttentionId id : {AttentionId::cross_attention, AttentionId::cross_attention_1,
                                 AttentionId::cross_attention_2, AttentionId::cross_attention_3}) {
      if (off || id == AttentionId::cross_attention) configuration.ablated_heads[id] = {5};
    }
    const document::Computed changed = document::computed(configuration);
    document::ViewState view_state;
    view_state.attention = AttentionId::cross_attention_2;
    view_state.head = 5;
    view_state.all_heads = false;
    for (const char* language : all_languages) {
      const Speaking speaking(language);
      for (const Rect& room : {Rect{0.0F, 0.0F, 900.0F, 520.0F}, Rect{8.0F, 8.0F, 1540.0F, 760.0F},
                               Rect{0.0F, 0.0F, 640.0F, 300.0F}, Rect{0.0F, 0.0F, 342.0F, 560.0F},
                               Rect{0.0F, 0.0F, 320.0F, 360.0F}}) {
        SCOPED_TRACE(testing::Message() << language << " in " << text_of(room));
        Stage stage;
        put_all_heads(stage, {changed, changed.find(view_state.attention), view_state}, room);
        const Figure& figure = stage.figures.at(0);
        const auto button =
            std::find_if(figure.targets.begin(), figure.targets.end(), [](const Target& target) {
              return target.click &&
                     std::holds_alternative<document::AblateHeadInLayers>(*target.click);
            });
        ASSERT_NE(button, figure.targets.end());
        EXPECT_TRUE(inside(button->place, figure.bounds, 0.5F)) << text_of(button->place);
        const auto& command = std::get<document::AblateHeadInLayers>(*button->click);
        EXPECT_EQ(command.attention, view_state.attention);
        EXPECT_EQ(command.head, 5U);
        EXPECT_EQ(command.ablated, !off);
        EXPECT_EQ(
            button->label,
            base::text(off ? "stage.heads.switch_on_in_layers" : "stage.heads.switch_off_in_layers",
                       {{"kind", name_of_kind(AttentionId::cross_attention)}}));
        for (const Words& words : figure.words)
          EXPECT_TRUE(inside(place_of(words), figure.bounds, 0.5F)) << words.text;
        EXPECT_TRUE(std::any_of(figure.words.begin(), figure.words.end(),
                                [](const Words& words) { return words.text.ends_with(")."); }));
      }
    }
  }
}

}  // namespace
}  // namespace stage
