#include "document/commands.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.hpp"
#include "document/edits/address.hpp"
#include "document/edits/edit_cells.hpp"
#include "document/edits/interventions.hpp"
#include "document/learning/learn.hpp"
#include "document/learning/target.hpp"
#include "document/learning/training_run.hpp"
#include "document/places/arriving.hpp"
#include "lesson/examples/translating.hpp"
#include "model/roles.hpp"

namespace document {

using base::fail;
using base::Result;
using lesson::AttentionId;
using model::TensorId;
namespace roles = model::roles;

namespace {

/// True for an edit of an input or a mask. Everything else that is edited was learned, and no axis
/// of it counts samples.
bool is_of_tokens(const Edit& edit) { return model::axes_of(edit.cell.tensor).has(model::Axis::B); }

/// The configuration with other parameters. If they make other tokens, edits of the old tokens are
/// removed.
Configuration with_tokens_of(Configuration configuration, lesson::Parameters parameters) {
  const lesson::ExampleId example = configuration.example;
  const bool same =
      lesson::shortest(example, parameters) == lesson::shortest(example, configuration.parameters);
  configuration.parameters = std::move(parameters);
  if (same) return configuration;
  std::erase_if(configuration.edits, is_of_tokens);
  configuration.target.clear();
  return without_rows(std::move(configuration));
}

/// One function per command.
class Apply {
 public:
  Apply(const Document& document, const Computed& computed)
      : document_(document), computed_(computed) {}

  Result<Document> operator()(const ChooseExample& command) const {
    ViewState view_state = first_view_state(document_.view_state, command.example);
    // What was trained is first seen as what it does. Otherwise the step stays, so that examples
    // can be compared.
    const lesson::Example& chosen = lesson::example(command.example);
    if (chosen.task) view_state = at_step(view_state, lesson::StepId::sentence);
    if (chosen.id == lesson::ExampleId::translator) view_state = both_sentences(view_state);
    return Document{fresh(command.example, command.variant), view_state};
  }
  Result<Document> operator()(const ChooseVariant& command) const {
    return with(with_variant(document_.configuration, command.variant));
  }
  Result<Document> operator()(const ChooseStep& command) const {
    Document next = document_;
    next.view_state = at_step_of(document_, computed_, command.step);
    return next;
  }
  Result<Document> operator()(const ChooseHeadOf& command) const {
    Document next = document_;
    next.view_state.attention = command.attention;
    next.view_state.head = command.head;
    next.view_state.all_heads = false;
    next.view_state.mean_heads = false;
    if (command.step) next.view_state = at_step(next.view_state, *command.step);
    return next;
  }
  template <auto field>
  Result<Document> operator()(const SetViewState<field>& command) const {
    return with_view(command, document_.view_state.landed);
  }
  Result<Document> operator()(const ChooseQuery& command) const {
    return with_view(command,
                     {document_.view_state.landed.by_itself, command.value, command.value});
  }
  Result<Document> operator()(const ShowGradients& command) const {
    Document next = with_view(command, document_.view_state.landed);
    ViewState& view = next.view_state;
    if (view.gradients) view.head = head_with_gradients(computed_, view);
    return next;
  }
  Result<Document> operator()(const ChooseAttention& now) const { return with_view(now, {}); }
  Result<Document> operator()(const ChooseSample& now) const { return with_view(now, {}); }
  Result<Document> operator()(const ShowMore& command) const {
    Document next = document_;
    next.view_state.more = command.value;
    // It takes room, in which one of two pictures had to be chosen; without it both may fit again.
    if (!command.value) next.view_state.show = Show::automatic;
    return next;
  }
  Result<Document> operator()(const SetScale& command) const {
    Configuration configuration = document_.configuration;
    configuration.scale = command.scale;
    return with(std::move(configuration));
  }
  Result<Document> operator()(const SetAttentionVariants& command) const {
    Configuration configuration = document_.configuration;
    configuration.variants = command.variants;
    // Edits of what the variants left behind.
    std::erase_if(configuration.edits, [&](const Edit& edit) {
      const TensorId id = edit.cell.tensor;
      if (id == TensorId("sinks")) return !command.variants.sink;
      return !command.variants.qk_norm &&
             (id == TensorId("q_norm_weight") || id == TensorId("k_norm_weight"));
    });
    return with(std::move(configuration));
  }
  Result<Document> operator()(const SetMask& command) const {
    if (auto there = attention_of(computed_, command.attention); !there) return fail(there.error());
    return with(with_mask(document_.configuration, command.attention, command.mask));
  }
  Result<Document> operator()(const SetPositionEncoding& command) const {
    return with(with_position_encoding(document_.configuration, command.on));
  }
  Result<Document> operator()(const SetSeed& command) const {
    if (!example().has_seed) return not_offered("document.example.no_seed");
    Configuration configuration = document_.configuration;
    configuration.parameters.seed = command.seed;
    return with(std::move(configuration));
  }
  Result<Document> operator()(const SetSentence& command) const {
    if (!example().has_sentence) return not_offered("document.example.own_sentence");
    if (command.sentence.empty()) return fail(base::text("document.example.empty_sentence"));
    return with(with_sentence(document_.configuration, command.sentence));
  }
  Result<Document> operator()(const SetTranslationBegin& command) const {
    if (document_.configuration.example != lesson::ExampleId::translator)
      return not_offered("document.example.no_translation");
    return with(with_translation_begin(document_.configuration, command.tokens));
  }
  Result<Document> operator()(const SetBeam& command) const {
    if (document_.configuration.example != lesson::ExampleId::translator)
      return not_offered("document.example.no_translation");
    return with(with_beam(document_.configuration, command.beam));
  }
  Result<Document> operator()(const SetSizes& command) const {
    if (!example().has_sizes) return not_offered("document.example.fixed_sizes");
    return with(with_sizes(document_.configuration, command));
  }
  Result<Document> operator()(const SetKdim& command) const {
    if (!example().has_kdim) return not_offered("document.example.no_kdim");
    return with(with_kdim(document_.configuration, command.kdim));
  }
  Result<Document> operator()(const SetLengths& command) const {
    const lesson::Variant& variant = example().variants[document_.configuration.parameters.variant];
    if (!variant.source_len.can_change() && !variant.target_len.can_change())
      return fail(
          base::text("document.example.fixed_lengths", {{"reason", variant.source_len.reason()}}));
    return with(with_lengths(document_.configuration, command.source_len, command.target_len));
  }
  Result<Document> operator()(const SetPicture& command) const {
    if (!example().has_picture) return not_offered("document.example.no_picture");
    return with(with_picture(document_.configuration, command.rgb));
  }
  Result<Document> operator()(const EditCell& command) const {
    if (command.cell.tensor == roles::weights)
      return (*this)(DragWeight{command.cell.attention, command.cell.index, command.value});
    return (*this)(EditCells{{{command.cell, command.value}}});
  }
  Result<Document> operator()(const EditCells& command) const {
    auto configuration = with_cells(document_.configuration, computed_, command.edits);
    if (!configuration) return fail(configuration.error());
    return with(*std::move(configuration));
  }
  Result<Document> operator()(const SetMistake& command) const {
    Configuration configuration = document_.configuration;
    configuration.mistake = command.mistake;
    return with(std::move(configuration));
  }
  Result<Document> operator()(const AblateHead& command) const {
    if (auto there = attention_of(computed_, command.attention); !there) return fail(there.error());
    return with(with_ablated_head(document_.configuration, command.attention, command.head,
                                  command.ablated));
  }
  Result<Document> operator()(const AblateHeadInLayers& command) const {
    Configuration configuration = document_.configuration;
    for (const ComputedAttention& layer : computed_.attentions) {
      if (lesson::kind_of(layer.id) == lesson::kind_of(command.attention))
        configuration =
            with_ablated_head(std::move(configuration), layer.id, command.head, command.ablated);
    }
    return with(std::move(configuration));
  }
  Result<Document> operator()(const SetWeights& command) const {
    return with(with_row(document_.configuration, {command.attention, command.row}));
  }
  Result<Document> operator()(const DragWeight& command) const {
    auto row = row_of_weights(computed_, {command.attention, roles::weights, command.index});
    if (!row) return fail(row.error());
    auto moved = dragged(*std::move(row), command.index[3], command.value);
    if (!moved) return fail(moved.error());
    return with(with_row(document_.configuration, *std::move(moved)));
  }
  Result<Document> operator()(const ReleaseWeights& command) const {
    if (auto there = attention_of(computed_, command.attention); !there) return fail(there.error());
    return with(without_row(document_.configuration, command));
  }
  Result<Document> operator()(const SetTarget& command) const {
    auto next = with_target(document_.configuration, computed_, command.cell, command.value);
    if (!next) return fail(next.error());
    return with(*std::move(next));
  }
  Result<Document> operator()(const RemoveTarget&) const {
    Configuration configuration = document_.configuration;
    configuration.target.clear();
    return with(std::move(configuration));
  }
  Result<Document> operator()(const Learn&) const {
    auto next = learned(computed_, document_);
    if (!next) return fail(next.error());
    return with(*std::move(next));
  }
  Result<Document> operator()(const SetTraining& command) const {
    if (!example().task) return not_offered("document.example.not_learned");
    Configuration configuration = document_.configuration;
    configuration.training = command.training;
    return with(std::move(configuration));
  }
  Result<Document> operator()(const Reset&) const {
    Configuration configuration =
        fresh(document_.configuration.example, document_.configuration.parameters.variant);
    // Keep the sentence and the picture: the reader would have to type or find them again.
    configuration.parameters.sentence = document_.configuration.parameters.sentence;
    configuration.parameters.picture = document_.configuration.parameters.picture;
    ViewState how;  // as the example opens
    if (configuration.example == lesson::ExampleId::translator) how = both_sentences(how);
    return Document{std::move(configuration), shown_as(how, document_.view_state)};
  }

 private:
  template <auto field>
  Document with_view(const SetViewState<field>& command, const Landed& landed) const {
    Document next = document_;
    next.view_state.*field = command.value;
    next.view_state.landed = landed;
    return next;
  }
  const lesson::Example& example() const {
    return lesson::example(document_.configuration.example);
  }

  /// `key`: the text that says so of an {example}.
  tl::unexpected<base::Error> not_offered(std::string_view key) const {
    return fail(base::text(key, {{"example", example().name}}));
  }

  Result<Document> with(Configuration configuration) const {
    return Document{std::move(configuration), document_.view_state};
  }

  const Document& document_;
  const Computed& computed_;
};

}  // namespace

Command::Command(const Command&) = default;
Command::Command(Command&&) noexcept = default;
Command& Command::operator=(const Command& other) { return *this = Command(other); }
Command& Command::operator=(Command&&) noexcept = default;
Command::~Command() = default;

Configuration fresh(lesson::ExampleId example, std::size_t variant) {
  Configuration configuration;
  configuration.example = example;
  configuration.parameters.variant = variant;
  const auto variants = lesson::example(example).variants;
  if (variant < variants.size()) configuration.variants = variants[variant].attention;
  return configuration;
}

Configuration with_variant(Configuration configuration, std::size_t variant) {
  Configuration next = fresh(configuration.example, variant);
  next.parameters = std::move(configuration.parameters);
  next.parameters.variant = variant;
  next.parameters.source_len = 0;
  next.parameters.target_len = 0;
  next.training = configuration.training;
  return next;
}

Configuration with_sentence(Configuration configuration, std::string sentence) {
  lesson::Parameters parameters = configuration.parameters;
  parameters.sentence = std::move(sentence);
  parameters.begin.clear();  // it was of the other sentence
  return with_tokens_of(std::move(configuration), std::move(parameters));
}

Configuration with_translation_begin(Configuration configuration,
                                     std::vector<std::uint32_t> tokens) {
  lesson::Parameters parameters = configuration.parameters;
  parameters.begin = std::move(tokens);
  return with_tokens_of(std::move(configuration), std::move(parameters));
}

Configuration with_beam(Configuration configuration, std::size_t beam) {
  lesson::Parameters parameters = configuration.parameters;
  std::vector<std::uint32_t>& begin = parameters.begin;
  if (beam != parameters.beam && !begin.empty() && lesson::is_end(begin.back())) begin.clear();
  parameters.beam = beam;
  return with_tokens_of(std::move(configuration), std::move(parameters));
}

Configuration with_sizes(Configuration configuration, const SetSizes& sizes) {
  const lesson::Parameters before =
      lesson::shortest(configuration.example, configuration.parameters);
  configuration.parameters.embed_dim = sizes.embed_dim;
  configuration.parameters.num_heads = sizes.num_heads;
  configuration.parameters.num_kv_heads = sizes.num_kv_heads;
  const lesson::Parameters after =
      lesson::shortest(configuration.example, configuration.parameters);
  // Where heads of queries share keys and values, what makes these has another shape.
  const bool regrouped = after != before && before.num_kv_heads + after.num_kv_heads > 0;
  std::erase_if(configuration.edits, [&](const Edit& edit) {
    const std::span<const model::Node> grouped =
        model::nodes_of<model::tables::grouped_query_attention>;
    if (regrouped && find(grouped, edit.cell.tensor) != nullptr) return true;
    return after.embed_dim != before.embed_dim && edit.cell.tensor != roles::mask;
  });
  if (after == before) return configuration;
  configuration.target.clear();
  return without_heads(std::move(configuration));
}

Configuration with_kdim(Configuration configuration, std::size_t kdim) {
  lesson::Parameters parameters = configuration.parameters;
  if (kdim != parameters.kdim) {
    std::erase_if(configuration.edits, [](const Edit& edit) {
      const TensorId id = edit.cell.tensor;
      return id == TensorId("k_proj_weight") || id == TensorId("v_proj_weight");
    });
  }
  parameters.kdim = kdim;
  return with_tokens_of(std::move(configuration), std::move(parameters));
}

Configuration with_lengths(Configuration configuration, std::size_t source_len,
                           std::size_t target_len) {
  lesson::Parameters parameters = configuration.parameters;
  parameters.source_len = source_len;
  parameters.target_len = target_len;
  return with_tokens_of(std::move(configuration), std::move(parameters));
}

Configuration with_picture(Configuration configuration, std::vector<std::uint8_t> rgb) {
  lesson::Parameters parameters = configuration.parameters;
  parameters.picture = std::move(rgb);
  return with_tokens_of(std::move(configuration), std::move(parameters));
}

Configuration with_mask(Configuration configuration, AttentionId attention, lesson::MaskKind mask) {
  configuration.masks[attention] = mask;
  std::erase_if(configuration.edits, [attention](const Edit& edit) {
    return edit.cell.tensor == roles::mask && edit.cell.attention == attention;
  });
  return configuration;
}

Configuration with_position_encoding(Configuration configuration, bool on) {
  configuration.position_encoding = on;
  for (Edit& edit : configuration.edits) {
    TensorId& tensor = edit.cell.tensor;
    if (tensor == roles::query && on) tensor = roles::embedding;
    if (tensor == roles::embedding && !on) tensor = roles::query;
  }
  return configuration;
}

ViewState at_step(ViewState view_state, lesson::StepId step) {
  if (view_state.step == step) return view_state;
  view_state.step = step;
  view_state.show = Show::automatic;  // what was chosen for want of room was for that step
  view_state.progress = 1.0F;
  view_state.framing.reset();
  // Its head, query and key stay chosen, so the step's own cell is the one at the same place.
  if (view_state.cell && !lesson::is_about(step, view_state.cell->tensor.value()))
    view_state.cell.reset();
  return view_state;
}

ViewState both_sentences(ViewState view_state) {
  view_state = at_step(view_state, lesson::StepId::sentence);
  view_state.attention = lesson::example(lesson::ExampleId::translator).attentions.back();
  view_state.all_heads = true;
  view_state.mean_heads = true;
  view_state.show = Show::automatic;
  return view_state;
}

ViewState first_view_state(ViewState view_state, lesson::ExampleId example) {
  view_state.head = 0;
  view_state.mean_heads = false;
  view_state.query = lesson::example(example).query;
  view_state.key = 0;
  view_state.sample = 0;
  view_state.landed = {};
  view_state.cell.reset();
  view_state.framing.reset();
  view_state.compare = false;
  view_state.guessing = false;
  view_state.gradients = false;
  view_state.learning = false;
  const auto there = lesson::example(example).attentions;
  if (std::find(there.begin(), there.end(), view_state.attention) == there.end())
    view_state.attention = there.front();
  return view_state;
}

ViewState shown_as(ViewState how, const ViewState& where) {
  how = at_step(how, where.step);
  how.attention = where.attention;
  how.sample = where.sample;
  how.query = where.query;
  how.key = where.key;
  how.more = where.more;
  how.theme = where.theme;
  how.learning = where.learning;
  return how;
}

ViewState seen_again(ViewState then, const ViewState& now) {
  then.more = now.more;
  then.theme = now.theme;
  return then;
}

Result<Document> apply(const Document& document, const Computed& computed, const Command& command) {
  auto next = std::visit(Apply(document, computed), command);
  if (!next) return next;
  Configuration& now = next->configuration;  // trained in another way, it begins anew
  const Configuration& before = document.configuration;
  const bool goes_on = now.example == before.example && lesson::example(now.example).task;
  if (goes_on && now.training.steps == before.training.steps &&
      training_settings(now) != training_settings(before)) {
    now.training.steps = 0;
  }
  return next;
}

}  // namespace document
