#include "document/state/state_reader.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "base/base64.hpp"
#include "base/text.hpp"
#include "document/commands.hpp"
#include "document/edits/given.hpp"
#include "document/first_error.hpp"
#include "document/learning/learn.hpp"
#include "document/link/riddle.hpp"
#include "document/state/state_fields.hpp"
#include "document/state/text.hpp"
#include "document/state/variants.hpp"
#include "lesson/examples/translating.hpp"

namespace document {

using base::fail;
using base::Json;
using base::Result;
using lesson::AttentionId;
using lesson::MaskKind;
using model::Scale;

namespace {

/// The names of examples, variants or steps.
template <typename List>
std::vector<std::string_view> names_in(const List& list) {
  std::vector<std::string_view> names;
  for (const auto& each : list) names.push_back(each.name);
  return names;
}

/// {"tensor", "index"}, or null for none.
Result<std::optional<CellRef>> cell_or_none(const Json& value) {
  if (value.is_null()) return std::nullopt;
  auto read = read_cell(value);
  if (!read) return fail(read.error());
  return *std::move(read);
}

/// [x, y, zoom], or null for none.
Result<std::optional<Framing>> framing_or_none(const Json& value) {
  if (value.is_null()) return std::nullopt;
  std::vector<float> numbers;
  if (value.is_array() && value.size() == 3) {
    for (const Json& each : value.elements()) {
      if (const auto read = number(each); read && each.is_number()) numbers.push_back(*read);
    }
  }
  if (numbers.size() != 3) return fail(base::text("document.state.framing"));
  return Framing{numbers[0], numbers[1], numbers[2]};
}

/// One function for each group of fields that belong together.
class Reader {
 public:
  Reader(const Json& json, Document& document)
      : json_(json), configuration_(document.configuration), view_state_(document.view_state) {}

  Result<void> read() {
    known();
    example();
    variant();
    place();
    shown();
    sentence();
    beam();
    translation_begin();
    picture();
    sizes();
    scale();
    masks();
    position_encoding();
    edits("edits", read_edit, configuration_.edits);
    mistake();
    ablated_heads();
    list("given_weights", read_row, configuration_.given_weights);
    edits("target", read_target, configuration_.target);
    training();
    if (wrong_) return fail(*wrong_);
    return {};
  }

 private:
  /// Null if there is no such field, or after an error: nothing more is read then.
  const Json* find(std::string_view field) const { return wrong_ ? nullptr : json_.find(field); }

  void refuse(std::string_view sentence) { wrong_.keep({std::string(sentence)}); }

  template <typename U>
  void choose(std::string_view field, std::span<const std::string_view> allowed, U& to) {
    if (const Json* value = find(field)) wrong_.store(choice(field, *value, allowed), to);
  }

  template <typename U>
  void number(std::string_view field, std::uint64_t smallest, std::uint64_t largest, U& to) {
    if (const Json* value = find(field)) wrong_.store(whole(field, *value, smallest, largest), to);
  }

  template <typename T>
  void list(std::string_view field, Result<T> (*read_one)(const Json&), std::vector<T>& to) {
    const Json* value = find(field);
    if (value == nullptr) return;
    if (!value->is_array()) return refuse(base::text("document.field.array", {{"field", field}}));
    to.clear();
    for (const Json& each : value->elements()) wrong_.store(read_one(each), to.emplace_back());
  }

  /// Calls `read_one` for each member of an object whose names are attentions: with the attention,
  /// the member's name for error messages, and its value. `wanted`: the sentence if it is none.
  template <typename ReadOne>
  void by_attention(const std::string& field, std::string_view wanted, ReadOne read_one) {
    const Json* value = find(field);
    if (value == nullptr) return;
    if (!value->is_object()) return refuse(wanted);
    for (std::size_t i = 0; i < value->size(); ++i) {
      const std::string& name = value->names()[i];
      const auto id = choice(base::text("document.field.each_name", {{"field", field}}), name,
                             lesson::attention_names());
      if (!id) return wrong_.keep(id.error());
      read_one(static_cast<AttentionId>(*id), field + "." + name, value->elements()[i]);
    }
  }

  const lesson::Example& present_example() const { return lesson::example(configuration_.example); }

  void known() {
    for (const std::string& name : json_.names()) {
      if (!is_state_field(name)) return refuse(unknown_field(name));
    }
  }

  void example() {
    const Json* value = find("example");
    if (value == nullptr) return;
    if (const std::string* name = value->text();
        name != nullptr && *name == "own-layer" &&
        !lesson::has_its_weights(lesson::ExampleId::own_layer)) {
      return refuse(base::text("document.state.own_layer"));
    }
    const std::span<const lesson::Example> all = lesson::examples();
    std::size_t place = all.size();
    wrong_.store(choice("example", *value, names_in(all)), place);
    if (place == all.size() || all[place].id == configuration_.example) return;
    const lesson::ExampleId id = all[place].id;
    configuration_ = fresh(id, 0);
    view_state_ = first_view_state(view_state_, id);
  }

  void variant() {
    const Json* value = find("variant");
    if (value == nullptr) return;
    std::size_t place = configuration_.parameters.variant;
    wrong_.store(
        choice(base::text("document.state.variant_of", {{"example", present_example().name}}),
               *value, names_in(present_example().variants)),
        place);
    if (place != configuration_.parameters.variant)
      configuration_ = with_variant(std::move(configuration_), place);
  }

  /// What is shown. Session checks that it exists.
  void place() {
    choose("attention", lesson::attention_names(), view_state_.attention);
    number("head", 0, largest_whole, view_state_.head);
    number("query", 0, largest_whole, view_state_.query);
    number("key", 0, largest_whole, view_state_.key);
    number("sample", 0, largest_whole, view_state_.sample);
  }

  /// How it is shown.
  void shown() {
    lesson::StepId step = view_state_.step;
    choose("step", names_in(lesson::steps()), step);
    view_state_ = at_step(view_state_, step);
    for (const auto& [field, where] :
         {std::pair{"all_heads", &view_state_.all_heads},
          std::pair{"mean_heads", &view_state_.mean_heads},
          std::pair{"all_samples", &view_state_.all_samples},
          std::pair{"shared_scale", &view_state_.shared_scale},
          std::pair{"weights_to_one", &view_state_.weights_to_one},
          std::pair{"sort_heads", &view_state_.sort_heads},
          std::pair{"held_out_heads", &view_state_.held_out_heads},
          std::pair{"more", &view_state_.more}, std::pair{"compare", &view_state_.compare},
          std::pair{"guessing", &view_state_.guessing},
          std::pair{"gradients", &view_state_.gradients},
          std::pair{"learning", &view_state_.learning}}) {
      if (const Json* value = find(field)) wrong_.store(boolean(field, *value), *where);
    }
    if (const Json* value = find("scrub")) {
      const auto to = document::number(*value);
      if (!to || !value->is_number()) return refuse(base::text("document.state.scrub"));
      view_state_.progress = *to;
    }
    if (const Json* value = find("learning_rate")) {
      const auto rate = document::number(*value);
      if (!rate) return refuse(base::text("document.state.learning_rate"));
      view_state_.learning_rate = *rate;
    }
    learns();
    choose("projection", projection_names, view_state_.projection);
    choose("show", show_names, view_state_.show);
    choose("map", map_names, view_state_.map);
    if (const Json* value = find("framing"))
      wrong_.store(framing_or_none(*value), view_state_.framing);
    if (const Json* value = find("cell")) wrong_.store(cell_or_none(*value), view_state_.cell);
    choose("theme", theme_names, view_state_.theme);
  }

  void learns() {
    const Json* value = find("learns");
    if (value == nullptr) return;
    if (!value->is_array()) return refuse(base::text("document.state.learns"));
    view_state_.learns = 0;
    const std::string each_name = base::text("document.field.each_name", {{"field", "learns"}});
    for (const Json& each : value->elements()) {
      std::size_t bit = 0;
      wrong_.store(choice(each_name, each, learns_names), bit);
      view_state_.learns = static_cast<Learns>(view_state_.learns | (1U << bit));
    }
  }

  void sentence() {
    const Json* value = find("sentence");
    if (value == nullptr) return;
    const std::string* text = value->text();
    if (text == nullptr) return refuse(base::text("document.field.text", {{"field", "sentence"}}));
    if (!present_example().has_sentence) {
      if (text->empty()) return;
      return refuse(base::text("document.state.sentence", {{"example", present_example().name}}));
    }
    if (text->empty()) return refuse(base::text("document.example.empty_sentence"));
    configuration_ = with_sentence(std::move(configuration_), *text);
  }

  void beam() {
    std::size_t beam = configuration_.parameters.beam;
    number("beam", 1, largest_whole, beam);
    if (wrong_ || beam == configuration_.parameters.beam) return;
    if (configuration_.example != lesson::ExampleId::translator) {
      if (beam == 1) return;
      return refuse(base::text("document.state.beam", {{"example", present_example().name}}));
    }
    configuration_ = with_beam(std::move(configuration_), beam);
  }

  void translation_begin() {
    const Json* value = find("translation_begin");
    if (value == nullptr) return;
    std::vector<std::size_t> places_in_vocabulary;
    wrong_.store(places("translation_begin", *value), places_in_vocabulary);
    const std::vector<std::uint32_t> tokens(places_in_vocabulary.begin(),
                                            places_in_vocabulary.end());
    if (wrong_ || tokens == configuration_.parameters.begin) return;
    if (tokens.size() > lesson::longest_target) {
      return refuse(base::text("document.state.translation_too_long",
                               {{"count", tokens.size()}, {"most", lesson::longest_target}}));
    }
    if (configuration_.example != lesson::ExampleId::translator) {
      if (tokens.empty()) return;
      return refuse(
          base::text("document.state.translation_begin", {{"example", present_example().name}}));
    }
    configuration_ = with_translation_begin(std::move(configuration_), tokens);
  }

  /// In most examples num_kv_heads is num_heads and cannot be chosen; that value is accepted.
  void kv_heads(std::size_t num_heads, std::size_t& to) {
    const lesson::Example& example = present_example();
    if (example.has_kv_heads) return number("num_kv_heads", 1, largest_size, to);
    const Json* value = find("num_kv_heads");
    const lesson::SizeRange& sizes = lesson::sizes_of(example, configuration_.parameters.variant);
    const std::size_t heads = num_heads == 0 ? sizes.num_heads : num_heads;
    if (value == nullptr || *value == Json(heads)) return;
    refuse(base::text("document.state.num_kv_heads", {{"example", example.name}}));
  }

  void sizes() {
    lesson::Parameters parameters = configuration_.parameters;
    number("seed", 0, largest_whole, configuration_.parameters.seed);
    if (find("num_heads") != nullptr) parameters.num_kv_heads = 0;
    number("embed_dim", 1, largest_size, parameters.embed_dim);
    number("num_heads", 1, largest_size, parameters.num_heads);
    kv_heads(parameters.num_heads, parameters.num_kv_heads);
    configuration_ =
        with_sizes(std::move(configuration_),
                   {parameters.embed_dim, parameters.num_heads, parameters.num_kv_heads});
    if (wrong_) return;
    number("kdim", 0, largest_size, parameters.kdim);
    if (!present_example().has_kdim && parameters.kdim != 0)
      return refuse(base::text("document.example.no_kdim", {{"example", present_example().name}}));
    configuration_ = with_kdim(std::move(configuration_), parameters.kdim);
    if (auto read = read_variants(json_, configuration_.variants); !read) wrong_.keep(read.error());
    number("source_len", 0, largest_size, parameters.source_len);
    number("target_len", 0, largest_size, parameters.target_len);
    configuration_ =
        with_lengths(std::move(configuration_), parameters.source_len, parameters.target_len);
  }

  void picture() {
    const Json* value = find("picture");
    if (value == nullptr) return;
    const std::string* text = value->text();
    auto rgb = text == nullptr ? std::nullopt : base::from_base64(*text);
    if (!rgb) return refuse(base::text("document.state.picture_bytes"));
    if (!present_example().has_picture && !rgb->empty()) {
      return refuse(base::text("document.state.picture", {{"example", present_example().name}}));
    }
    configuration_ = with_picture(std::move(configuration_), *std::move(rgb));
  }

  void scale() {
    const Json* value = find("scale");
    if (value == nullptr) return;
    if (const auto divisor = document::number(*value); divisor && value->is_number()) {
      configuration_.scale = Scale{Scale::Kind::number, *divisor};
    } else if (const auto kind = choice("scale", *value, scale_names)) {
      configuration_.scale = Scale{static_cast<Scale::Kind>(*kind), 1.0F};
    } else {
      refuse(base::text("document.state.scale", {{"names", list_of(scale_names)}}));
    }
  }

  void masks() {
    std::map<AttentionId, MaskKind> chosen;
    by_attention("masks", base::text("document.state.masks"),
                 [&](AttentionId id, const std::string& name, const Json& value) {
                   wrong_.store(choice(name, value, lesson::mask_names()), chosen[id]);
                 });
    if (find("mask") != nullptr) {
      MaskKind kind = MaskKind::none;
      choose("mask", lesson::mask_names(), kind);
      const auto [place, is_new] = chosen.emplace(view_state_.attention, kind);
      if (!is_new && place->second != kind) {
        refuse(
            base::text("document.state.two_masks", {{"attention", lesson::name_of(place->first)}}));
      }
    }
    for (const auto& [id, kind] : chosen) {
      // Choosing the present mask again must not remove edits of its cells.
      if (present_mask(id) != kind) configuration_ = with_mask(std::move(configuration_), id, kind);
    }
  }

  /// As chosen, or as the example has it; nothing for an attention that is not there.
  std::optional<MaskKind> present_mask(AttentionId id) const {
    const auto own = configuration_.masks.find(id);
    if (own != configuration_.masks.end()) return own->second;
    const auto attentions = present_example().attentions;
    const auto found = std::find(attentions.begin(), attentions.end(), id);
    if (found == attentions.end()) return std::nullopt;
    return lesson::masks_of(
        present_example(),
        configuration_.parameters.variant)[static_cast<std::size_t>(found - attentions.begin())];
  }

  void position_encoding() {
    const Json* value = find("position_encoding");
    if (value == nullptr) return;
    bool on = false;
    wrong_.store(boolean("position_encoding", *value), on);
    configuration_ = with_position_encoding(std::move(configuration_), on);
  }

  void edits(const std::string& field, Result<Edit> (*read_one)(const Json&),
             std::vector<Edit>& to) {
    const Json* value = find(field);
    if (value != nullptr && value->is_array() && value->size() > max_edits) {
      return refuse(base::text("document.state.too_many_entries",
                               {{"field", field}, {"count", value->size()}, {"most", max_edits}}));
    }
    list(field, read_one, to);
  }

  void mistake() {
    const Json* value = find("mistake");
    const std::string* text = value == nullptr ? nullptr : value->text();
    if (const auto hidden = text == nullptr ? std::nullopt : mistake_of_riddle(*text)) {
      configuration_.mistake = *hidden;
    } else {
      choose("mistake", model::mistake_names, configuration_.mistake);
    }
  }

  void training() {
    Training training = configuration_.training;
    if (find("method") != nullptr) {
      auto method = training::Method::adam;
      choose("method", method_names, method);
      training.method = method;
    }
    if (const Json* value = find("training_rate")) {
      const auto rate = document::number(*value);
      if (!rate || !value->is_number()) return refuse(training::no_learning_rate());
      training.learning_rate = *rate;
    }
    if (find("batch_size") != nullptr)
      number("batch_size", 0, largest_whole, training.batch_size.emplace());
    number("sequence", 0, largest_whole, training.sequence);
    number("trained_steps", 0, largest_whole, training.steps);
    if (present_example().task) {
      configuration_.training = training;
    } else if (!wrong_ && !is_untrained(training)) {
      refuse(base::text("document.state.training", {{"example", present_example().name}}));
    }
  }

  /// Whether it is what the state of an example without a task says.
  static bool is_untrained(const Training& training) {
    const training::Settings none;
    return training.method.value_or(none.method) == none.method &&
           training.learning_rate.value_or(none.learning_rate) == none.learning_rate &&
           training.batch_size.value_or(none.batch_size) == none.batch_size &&
           training.sequence == 0 && training.steps == 0;
  }

  void ablated_heads() {
    if (find("ablated_heads") != nullptr) configuration_.ablated_heads.clear();
    by_attention("ablated_heads", base::text("document.state.ablated_heads"),
                 [&](AttentionId id, const std::string& name, const Json& value) {
                   wrong_.store(places(name, value), configuration_.ablated_heads[id]);
                 });
  }

  static constexpr std::uint64_t largest_whole = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::uint64_t largest_size = std::numeric_limits<std::uint16_t>::max();

  const Json& json_;
  Configuration& configuration_;
  ViewState& view_state_;
  FirstError wrong_;
};

}  // namespace

Result<void> read_state(const Json& json, Document& document) {
  return Reader(json, document).read();
}

}  // namespace document
