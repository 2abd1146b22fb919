// What must hold of every screen of the lesson together: nothing overlaps, nothing is cut, nothing
// leaves its place.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "stage/compositions.hpp"
#include "stage/layout/lettering.hpp"

namespace stage {
namespace {

/// Every offender by name, once, instead of only the first.
class Offenders {
 public:
  void add(const Composed& composed, const std::string& what) {
    const std::string place = std::string(lesson::step(composed.view_state.step).name) + ", " +
                              composed.screen->name + ": " + what;
    if (!seen_.insert(place).second) return;
    ++count_;
    if (count_ <= 40) ADD_FAILURE() << composed.name() << ": " << what;
  }
  std::size_t count() const { return count_; }

 private:
  std::set<std::string> seen_;
  std::size_t count_ = 0;
};

template <typename Check>
void look_at_all(Check check) {
  for (const char* language : all_languages) {
    SCOPED_TRACE(language);
    Offenders offenders;
    for (const Composed& composed : all_compositions(language)) check(composed, offenders);
    EXPECT_EQ(offenders.count(), 0U);
  }
}

TEST(Screens, NoGroupLiesOnAnotherOrOnTheFigure) {
  look_at_all([](const Composed& composed, Offenders& offenders) {
    const Stage& stage = composed.stage();
    for (std::size_t i = 0; i < stage.groups.size(); ++i) {
      const Group& group = stage.groups[i];
      for (std::size_t j = 0; j < i; ++j) {
        if (overlap(group.bounds, stage.groups[j].bounds))
          offenders.add(composed, group.title + " on " + stage.groups[j].title);
      }
      for (const Figure& figure : stage.figures) {
        if (!group.folded && !of_figure(stage, group) && overlap(group.bounds, figure.bounds) &&
            inside(stage.bounds,
                   {0, 0, composed.screen->space().width, composed.screen->space().height}, 0.5F))
          offenders.add(composed, group.title + " on the figure " + figure.name);
      }
    }
  });
}

TEST(Screens, NoBlockLeavesItsGroup) {
  look_at_all([](const Composed& composed, Offenders& offenders) {
    const Stage& stage = composed.stage();
    for (const Block& block : stage.blocks) {
      if (block.cells.empty()) offenders.add(composed, "an empty block");
      const Group& group = stage.groups[block.group];
      if (!inside(block.cells, group.bounds, 0.1F))
        offenders.add(composed, group.title + ": cells " + text_of(block.cells) + " leave " +
                                    text_of(group.bounds));
    }
  });
}

TEST(Screens, NoFigureLeavesTheSpaceItIsGiven) {
  look_at_all([](const Composed& composed, Offenders& offenders) {
    const Stage& stage = composed.stage();
    const Division division =
        divide(figure_for(composed.input()), composed.view_state.show, composed.screen->space());
    for (const Figure& figure : stage.figures) {
      const Space& matrices = division.matrices.value_or(composed.screen->space());
      const Rect room =
          figure.of_matrices ? Rect{0.0F, 0.0F, matrices.width, matrices.height} : *division.figure;
      if (figure.of_matrices && !inside(stage.bounds, room, 0.5F)) continue;  // they are shrunk
      if (!inside(figure.bounds, room, 0.5F))
        offenders.add(composed,
                      figure.name + " " + text_of(figure.bounds) + " leaves " + text_of(room));
      for (const Words& words : figure.words) {
        if (!inside(place_of(words), figure.bounds, 1.0F))
          offenders.add(composed, "“" + words.text + "” " + text_of(place_of(words)) + " leaves " +
                                      figure.name + " " + text_of(figure.bounds));
      }
      for (const Bar& bar : figure.bars) {
        if (!inside(bar.place, figure.bounds, 1.0F))
          offenders.add(composed, "a bar leaves " + figure.name);
      }
      for (const Target& target : figure.targets) {
        if (!inside(target.place, figure.bounds, 1.0F))
          offenders.add(composed, target.label + " leaves " + figure.name);
      }
    }
    for (const Group& group : stage.groups) {
      if (of_figure(stage, group) &&
          !inside(group.bounds, figures_beside(stage).front()->bounds, 0.5F))
        offenders.add(composed, group.title + " leaves its figure");
    }
  });
}

TEST(Screens, NoWordsOfAFigureLieOnOthersOrOnCells) {
  look_at_all([](const Composed& composed, Offenders& offenders) {
    const Stage& stage = composed.stage();
    for (const Figure& figure : stage.figures) {
      for (std::size_t i = 0; i < figure.words.size(); ++i) {
        const Rect place = place_of(figure.words[i]);
        for (std::size_t j = 0; j < i; ++j) {
          const Rect both = place.intersected(place_of(figure.words[j]));
          if (both.width > 1.0F && both.height > 1.0F)
            offenders.add(composed,
                          "“" + figure.words[i].text + "” on “" + figure.words[j].text + "”");
        }
        for (const Block& block : stage.blocks) {
          if (stage.groups[block.group].folded) continue;  // a card, with its words
          const Rect both = place.intersected(block.cells);
          if (both.width > 1.0F && both.height > 1.0F)
            offenders.add(composed, "“" + figure.words[i].text + "” on " +
                                        std::string(model::name_of(block.tensor)));
        }
      }
    }
  });
}

// Hues, rules and results are to be seen, not read: their contrast is less than words need.
TEST(Screens, WordsHaveAToneThatCanBeRead) {
  look_at_all([](const Composed& composed, Offenders& offenders) {
    for (const Figure& figure : composed.stage().figures) {
      for (const Words& words : figure.words) {
        if (words.text == "▲" || words.text == "▼") continue;  // signs, not words
        if (words.tone == Tone::head || words.tone == Tone::line || words.tone == Tone::result)
          offenders.add(composed, "“" + words.text + "” is pale");
      }
    }
  });
}

/// What a caption needs, as it is set: the title in semibold, the shape in tabular figures with the
/// note after it.
float caption_width(const Stage& stage, const Group& group) {
  const float title = text_width(group.title, 13.0F, false, true);
  if (!stage.detailed) return title;
  float second = text_width(group.shape, 11.5F, true);
  if (!group.note.empty()) second += 10.0F + text_width(group.note, 11.5F);
  return std::max(title, second);
}

TEST(Screens, NoCaptionRunsIntoTheNextGroup) {
  look_at_all([](const Composed& composed, Offenders& offenders) {
    const Stage& stage = composed.stage();
    for (std::size_t i = 0; i < stage.groups.size(); ++i) {
      const Group& group = stage.groups[i];
      if (group.in_figure) continue;
      // Room for a letter or two is left by the estimate of widths.
      const Rect words{group.caption.x, group.caption.y, caption_width(stage, group) * 0.97F,
                       group.caption.height};
      for (std::size_t j = 0; j < stage.groups.size(); ++j) {
        if (j != i && overlap(words, stage.groups[j].bounds))
          offenders.add(composed, "the caption of " + group.title + " (" + group.shape + " " +
                                      group.note + ") runs into " + stage.groups[j].title);
      }
      for (const Block& block : stage.blocks) {
        if (overlap(group.caption, block.cells))
          offenders.add(composed, "the caption of " + group.title + " on cells");
      }
    }
  });
}

// Columns' labels and the heads' hues stand over the cells, within the group.
TEST(Screens, LabelsHaveRoomInTheirGroup) {
  look_at_all([](const Composed& composed, Offenders& offenders) {
    const Stage& stage = composed.stage();
    for (const Block& block : stage.blocks) {
      if (block.run) continue;
      const Group& group = stage.groups[block.group];
      if (group.in_figure) continue;
      if (block.show_row_labels && block.cells.x - group.bounds.x < 10.0F)
        offenders.add(composed, group.title + ": no room for the rows' labels");
      if (!block.column_labels.empty() && block.cells.y - group.caption.bottom() < 12.0F)
        offenders.add(composed, group.title + ": no room for the columns' labels");
      if (block.upright_labels > 0.0F &&
          block.cells.y - group.caption.bottom() < block.upright_labels)
        offenders.add(composed, group.title + ": no room for upright labels");
    }
  });
}

// Which key a column of weights belongs to is said wherever a line of type has room over it.
TEST(Screens, ColumnsOfWeightsAreLabelled) {
  look_at_all([](const Composed& composed, Offenders& offenders) {
    const Stage& stage = composed.stage();
    if (!stage.detailed) return;
    for (const Group& group : stage.groups) {
      const Block& block = stage.blocks[group.first_block];
      if (group.tensor != "attention_weights" || of_figure(stage, group) || block.run) continue;
      const float column = block.cells.width / static_cast<float>(block.columns());
      if (column < 10.5F || composed.screen->space().height < 240.0F) continue;
      if (block.column_labels.empty())
        offenders.add(composed, "columns " + std::to_string(column) + " wide are not labelled");
      if (block.upright_labels > 0.0F) continue;
      for (const std::string& word : block.column_labels) {
        if (text_width(word, 11.0F) > column - 3.0F)
          offenders.add(composed, "“" + word + "” is wider than its column and does not stand");
      }
    }
  });
}

// The names of features, "male" and "female", stand upright before they are cut to a letter or two.
TEST(Screens, NamesOverNarrowColumnsStandUpright) {
  std::size_t upright = 0;
  look_at_all([&](const Composed& composed, Offenders& offenders) {
    const Stage& stage = composed.stage();
    if (!stage.detailed || composed.screen->space().height < 300.0F) return;
    for (const Block& block : stage.blocks) {
      const Group& group = stage.groups[block.group];
      if (block.column_labels.empty() || of_figure(stage, group) || block.run) continue;
      if (block.upright_labels > 0.0F) ++upright;
      const float column = block.cells.width / static_cast<float>(block.columns());
      for (const std::string& word : block.column_labels) {
        if (block.upright_labels == 0.0F && column < 26.0F && text_width(word, 11.0F) > column)
          offenders.add(composed, "“" + word + "” over " + group.title + " is cut");
      }
    }
  });
  EXPECT_GT(upright, 0U);
}

}  // namespace
}  // namespace stage
