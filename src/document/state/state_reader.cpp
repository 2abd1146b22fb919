#include "document/state/state_reader.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "document/commands.hpp"
#include "document/edits/given.hpp"
#include "document/link/base64.hpp"
#include "document/link/riddle.hpp"
#include "document/state/text.hpp"

namespace document {

using base::fail;
using base::Json;
using base::Result;
using lesson::AttentionId;
using lesson::MaskKind;
using model::Scale;

namespace {

// clang-format off
constexpr std::array fields = std::to_array<std::string_view>({
    "example", "variant", "step", "attention", "head", "all_heads", "query", "key", "sample",
    "all_samples", "shared_scale", "projection", "scrub", "cell", "framing", "show", "compare",
    "guessing", "scale", "mask", "masks", "position_encoding", "seed", "sentence", "picture",
    "embed_dim", "num_heads", "num_kv_heads", "source_len", "target_len", "theme", "edits",
    "mistake", "ablated_heads", "given_weights"
});
// clang-format on

using Done = Result<void>;

/// The names that a list of examples, variants or steps is known by.
template <typename List>
std::vector<std::string_view> names_in(const List& list) {
  std::vector<std::string_view> names;
  for (const auto& each : list) names.push_back(each.name);
  return names;
}

/// Stores what was read, if it could be.
template <typename T, typename U>
Done store(const Result<T>& read, U& place) {
  if (!read) return fail(read.error());
  place = static_cast<U>(*read);
  return {};
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
  if (numbers.size() != 3) return fail("framing must be three numbers, [x, y, zoom], or null.");
  return Framing{numbers[0], numbers[1], numbers[2]};
}

/// One function for each group of fields that belong together.
class Reader {
 public:
  Reader(const Json& json, Document& document) : json_(json), document_(document) {}

  Done read() {
    for (const auto group :
         {&Reader::known, &Reader::example, &Reader::variant, &Reader::place, &Reader::shown,
          &Reader::sentence, &Reader::picture, &Reader::sizes, &Reader::scale, &Reader::masks,
          &Reader::position_encoding, &Reader::edits, &Reader::mistake, &Reader::ablated_heads,
          &Reader::given_weights}) {
      if (auto done = (this->*group)(); !done) return done;
    }
    return {};
  }

 private:
  const Json* find(std::string_view field) const { return json_.find(field); }

  const lesson::Example& present_example() const {
    return lesson::example(document_.configuration.example);
  }

  Done known() {
    for (const std::string& name : json_.names()) {
      if (std::find(fields.begin(), fields.end(), name) != fields.end()) continue;
      return fail(quote(name) + " is no field of a state; there are " + list_of(fields) + ".");
    }
    return {};
  }

  Done example() {
    const Json* value = find("example");
    if (value == nullptr) return {};
    const auto place = choice("example", *value, names_in(lesson::examples()));
    if (!place) return fail(place.error());
    const lesson::ExampleId id = lesson::examples()[*place].id;
    if (id == document_.configuration.example) return {};
    document_.configuration = fresh(id, 0);
    document_.view_state = first_view_state(document_.view_state, id);
    return {};
  }

  Done variant() {
    const Json* value = find("variant");
    if (value == nullptr) return {};
    const auto place = choice("variant of " + std::string(present_example().name), *value,
                              names_in(present_example().variants));
    if (!place) return fail(place.error());
    if (*place == document_.configuration.parameters.variant) return {};
    document_.configuration = with_variant(std::move(document_.configuration), *place);
    return {};
  }

  /// What is looked at. Whether it is there is seen when it is computed.
  Done place() {
    ViewState& view_state = document_.view_state;
    if (const Json* value = find("attention")) {
      auto done =
          store(choice("attention", *value, lesson::attention_names()), view_state.attention);
      if (!done) return done;
    }
    constexpr std::uint64_t largest = std::numeric_limits<std::uint32_t>::max();
    for (const auto& [field, where] :
         {std::pair{"head", &view_state.head}, std::pair{"query", &view_state.query},
          std::pair{"key", &view_state.key}, std::pair{"sample", &view_state.sample}}) {
      const Json* value = find(field);
      if (value == nullptr) continue;
      if (auto done = store(whole(field, *value, 0, largest), *where); !done) return done;
    }
    return {};
  }

  /// How it is looked at.
  Done shown() {
    ViewState& view_state = document_.view_state;
    if (const Json* value = find("step")) {
      lesson::StepId step = view_state.step;
      auto done = store(choice("step", *value, names_in(lesson::steps())), step);
      if (!done) return done;
      view_state = at_step(view_state, step);
    }
    for (const auto& [field, where] :
         {std::pair{"all_heads", &view_state.all_heads},
          std::pair{"all_samples", &view_state.all_samples},
          std::pair{"shared_scale", &view_state.shared_scale},
          std::pair{"compare", &view_state.compare}, std::pair{"guessing", &view_state.guessing}}) {
      const Json* value = find(field);
      if (value == nullptr) continue;
      if (auto done = store(boolean(field, *value), *where); !done) return done;
    }
    if (const Json* value = find("scrub")) {
      const auto to = number(*value);
      if (!to || !value->is_number()) return fail("scrub must be a number from 0 to 1.");
      view_state.progress = *to;
    }
    if (const Json* value = find("projection")) {
      auto done = store(choice("projection", *value, projection_names), view_state.projection);
      if (!done) return done;
    }
    if (const Json* value = find("show")) {
      if (auto done = store(choice("show", *value, show_names), view_state.show); !done)
        return done;
    }
    if (const Json* value = find("framing")) {
      if (auto done = store(framing_or_none(*value), view_state.framing); !done) return done;
    }
    if (const Json* value = find("cell")) {
      if (auto done = store(cell_or_none(*value), view_state.cell); !done) return done;
    }
    if (const Json* value = find("theme")) {
      if (auto done = store(choice("theme", *value, theme_names), view_state.theme); !done)
        return done;
    }
    return {};
  }

  Done sentence() {
    const Json* value = find("sentence");
    if (value == nullptr) return {};
    const std::string* text = value->text();
    if (text == nullptr) return fail("sentence must be text.");
    if (!present_example().has_sentence) {
      if (text->empty()) return {};
      return fail("sentence belongs to your-sentence; " + std::string(present_example().name) +
                  " has its own words.");
    }
    if (text->empty()) return fail("The sentence is empty: type at least one word.");
    document_.configuration = with_sentence(std::move(document_.configuration), *text);
    return {};
  }

  Done size(std::string_view field, std::uint64_t smallest, std::size_t& to) {
    const Json* value = find(field);
    if (value == nullptr) return {};
    return store(whole(field, *value, smallest, std::numeric_limits<std::uint16_t>::max()), to);
  }

  /// Most examples have as many heads of keys and values as heads, and say so.
  Done kv_heads(std::size_t num_heads, std::size_t& to) {
    const lesson::Example& example = present_example();
    if (example.has_kv_heads) return size("num_kv_heads", 1, to);
    const Json* value = find("num_kv_heads");
    const std::size_t heads = num_heads == 0 ? example.sizes.num_heads : num_heads;
    if (value == nullptr || *value == Json(heads)) return {};
    return fail("num_kv_heads belongs to your-sentence; in " + std::string(example.name) +
                " every head has keys and values of its own.");
  }

  Done sizes() {
    lesson::Parameters& parameters = document_.configuration.parameters;
    if (const Json* value = find("seed")) {
      constexpr std::uint64_t largest = std::numeric_limits<std::uint32_t>::max();
      if (auto done = store(whole("seed", *value, 0, largest), parameters.seed); !done) return done;
    }
    std::size_t embed_dim = parameters.embed_dim;
    std::size_t num_heads = parameters.num_heads;
    std::size_t num_kv_heads = find("num_heads") == nullptr ? parameters.num_kv_heads : 0;
    if (auto done = size("embed_dim", 1, embed_dim); !done) return done;
    if (auto done = size("num_heads", 1, num_heads); !done) return done;
    if (auto done = kv_heads(num_heads, num_kv_heads); !done) return done;
    document_.configuration =
        with_sizes(std::move(document_.configuration), embed_dim, num_heads, num_kv_heads);
    std::size_t source_len = parameters.source_len;
    std::size_t target_len = parameters.target_len;
    if (auto done = size("source_len", 0, source_len); !done) return done;
    if (auto done = size("target_len", 0, target_len); !done) return done;
    document_.configuration =
        with_lengths(std::move(document_.configuration), source_len, target_len);
    return {};
  }

  Done picture() {
    const Json* value = find("picture");
    if (value == nullptr) return {};
    const std::string* text = value->text();
    auto rgb = text == nullptr ? std::nullopt : from_base64(*text);
    if (!rgb) return fail("picture must be bytes in base64, or empty for the example's own.");
    if (!present_example().has_picture && !rgb->empty()) {
      return fail("picture belongs to image-patches; " + std::string(present_example().name) +
                  " has none.");
    }
    document_.configuration = with_picture(std::move(document_.configuration), *std::move(rgb));
    return {};
  }

  Done scale() {
    const Json* value = find("scale");
    if (value == nullptr) return {};
    if (const auto divisor = number(*value); divisor && value->is_number()) {
      document_.configuration.scale = Scale{Scale::Kind::number, *divisor};
      return {};
    }
    const auto kind = choice("scale", *value, scale_names);
    if (!kind) {
      return fail("scale must be one of " + list_of(scale_names) + ", or a finite number.");
    }
    document_.configuration.scale = Scale{static_cast<Scale::Kind>(*kind), 1.0F};
    return {};
  }

  Done masks() {
    std::map<AttentionId, MaskKind> chosen;
    if (const Json* value = find("masks")) {
      if (!value->is_object()) {
        return fail("masks must be an object, one mask for each attention it names.");
      }
      for (std::size_t i = 0; i < value->size(); ++i) {
        const std::string& name = value->names()[i];
        const auto id = choice("A name in masks", name, lesson::attention_names());
        if (!id) return fail(id.error());
        MaskKind& kind = chosen[static_cast<AttentionId>(*id)];
        auto done =
            store(choice("masks." + name, value->elements()[i], lesson::mask_names()), kind);
        if (!done) return done;
      }
    }
    if (const Json* value = find("mask")) {
      MaskKind kind = MaskKind::none;
      if (auto done = store(choice("mask", *value, lesson::mask_names()), kind); !done) return done;
      const auto [place, is_new] = chosen.emplace(document_.view_state.attention, kind);
      if (!is_new && place->second != kind) {
        return fail("mask and masks." + std::string(lesson::name_of(place->first)) +
                    " differ; give one of them, or the same in both.");
      }
    }
    for (const auto& [id, kind] : chosen) {
      // A mask that is chosen already keeps the cells painted on it.
      if (present_mask(id) != kind) {
        document_.configuration = with_mask(std::move(document_.configuration), id, kind);
      }
    }
    return {};
  }

  /// As chosen, or as the example has it; nothing for an attention that is not there.
  std::optional<MaskKind> present_mask(AttentionId id) const {
    const auto own = document_.configuration.masks.find(id);
    if (own != document_.configuration.masks.end()) return own->second;
    const auto attentions = present_example().attentions;
    const auto found = std::find(attentions.begin(), attentions.end(), id);
    if (found == attentions.end()) return std::nullopt;
    return present_example().masks[static_cast<std::size_t>(found - attentions.begin())];
  }

  Done position_encoding() {
    const Json* value = find("position_encoding");
    if (value == nullptr) return {};
    const auto on = boolean("position_encoding", *value);
    if (!on) return fail(on.error());
    document_.configuration = with_position_encoding(std::move(document_.configuration), *on);
    return {};
  }

  Done edits() {
    const Json* value = find("edits");
    if (value == nullptr) return {};
    if (!value->is_array()) return fail("edits must be an array.");
    if (value->size() > max_edits) {
      return fail("edits has " + std::to_string(value->size()) + " entries; at most " +
                  std::to_string(max_edits) + " are allowed.");
    }
    std::vector<Edit> all;
    for (const Json& each : value->elements()) {
      const auto edit = read_edit(each);
      if (!edit) return fail(edit.error());
      all.push_back(*edit);
    }
    document_.configuration.edits = std::move(all);
    return {};
  }

  Done mistake() {
    const Json* value = find("mistake");
    if (value == nullptr) return {};
    if (const std::string* text = value->text()) {
      if (const auto hidden = mistake_of_riddle(*text)) {
        document_.configuration.mistake = *hidden;
        return {};
      }
    }
    return store(choice("mistake", *value, model::mistake_names()),
                 document_.configuration.mistake);
  }

  Done ablated_heads() {
    const Json* value = find("ablated_heads");
    if (value == nullptr) return {};
    if (!value->is_object()) {
      return fail("ablated_heads must be an object, a list of heads for each attention it names.");
    }
    std::map<AttentionId, std::vector<std::size_t>> all;
    for (std::size_t i = 0; i < value->size(); ++i) {
      const std::string& name = value->names()[i];
      const auto id = choice("A name in ablated_heads", name, lesson::attention_names());
      if (!id) return fail(id.error());
      auto heads = places("ablated_heads." + name, value->elements()[i]);
      if (!heads) return fail(heads.error());
      all[static_cast<AttentionId>(*id)] = *std::move(heads);
    }
    document_.configuration.ablated_heads = std::move(all);
    return {};
  }

  Done given_weights() {
    const Json* value = find("given_weights");
    if (value == nullptr) return {};
    if (!value->is_array()) return fail("given_weights must be an array.");
    std::vector<GivenRow> all;
    for (const Json& each : value->elements()) {
      auto row = read_row(each);
      if (!row) return fail(row.error());
      all.push_back(*std::move(row));
    }
    document_.configuration.given_weights = std::move(all);
    return {};
  }

  const Json& json_;
  Document& document_;
};

}  // namespace

std::span<const std::string_view> state_fields() { return fields; }

Result<void> read_state(const Json& json, Document& document) {
  return Reader(json, document).read();
}

}  // namespace document
