// The document: an example with the reader's choices and edits. A small value that is copied for
// undo, compared, and written as a link.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "lesson/examples/example.hpp"
#include "lesson/steps/step.hpp"
#include "model/trace.hpp"

namespace document {

/// One cell of one attention.
struct CellAddress {
  lesson::AttentionId attention = lesson::AttentionId::attention;
  model::TensorId tensor;
  tensor::Index index;
  friend bool operator==(const CellAddress&, const CellAddress&) = default;
};

struct Edit {
  CellAddress cell;
  float value = 0.0F;
  friend bool operator==(const Edit&, const Edit&) = default;
};

/// One row of attention_weights that the reader set by hand.
struct GivenRow {
  lesson::AttentionId attention = lesson::AttentionId::attention;
  model::GivenWeights row;
  /// Whether both are weights of the same query in the same head, whatever the numbers.
  bool is_same_row(const GivenRow& other) const {
    return attention == other.attention && row.sample == other.row.sample &&
           row.head == other.row.head && row.query == other.row.query;
  }
  friend bool operator==(const GivenRow&, const GivenRow&) = default;
};

/// How far the network of an example with a task is trained, and how. What is not chosen is as the
/// task has it.
struct Training {
  std::size_t steps = 0;
  std::size_t sequence = 0;  ///< which of the held-out sequences it reads
  std::optional<training::Method> method;
  std::optional<float> learning_rate;
  std::optional<std::size_t> batch_size;
  friend bool operator==(const Training&, const Training&) = default;
};

/// Everything that changes a number. Undo and redo restore earlier values of it.
struct Configuration {
  lesson::ExampleId example = lesson::ExampleId::you_are_welcome;
  lesson::Parameters parameters;
  std::optional<model::Scale> scale;                      ///< nothing: as the example has it
  std::optional<bool> position_encoding;                  ///< nothing: as the example has it
  std::map<lesson::AttentionId, lesson::MaskKind> masks;  ///< those that differ from the example's
  /// At most one per cell, in the order in which they were made, under canonical addresses.
  std::vector<Edit> edits;
  model::Variants variants;  ///< of attention, where the example offers them: none of them at first
  model::Mistake mistake = model::Mistake::none;  ///< made in every attention
  /// Heads that are switched off, in ascending order; no empty lists.
  std::map<lesson::AttentionId, std::vector<std::size_t>> ablated_heads;
  /// At most one per row, in ascending order. They override rows that the example sets by hand.
  std::vector<GivenRow> given_weights;
  /// What cells of one tensor of one attention should be: of output or attention_weights, in
  /// ascending order. The loss is half the sum of their squared distances to these numbers, and
  /// with it come gradients. Empty: neither.
  std::vector<Edit> target;
  Training training;  ///< as it begins where an example has no task
  friend bool operator==(const Configuration&, const Configuration&) = default;
};

enum class Theme : unsigned char { automatic, light, dark };

/// What a step shows if there is no room for both: its matrices, or the figure that explains them
/// (the memory ribbon, the plane of arrows, the close-up of one row).
enum class Show : unsigned char { automatic, matrices, figure };

/// Which projection is shown where one stands for all three.
enum class Projection : unsigned char { q, k, v };

/// Which parts of the map are open, the others are cards: how each vector is split into heads, how
/// scores are scaled and masked. A bit each.
enum class MapOpen : unsigned char { none, split, scale, all };

/// A cell of the attention on screen. Not a screen position, so it stays valid after a new layout.
struct CellRef {
  model::TensorId tensor;
  tensor::Index index;
  friend bool operator==(const CellRef&, const CellRef&) = default;
};

/// The part of the stage that the reader zoomed to, whatever the size of the screen.
struct Framing {
  float x = 0.5F;     ///< what is in the middle, as a fraction of the stage's width
  float y = 0.5F;     ///< ... and of its height
  float zoom = 1.0F;  ///< 1: the whole step fits
  friend bool operator==(const Framing&, const Framing&) = default;
};
inline constexpr float largest_zoom = 400.0F;
inline constexpr float smallest_zoom = 0.5F;

/// What gradient descent may change, a bit each; see learning/learn.hpp.
using Learns = std::uint8_t;
inline constexpr Learns learns_all = 0b11111;

/// What a step chose because it has something to show there; the reader is led back from what was
/// not the reader's own choice. How one came to a place makes it no other one.
struct Landed {
  bool by_itself = false;        ///< the attention or the sample
  std::size_t query_before = 0;  ///< the reader's, while `query_taken` is the one that is shown
  std::size_t query_taken = 0;
  friend bool operator==(Landed, Landed) { return true; }
};

/// What is shown, and how. Changes no number and is not undone, but for what Reset or the choice of
/// another example changed of it.
struct ViewState {
  lesson::StepId step = lesson::StepId::overview;
  lesson::AttentionId attention = lesson::AttentionId::encoder_self_attention;
  std::size_t head = 0;
  bool all_heads = true;    ///< small multiples of every head; false: the chosen one, large
  bool mean_heads = false;  ///< the sentence shows the mean over the heads, not the chosen one
  std::size_t query = 0;
  std::size_t key = 0;  ///< the key that the query is compared with
  std::size_t sample = 0;
  Landed landed = {};         ///< at this attention, sample and query
  bool all_samples = true;    ///< the other samples of the batch lie under the chosen one
  bool shared_scale = false;  ///< one colour scale for all matrices but attention weights
  bool sort_heads = false;    ///< where all heads are shown: by what they do, not by layer
  /// Where all heads are shown: what they do over held-out sentences, not over this one.
  bool held_out_heads = false;
  bool weights_to_one = false;  ///< the scale of weights ends at 1, not at the largest
  MapOpen map = MapOpen::none;  ///< which cards of the map are open
  Projection projection = Projection::q;
  float progress = 1.0F;  ///< how far the step has come, 0 … 1
  /// The chosen one: explained, and marked wherever it is read. It lies at the places above.
  std::optional<CellRef> cell;
  std::optional<Framing> framing;  ///< nothing: the whole step
  Show show = Show::automatic;
  bool compare = false;    ///< differences to the unedited example instead of numbers
  bool guessing = false;   ///< the reader is to guess which mistake is made
  bool gradients = false;  ///< each matrix shows its gradient, where there is a target
  bool learning = false;   ///< a number that is set in a computed cell is a target for it
  float learning_rate = 0.1F;
  Learns learns = learns_all;
  bool more = false;  ///< the step is explained at length; it stays so from step to step
  Theme theme = Theme::automatic;
  friend bool operator==(const ViewState&, const ViewState&) = default;
};

struct Document {
  Configuration configuration;
  ViewState view_state;
  friend bool operator==(const Document&, const Document&) = default;
};

// Commands: what the reader does to a document.
// ----------------------------------------------------------------

// clang-format off
struct ChooseExample { lesson::ExampleId example; std::size_t variant = 0; };
struct ChooseVariant { std::size_t variant; };
struct ChooseStep { lesson::StepId step; };
/// Sets one field of the view state, and nothing else.
template <auto field>
struct SetViewState { std::decay_t<decltype(std::declval<ViewState>().*field)> value; };
/// A head of any attention, and a step where it is opened; it is the only one that is shown.
struct ChooseHeadOf {
  lesson::AttentionId attention; std::size_t head; std::optional<lesson::StepId> step = {};
  friend bool operator==(const ChooseHeadOf&, const ChooseHeadOf&) = default;
};
using ChooseAttention = SetViewState<&ViewState::attention>;
using ChooseHead = SetViewState<&ViewState::head>;
using ShowAllHeads = SetViewState<&ViewState::all_heads>;
using ShowMeanOfHeads = SetViewState<&ViewState::mean_heads>;
using ChooseQuery = SetViewState<&ViewState::query>;
using ChooseKey = SetViewState<&ViewState::key>;
using ChooseSample = SetViewState<&ViewState::sample>;
using ShowAllSamples = SetViewState<&ViewState::all_samples>;
using ShareScale = SetViewState<&ViewState::shared_scale>;
using SortHeads = SetViewState<&ViewState::sort_heads>;
using MeasureHeldOut = SetViewState<&ViewState::held_out_heads>;
using ScaleWeightsToOne = SetViewState<&ViewState::weights_to_one>;
using OpenMap = SetViewState<&ViewState::map>;
using ChooseProjection = SetViewState<&ViewState::projection>;
using SetProgress = SetViewState<&ViewState::progress>;
using ChooseCell = SetViewState<&ViewState::cell>;
using Frame = SetViewState<&ViewState::framing>;
using ChooseShow = SetViewState<&ViewState::show>;
using Compare = SetViewState<&ViewState::compare>;
using Guess = SetViewState<&ViewState::guessing>;
using ShowMore = SetViewState<&ViewState::more>;
using ShowGradients = SetViewState<&ViewState::gradients>;
using Learning = SetViewState<&ViewState::learning>;
using SetLearningRate = SetViewState<&ViewState::learning_rate>;
using ChooseLearns = SetViewState<&ViewState::learns>;
using ChooseTheme = SetViewState<&ViewState::theme>;
struct SetScale { model::Scale scale; };
struct SetAttentionVariants { model::Variants variants; };
struct SetMask { lesson::AttentionId attention; lesson::MaskKind mask; };
struct SetPositionEncoding { bool on; };
struct SetSeed { std::uint32_t seed; };
struct SetSentence { std::string sentence; };
/// The tokens of the vocabulary that the translation begins with; none: what is most probable.
struct SetTranslationBegin { std::vector<std::uint32_t> tokens; };
/// How many translations are followed at the same time: 1, the greedy way, or lesson::beam_width.
struct SetBeam { std::size_t beam; };
/// 0: as the example has it.
struct SetSizes { std::size_t embed_dim; std::size_t num_heads; std::size_t num_kv_heads = 0; };
/// Keys and values come from another sentence, whose vectors have this width; 0: from the same one.
struct SetKdim { std::size_t kdim; };
/// Tokens of source and target. 0: as the example has it.
struct SetLengths { std::size_t source_len; std::size_t target_len; };
/// RGB bytes as lesson::Picture::rgb; none: the example's own.
struct SetPicture { std::vector<std::uint8_t> rgb; };
/// Types a number into a cell. −∞ is allowed in a mask only. In attention_weights: as DragWeight.
struct EditCell { CellAddress cell; float value; };
/// Types numbers into many cells at once, all or none. Weights are set as they are: their rows are
/// not rescaled.
struct EditCells { std::vector<Edit> edits; };
struct SetMistake { model::Mistake mistake; };
struct AblateHead { lesson::AttentionId attention; std::size_t head; bool ablated; };
/// The head of this number in all layers of this attention's kind: encoder, decoder or cross.
struct AblateHeadInLayers { lesson::AttentionId attention; std::size_t head; bool ablated; };
/// Sets a whole row of attention_weights.
struct SetWeights { lesson::AttentionId attention; model::GivenWeights row; };
/// Sets the weight [b,h,query,key], 0 … 1, and scales the others of its row so that the sum stays.
/// Each move of a drag starts from the row as it was before the drag.
struct DragWeight { lesson::AttentionId attention; tensor::Index index; float value; };
/// Undoes SetWeights: the row is computed again, or as the example sets it.
struct ReleaseWeights {
  lesson::AttentionId attention; std::size_t sample; std::size_t head; std::size_t query;
};
/// Says what a cell of output or of attention_weights should be. A target for another tensor or
/// attention than before takes the place of all earlier ones.
struct SetTarget { CellAddress cell; float value; };
/// Nothing should be anything: no loss and no gradients.
struct RemoveTarget {};
/// One step of gradient descent: every number that learns becomes w − learning_rate · ∂loss/∂w.
struct Learn {};
/// Trains the network as far as `steps` says, in the way that is chosen. Another way begins anew.
struct SetTraining { Training training; };
/// Everything as the example begins: numbers, sizes, zoom, heads, what is shown and compared. The
/// example, its variant, sentence and picture stay, and so does where the reader is: step,
/// attention, sample, query and key. Undo brings the numbers back.
struct Reset {};
// clang-format on

using AnyCommand =
    std::variant<ChooseExample, ChooseVariant, ChooseStep, ChooseHeadOf, ChooseAttention,
                 ChooseHead, ShowAllHeads, ShowMeanOfHeads, ChooseQuery, ChooseKey, ChooseSample,
                 ShowAllSamples, ShareScale, ScaleWeightsToOne, SortHeads, MeasureHeldOut, OpenMap,
                 ChooseProjection, SetProgress, ChooseCell, Frame, ChooseShow, Compare, Guess,
                 ShowMore, ShowGradients, Learning, SetLearningRate, ChooseLearns, ChooseTheme,
                 SetScale, SetAttentionVariants, SetMask, SetPositionEncoding, SetSeed, SetSentence,
                 SetTranslationBegin, SetBeam, SetSizes, SetKdim, SetLengths, SetPicture, EditCell,
                 EditCells, SetMistake, AblateHead, AblateHeadInLayers, SetWeights, DragWeight,
                 ReleaseWeights, SetTarget, RemoveTarget, Learn, SetTraining, Reset>;

/// Any of them. What copies, moves and destroys it is compiled once, in commands.cpp: made for each
/// file that holds a command, it was a fifth of the time that those took to compile.
class Command : public AnyCommand {
 public:
  using AnyCommand::AnyCommand;
  Command(const Command&);
  Command(Command&&) noexcept;
  Command& operator=(const Command&);
  Command& operator=(Command&&) noexcept;
  ~Command();
};

}  // namespace document
