#include "document/state.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "document/commands.hpp"
#include "document/given.hpp"
#include "document/text.hpp"

namespace document {

using attention::fail;
using attention::Result;
using attention::Scale;
using lesson::AttentionId;
using lesson::MaskKind;
// Written in the order of the fields; read into sorted maps, which no number of fields makes slow.
using Out = nlohmann::ordered_json;
using In = nlohmann::json;

namespace {

constexpr std::array<std::string_view, 3> theme_names = {"auto", "light", "dark"};
constexpr std::array<std::string_view, 3> scale_names = {"none", "sqrt-head-dim", "sqrt-keys"};
constexpr std::array<std::string_view, 4> edit_fields = {"attention", "tensor", "index", "value"};
constexpr std::array<std::string_view, 18> fields = {
    "example",   "variant",   "step",  "attention", "head", "all_heads", "query",
    "sample",    "scale",     "mask",  "masks",     "seed", "sentence",  "position_encoding",
    "embed_dim", "num_heads", "theme", "edits"};
constexpr std::string_view minus_infinity = "-Infinity";

// Writing. ----------------------------------------------------------------------------------------

/// Numbers as short as the float allows: 0.1, not 0.10000000149011612.
Out number_json(float number) {
  const std::string text = number_text(number);
  if (!std::isfinite(number)) return text;
  return std::strtod(text.c_str(), nullptr);
}

Out scale_json(const Scale& scale) {
  if (scale.kind == Scale::Kind::number) return number_json(scale.number);
  return std::string(scale_names[static_cast<std::size_t>(scale.kind)]);
}

Out edit_json(const Edit& edit) {
  Out index = Out::array();
  for (const std::size_t place : edit.cell.index) index.push_back(place);
  Out json;
  json["attention"] = std::string(lesson::name_of(edit.cell.attention));
  json["tensor"] = std::string(attention::name_of(edit.cell.tensor));
  json["index"] = std::move(index);
  json["value"] = number_json(edit.value);
  return json;
}

// Reading. ----------------------------------------------------------------------------------------

using Done = Result<void>;

template <std::size_t count>
tl::unexpected<attention::Error> not_among(std::string_view field, const In& value,
                                           const std::array<std::string_view, count>& allowed) {
  const std::string* text = value.get_ptr<const std::string*>();
  return fail(std::string(field) + (text != nullptr ? " is " + quote(*text) : " is no text") +
              "; allowed: " + list_of(allowed) + ".");
}

/// Which of the names the value is.
template <std::size_t count>
Result<std::size_t> choice(std::string_view field, const In& value,
                           const std::array<std::string_view, count>& allowed) {
  if (const std::string* text = value.get_ptr<const std::string*>()) {
    for (std::size_t i = 0; i < count; ++i) {
      if (allowed[i] == *text) return i;
    }
  }
  return not_among(field, value, allowed);
}

/// The id behind a name, for names that other rooms keep.
template <typename Id>
Result<Id> named(std::string_view field, const In& value,
                 std::optional<Id> (*find)(std::string_view), const std::string& allowed) {
  const std::string* text = value.get_ptr<const std::string*>();
  if (text != nullptr) {
    if (const std::optional<Id> id = find(*text)) return *id;
  }
  return fail(std::string(field) + (text != nullptr ? " is " + quote(*text) : " is no text") +
              "; allowed: " + allowed + ".");
}

Result<bool> boolean(std::string_view field, const In& value) {
  if (const bool* flag = value.get_ptr<const bool*>()) return *flag;
  return fail(std::string(field) + " must be true or false.");
}

Result<std::size_t> whole(std::string_view field, const In& value, std::uint64_t smallest,
                          std::uint64_t largest) {
  const auto* number = value.get_ptr<const In::number_unsigned_t*>();
  if (number != nullptr && *number >= smallest && *number <= largest)
    return static_cast<std::size_t>(*number);
  return fail(std::string(field) + " must be a whole number from " + std::to_string(smallest) +
              " to " + std::to_string(largest) + ".");
}

/// A number that float32 can hold, or −∞ as its name. Larger bounds are the tensor's or the scale's
/// own business.
std::optional<float> number(const In& value) {
  if (const std::string* text = value.get_ptr<const std::string*>()) {
    if (*text == minus_infinity) return -std::numeric_limits<float>::infinity();
    return std::nullopt;
  }
  double read = 0.0;
  if (const auto* real = value.get_ptr<const In::number_float_t*>()) {
    read = *real;
  } else if (const auto* positive = value.get_ptr<const In::number_unsigned_t*>()) {
    read = static_cast<double>(*positive);
  } else if (const auto* integer = value.get_ptr<const In::number_integer_t*>()) {
    read = static_cast<double>(*integer);
  } else {
    return std::nullopt;
  }
  if (!(std::abs(read) <= static_cast<double>(std::numeric_limits<float>::max())))
    return std::nullopt;
  return static_cast<float>(read);
}

std::string attention_names() {
  constexpr std::array all = {AttentionId::attention, AttentionId::encoder_self_attention,
                              AttentionId::decoder_self_attention, AttentionId::cross_attention};
  return list_of(all);
}

Result<AttentionId> attention_id(std::string_view field, const In& value) {
  return named<AttentionId>(field, value, lesson::attention_named, attention_names());
}

Result<MaskKind> mask_kind(std::string_view field, const In& value) {
  constexpr std::array kinds = {MaskKind::none, MaskKind::padding, MaskKind::look_ahead,
                                MaskKind::both};
  std::vector<std::string_view> names;
  for (const MaskKind kind : kinds) names.push_back(lesson::name_of(kind));
  return named<MaskKind>(field, value, lesson::mask_named, list_of(names));
}

Result<Edit> read_edit(const In& json) {
  if (!json.is_object() || json.size() != edit_fields.size()) {
    return fail("Every edit must have the fields " + list_of(edit_fields) + ", and no others.");
  }
  for (const std::string_view field : edit_fields) {
    if (json.find(field) == json.end())
      return fail("An edit lacks the field " + std::string(field) + ".");
  }
  Edit edit;
  const auto attention = attention_id("attention of an edit", *json.find("attention"));
  if (!attention) return fail(attention.error().message);
  edit.cell.attention = *attention;

  const auto tensor = named<attention::TensorId>(
      "tensor of an edit", *json.find("tensor"), attention::tensor_named,
      "the names of inputs, weights, biases and mask, as token_embedding");
  if (!tensor) return fail(tensor.error().message);
  edit.cell.tensor = *tensor;

  const In& index = *json.find("index");
  if (!index.is_array() || index.size() > attention::Index::max_rank) {
    return fail(
        "index of an edit must be an array of whole numbers, one for each axis of the tensor.");
  }
  for (const In& place : index) {
    const auto at = whole("Each number in the index of an edit", place, 0,
                          std::numeric_limits<std::uint32_t>::max());
    if (!at) return fail(at.error().message);
    edit.cell.index.push_back(*at);
  }

  const auto value = number(*json.find("value"));
  if (!value) return fail("value of an edit must be a finite number, or \"-Infinity\" in a mask.");
  edit.value = *value;
  return edit;
}

/// Reads the fields of one object into a document, one function per group of fields that belong
/// together.
class Reader {
 public:
  Reader(const In& json, Document& document) : json_(json), document_(document) {}

  Done read() {
    for (const auto part :
         {&Reader::example, &Reader::attention, &Reader::place, &Reader::shown, &Reader::text,
          &Reader::scale, &Reader::masks, &Reader::position_encoding, &Reader::edits}) {
      if (auto done = (this->*part)(); !done) return done;
    }
    return {};
  }

 private:
  const In* find(std::string_view field) const {
    const auto found = json_.find(field);
    return found == json_.end() ? nullptr : &*found;
  }

  /// Stores what `read` makes of the field, if the field is there.
  template <typename T, typename U>
  Done store(const Result<T>& read, U& place) {
    if (!read) return fail(read.error().message);
    place = static_cast<U>(*read);
    return {};
  }

  Done example() {
    if (const In* value = find("example")) {
      std::vector<std::string_view> names;
      for (const lesson::Example& each : lesson::examples()) names.push_back(each.name);
      const auto id =
          named<lesson::ExampleId>("example", *value, lesson::example_named, list_of(names));
      if (!id) return fail(id.error().message);
      if (*id != document_.setup.example) {
        document_.setup = fresh(*id, 0);
        document_.look = first_look(document_.look, *id);
      }
    }
    if (const In* value = find("variant")) {
      const auto variants = lesson::example(document_.setup.example).variants;
      const std::string* text = value->get_ptr<const std::string*>();
      std::vector<std::string_view> names;
      for (std::size_t i = 0; i < variants.size(); ++i) {
        names.push_back(variants[i].name);
        if (text == nullptr || *text != variants[i].name) continue;
        if (i != document_.setup.parameters.variant)
          document_.setup = with_variant(std::move(document_.setup), i);
        return {};
      }
      return fail("variant" +
                  (text != nullptr ? " is " + quote(*text) : std::string(" is no text")) + "; " +
                  std::string(lesson::example(document_.setup.example).name) + " has " +
                  list_of(names) + ".");
    }
    return {};
  }

  Done attention() {
    const In* value = find("attention");
    return value == nullptr ? Done{}
                            : store(attention_id("attention", *value), document_.look.attention);
  }

  Done place() {
    constexpr std::uint64_t largest = std::numeric_limits<std::uint32_t>::max();
    Look& look = document_.look;
    for (const auto& [field, where] :
         {std::pair{"head", &look.head}, std::pair{"query", &look.query},
          std::pair{"sample", &look.sample}}) {
      const In* value = find(field);
      if (value == nullptr) continue;
      if (auto done = store(whole(field, *value, 0, largest), *where); !done) return done;
    }
    return {};
  }

  Done shown() {
    if (const In* value = find("step")) {
      std::vector<std::string_view> names;
      for (const lesson::Step& each : lesson::steps()) names.push_back(each.name);
      const auto step = named<lesson::StepId>("step", *value, lesson::step_named, list_of(names));
      if (auto done = store(step, document_.look.step); !done) return done;
    }
    if (const In* value = find("all_heads")) {
      if (auto done = store(boolean("all_heads", *value), document_.look.all_heads); !done)
        return done;
    }
    if (const In* value = find("theme")) {
      if (auto done = store(choice("theme", *value, theme_names), document_.look.theme); !done)
        return done;
    }
    return {};
  }

  /// What the example is made from: seed, sentence, sizes.
  Done text() {
    Setup& setup = document_.setup;
    const lesson::Example& example = lesson::example(setup.example);
    if (const In* value = find("seed")) {
      const auto seed = whole("seed", *value, 0, std::numeric_limits<std::uint32_t>::max());
      if (auto done = store(seed, setup.parameters.seed); !done) return done;
    }
    if (const In* value = find("sentence")) {
      const std::string* sentence = value->get_ptr<const std::string*>();
      if (sentence == nullptr) return fail("sentence must be text.");
      if (!example.has_sentence && !sentence->empty()) {
        return fail("sentence belongs to your-sentence; " + std::string(example.name) +
                    " has its own words.");
      }
      if (example.has_sentence && sentence->empty())
        return fail("The sentence is empty: type at least one word.");
      setup = with_sentence(std::move(setup), *sentence);
    }
    return sizes();
  }

  Done sizes() {
    Setup& setup = document_.setup;
    std::size_t embed_dim = setup.parameters.embed_dim;
    std::size_t num_heads = setup.parameters.num_heads;
    for (const auto& [field, where] :
         {std::pair{"embed_dim", &embed_dim}, std::pair{"num_heads", &num_heads}}) {
      const In* value = find(field);
      if (value == nullptr) continue;
      if (auto done =
              store(whole(field, *value, 1, std::numeric_limits<std::uint16_t>::max()), *where);
          !done) {
        return done;
      }
    }
    setup = with_sizes(std::move(setup), embed_dim, num_heads);
    return {};
  }

  Done scale() {
    const In* value = find("scale");
    if (value == nullptr) return {};
    if (const std::string* text = value->get_ptr<const std::string*>()) {
      for (std::size_t i = 0; i < scale_names.size(); ++i) {
        if (scale_names[i] != *text) continue;
        document_.setup.scale = Scale{static_cast<Scale::Kind>(i), 1.0F};
        return {};
      }
    } else if (const auto divisor = number(*value)) {
      document_.setup.scale = Scale{Scale::Kind::number, *divisor};
      return {};
    }
    return fail("scale must be " + list_of(scale_names) + ", or a number.");
  }

  Done masks() {
    std::map<AttentionId, MaskKind> chosen;
    if (const In* value = find("masks")) {
      if (!value->is_object())
        return fail("masks must be an object, one mask for each attention it names.");
      for (const auto& item : value->items()) {
        const auto id = attention_id("A name in masks", In(item.key()));
        if (!id) return fail(id.error().message);
        const auto kind = mask_kind("masks." + item.key(), item.value());
        if (!kind) return fail(kind.error().message);
        chosen[*id] = *kind;
      }
    }
    if (const In* value = find("mask")) {
      const auto kind = mask_kind("mask", *value);
      if (!kind) return fail(kind.error().message);
      const auto [place, is_new] = chosen.emplace(document_.look.attention, *kind);
      if (!is_new && place->second != *kind) {
        return fail("mask and masks." + std::string(lesson::name_of(place->first)) +
                    " differ; give one of them, or the same in both.");
      }
    }
    for (const auto& [id, kind] : chosen) set_mask(id, kind);
    return {};
  }

  /// A mask that is chosen already keeps the cells painted on it.
  void set_mask(AttentionId id, MaskKind kind) {
    if (kind_of(id) == kind) return;
    document_.setup = with_mask(std::move(document_.setup), id, kind);
  }

  /// The mask as chosen or as the example has it; nothing for an attention it does not have.
  std::optional<MaskKind> kind_of(AttentionId id) const {
    const Setup& setup = document_.setup;
    if (const auto own = setup.masks.find(id); own != setup.masks.end()) return own->second;
    const lesson::Example& example = lesson::example(setup.example);
    for (std::size_t place = 0; place < example.attentions.size(); ++place) {
      if (example.attentions[place] == id) return example.masks[place];
    }
    return std::nullopt;
  }

  Done position_encoding() {
    const In* value = find("position_encoding");
    if (value == nullptr) return {};
    const auto on = boolean("position_encoding", *value);
    if (!on) return fail(on.error().message);
    document_.setup = with_position_encoding(std::move(document_.setup), *on);
    return {};
  }

  Done edits() {
    const In* value = find("edits");
    if (value == nullptr) return {};
    if (!value->is_array()) return fail("edits must be an array.");
    if (value->size() > max_edits) {
      return fail("edits has " + std::to_string(value->size()) + " entries; at most " +
                  std::to_string(max_edits) + " are allowed.");
    }
    std::vector<Edit> all;
    for (const In& json : *value) {
      auto edit = read_edit(json);
      if (!edit) return fail(edit.error().message);
      all.push_back(*edit);
    }
    document_.setup.edits = std::move(all);
    return {};
  }

  const In& json_;
  Document& document_;
};

/// How deep arrays and objects nest. A state needs three levels (edits, an edit, its index).
std::size_t depth_of(std::string_view json) {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_text) {
      if (c == '\\') ++i;
      if (c == '"') in_text = false;
    } else if (c == '"') {
      in_text = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return deepest;
}

}  // namespace

std::string to_json(const Document& document, const Computed& computed) {
  const auto& [setup, look] = document;
  const lesson::Example& example = lesson::example(setup.example);
  const std::size_t variant = setup.parameters.variant;
  Out masks = Out::object();
  for (const ComputedAttention& attention : computed.attentions) {
    masks[std::string(lesson::name_of(attention.id))] =
        std::string(lesson::name_of(attention.mask));
  }
  Out edits = Out::array();
  for (const Edit& edit : setup.edits) edits.push_back(edit_json(edit));

  Out json;
  json["example"] = std::string(example.name);
  json["variant"] =
      std::string(variant < example.variants.size() ? example.variants[variant].name : "");
  json["step"] = std::string(lesson::step(look.step).name);
  json["attention"] = std::string(lesson::name_of(look.attention));
  json["head"] = look.head;
  json["all_heads"] = look.all_heads;
  json["query"] = look.query;
  json["sample"] = look.sample;
  json["scale"] = scale_json(computed.scale);
  json["mask"] = std::string(lesson::name_of(computed.find(look.attention).mask));
  json["masks"] = std::move(masks);
  json["position_encoding"] = computed.position_encoding;
  json["seed"] = setup.parameters.seed;
  json["sentence"] = std::string(lesson::sentence_of(setup.example, setup.parameters));
  json["embed_dim"] = computed.embed_dim;
  json["num_heads"] = computed.num_heads;
  json["theme"] = std::string(theme_names[static_cast<std::size_t>(look.theme)]);
  json["edits"] = std::move(edits);
  // A document that was never computed may hold text that is not UTF-8: replaced, where the strict
  // way would throw.
  return json.dump(-1, ' ', false, Out::error_handler_t::replace);
}

Result<Document> with_json(const Document& document, std::string_view json) {
  if (json.size() > max_json_bytes) {
    return fail("The state has " + std::to_string(json.size()) + " bytes; at most " +
                std::to_string(max_json_bytes) + " are allowed.");
  }
  // Before parsing: each level of nesting would cost far more memory than its one character of
  // text.
  constexpr std::size_t deepest = 8;
  if (depth_of(json) > deepest)
    return fail("The state is nested too deeply for any state there is.");
  const In parsed = In::parse(json.begin(), json.end(), nullptr, /*allow_exceptions=*/false);
  // The parser takes a NUL for the end and would not look at what comes after it.
  if (parsed.is_discarded() || json.find('\0') != std::string_view::npos)
    return fail("The state is not valid JSON.");
  if (!parsed.is_object())
    return fail("The state must be a JSON object, like {\"step\": \"softmax\"}.");
  for (const auto& item : parsed.items()) {
    if (std::find(fields.begin(), fields.end(), item.key()) == fields.end()) {
      return fail(quote(item.key()) + " is no field of a state; there are " + list_of(fields) +
                  ".");
    }
  }
  Document result = document;
  if (auto done = Reader(parsed, result).read(); !done) return fail(done.error().message);
  return result;
}

}  // namespace document
