// Opening a link. Each part is read by itself, and parts that cannot be used are left out.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/order.hpp"
#include "base/text.hpp"
#include "document/commands.hpp"
#include "document/edits/address.hpp"
#include "document/edits/given.hpp"
#include "document/link/link.hpp"
#include "document/link/link_text.hpp"
#include "document/places/arriving.hpp"
#include "document/state/state.hpp"
#include "document/state/state_fields.hpp"
#include "document/state/state_reader.hpp"
#include "document/state/text.hpp"

namespace document {

using base::Json;

namespace {

using Problems = std::vector<std::string>;

std::string too_long() { return base::text("document.link.too_long", {{"most", max_link_bytes}}); }

/// A part of the link with the JSON value that the state reader accepted for it.
struct ReadPart {
  std::string name;
  std::string json;  ///< its value
  std::string text;  ///< "head=9", for sentences
};

/// The parts of a link that could be read.
struct ReadLink {
  Document document;
  std::vector<ReadPart> parts;  ///< all but the edits
};

/// The field that a name belongs to: "masks" of "masks.cross_attention".
std::string_view field_of(std::string_view name) { return name.substr(0, name.find('.')); }

std::size_t place_of_field(std::string_view name) {
  const auto all = state_fields();
  return static_cast<std::size_t>(std::find(all.begin(), all.end(), field_of(name)) - all.begin());
}

/// Puts parts into a document one by one. Parts of the same field, such as "masks.cross_attention",
/// are merged into one value first, because a state replaces a field as a whole.
class Fields {
 public:
  base::Result<Document> with(const Document& document, const std::string& name,
                              const std::string& json) {
    const std::string_view field = field_of(name);
    last_field_.clear();
    if (field.size() == name.size()) return with_json(document, object_of(name, json));
    std::string inside = inside_[std::string(field)];
    inside += (inside.empty() ? "" : ",") + Json(name.substr(field.size() + 1)).dump() + ":" + json;
    last_field_ = field;
    last_inside_ = inside;
    return with_json(document, object_of(field, "{" + inside + "}"));
  }
  /// Keeps the result of `with`.
  void keep() {
    if (!last_field_.empty()) inside_[last_field_] = last_inside_;
    last_field_.clear();
  }

  static std::string object_of(std::string_view name, const std::string& json) {
    return "{" + Json(name).dump() + ":" + json + "}";
  }

 private:
  std::map<std::string, std::string> inside_;
  std::string last_field_;
  std::string last_inside_;
};

void check_version(const std::string& value, Problems& problems) {
  if (value == "1") return;
  problems.push_back(base::text("document.link.version", {{"version", quote(value)}}));
}

/// Removes the version, unknown names and duplicates, and sorts the rest into the order of the
/// state's fields.
std::vector<LinkPart> fields_in(std::vector<LinkPart> parts, Problems& problems) {
  std::set<std::string> names;
  std::erase_if(parts, [&](const LinkPart& part) {
    if (!names.insert(part.name).second) {
      problems.push_back(base::text("document.link.part_twice", {{"part", quote(part.name)}}));
      return true;
    }
    if (part.name == "v") {
      check_version(part.value, problems);
      return true;
    }
    if (place_of_field(part.name) < state_fields().size()) return false;
    problems.push_back(base::text("document.link.unknown_part", {{"part", quote(part.name)}}));
    return true;
  });
  return base::sorted_by(std::move(parts), [](const LinkPart& part) {
    return base::SortKey{static_cast<double>(place_of_field(part.name))};
  });
}

/// Puts the parts into `document`.
ReadLink read(std::string_view text, Document document, Problems& problems) {
  constexpr std::size_t most_refused = 100;  // a bound for hostile links: each takes several tries
  std::vector<ReadPart> read;
  // Put in last: reading any part copies the document.
  std::optional<std::vector<Edit>> edits;
  std::optional<std::vector<Edit>> target;
  std::size_t refused = 0;
  Fields fields;
  for (const LinkPart& part : fields_in(parts_of(text, problems), problems)) {
    if (part.name == "edits" || part.name == "target") {
      (part.name == "edits" ? edits : target) =
          edits_of(part, document.view_state.attention, problems);
      continue;
    }
    if (refused == most_refused) {
      problems.emplace_back();  // only counted, there are too many to report
      continue;
    }
    std::string problem;
    bool first_says = false;
    for (const std::string& value : readings(part.value)) {
      auto next = fields.with(document, part.name, value);
      if (next) {
        fields.keep();
        document = *std::move(next);
        read.push_back({part.name, value, part.name + "=" + part.value});
        problem.clear();
        break;
      }
      // The best message is that of the first reading for a cell and for what can only be JSON,
      // else that of the last, plain text.
      const bool is_json =
          value.size() > 1 && value == part.value && (value.front() == '[' || value.front() == '{');
      first_says = first_says || is_json;
      if (problem.empty() || !(first_says || part.name == "cell")) problem = next.error().message;
    }
    if (problem.empty()) continue;
    problems.push_back(problem);
    ++refused;
  }
  if (edits) document.configuration.edits = *std::move(edits);
  if (target) document.configuration.target = *std::move(target);
  return {std::move(document), std::move(read)};
}

/// Applies the parts that can be used. Parts may depend on each other, so those that fail are tried
/// again as long as another one succeeds.
void use_parts(std::vector<ReadPart>& parts, Session& session, Problems& problems) {
  std::vector<ReadPart> waiting = std::move(parts);
  parts.clear();
  Problems reasons;
  Fields fields;
  std::size_t before = 0;
  do {
    before = waiting.size();
    reasons.clear();
    std::erase_if(waiting, [&](const ReadPart& part) {
      const auto next = fields.with(session.document(), part.name, part.json);
      const auto done = next ? session.replace(*next) : base::fail(next.error());
      if (!done) {
        reasons.push_back(done.error().message);
        return false;
      }
      fields.keep();
      parts.push_back(part);
      return true;
    });
  } while (!waiting.empty() && waiting.size() < before);
  problems.insert(problems.end(), reasons.begin(), reasons.end());
}

void use_edits(const std::vector<Edit>& edits, Session& session, Problems& problems) {
  Document next = session.document();
  const auto problem =
      lesson::make_problem(next.configuration.example, next.configuration.parameters);
  auto given = problem ? with_choices(*problem, next.configuration)
                       : base::Result<Given>(base::fail(problem.error()));
  if (!given) return problems.push_back(given.error().message);
  std::set<std::string> cells;
  next.configuration.edits.clear();
  for (const Edit& edit : edits) {
    const auto canonical = canonical_edit(*given, edit);
    if (!canonical) {
      problems.push_back(canonical.error().message);
    } else if (!cells.insert(describe(canonical->cell)).second) {
      problems.push_back(
          base::text("document.link.edited_twice", {{"cell", describe(canonical->cell)}}));
    } else {
      next.configuration.edits.push_back(edit);
    }
  }
  if (const auto done = session.replace(next); !done) problems.push_back(done.error().message);
}

/// Before the parts, since one of them may show gradients.
void use_target(const std::vector<Edit>& target, Session& session, Problems& problems) {
  Document next = session.document();
  next.configuration.target = target;
  if (const auto done = session.replace(next); !done) problems.push_back(done.error().message);
}

/// The document of a link without the parts that are impossible.
Document possible(ReadLink& link, Problems& problems) {
  Session session;
  // Usually only the view state is wrong, and the parts need not be tried one by one.
  Document chosen{link.document.configuration,
                  first_view_state({}, link.document.configuration.example)};
  chosen.configuration.edits.clear();
  chosen.configuration.target.clear();
  static_cast<void>(session.replace(chosen, chosen.view_state));
  if (!link.document.configuration.target.empty())
    use_target(link.document.configuration.target, session, problems);
  use_parts(link.parts, session, problems);
  if (!link.document.configuration.edits.empty())
    use_edits(link.document.configuration.edits, session, problems);
  return session.document();
}

/// Equal as values of a state: numbers are float32, and of an object only the named fields count.
bool says(const Json& state, const Json& wanted) {
  if (wanted.is_number()) return state.is_number() && number(state) == number(wanted);
  const auto parts = wanted.elements();
  if (wanted.is_object() && state.is_object()) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Json* part = state.find(wanted.names()[i]);
      if (part == nullptr || !says(*part, parts[i])) return false;
    }
    return true;
  }
  if (wanted.is_array() && state.is_array()) {
    return std::equal(state.elements().begin(), state.elements().end(), parts.begin(), parts.end(),
                      says);
  }
  return state == wanted;
}

/// Where the link leaves the place open, it is one where the step has something to show.
void take_open_places(ReadLink& link, const ViewState& start) {
  const auto names = [&link](std::string_view field) {
    return std::any_of(link.parts.begin(), link.parts.end(),
                       [field](const ReadPart& part) { return part.name == field; });
  };
  ViewState& view_state = link.document.view_state;
  // Elsewhere the place does not depend on the computation.
  const bool depends =
      view_state.step >= lesson::StepId::scores && view_state.step <= lesson::StepId::softmax;
  Session trial;
  if (!depends || names("cell") || !trial.replace(link.document, start)) return;
  const ViewState place =
      first_place_in(view_state.step, link.document.configuration.example, trial.computed());
  if (!names("attention")) view_state.attention = place.attention;
  if (!names("sample")) view_state.sample = place.sample;
  view_state.landed = {
      .by_itself = false, .query_before = view_state.query, .query_taken = view_state.query};
  if (!names("attention") && !names("sample")) view_state.landed.by_itself = place.landed.by_itself;
  if (!names("query")) {
    view_state.query = place.query;
    view_state.landed.query_before = place.landed.query_before;
    view_state.landed.query_taken = place.landed.query_taken;
  }
  if (!names("key")) view_state.key = first_key(view_state, trial.computed());
}

/// Reports parts that the example ignores because it does not offer them.
void tell_ignored(const ReadLink& link, const Session& session, Problems& problems) {
  const Json state = state_json(session.document(), session.computed());
  const bool cell_decides = session.document().view_state.cell.has_value();
  const auto is_place = [](std::string_view name) {
    return name == "attention" || name == "sample" || name == "head" || name == "query" ||
           name == "key";
  };
  for (const ReadPart& part : link.parts) {
    if (part.name == "mistake") continue;  // every example has it, and a riddle is read differently
    if (cell_decides && is_place(part.name)) continue;
    const std::string_view field = field_of(part.name);
    std::string json = part.json;
    if (field.size() < part.name.size())
      json = Fields::object_of(std::string_view(part.name).substr(field.size() + 1), json);
    const Json* told = state.find(field);
    if (told == nullptr || !says(*told, Json::parse(json)))
      problems.push_back(base::text("document.link.part_ignored", {{"part", quote(part.text)}}));
  }
}

/// Cuts the number and length of problems that are reported.
Problems bounded(Problems problems) {
  for (std::string& sentence : problems) {
    if (sentence.size() <= max_problem_bytes) continue;
    std::size_t length = max_problem_bytes - std::string_view("…").size();
    // Do not cut inside a UTF-8 character: bytes 10xxxxxx continue the one before.
    while ((static_cast<unsigned char>(sentence[length]) & 0xC0U) == 0x80U) --length;
    sentence = sentence.substr(0, length) + "…";
  }
  if (problems.size() > max_link_problems) {
    const std::size_t more = problems.size() - (max_link_problems - 1);
    problems.resize(max_link_problems - 1);
    problems.push_back(base::text("document.link.more_problems", {{"count", more}}));
  }
  return problems;
}

}  // namespace

std::vector<std::string> open_link(Session& session, std::string_view link) {
  if (link.size() > max_link_bytes) return {too_long()};
  Problems problems;
  Document beginning;
  beginning.view_state = first_view_state({}, beginning.configuration.example);
  ReadLink wanted = read(link, std::move(beginning), problems);
  if (wanted.parts.empty() && wanted.document.configuration.edits.empty() &&
      wanted.document.configuration.target.empty())
    return bounded(problems);
  const ViewState start = first_view_state({}, wanted.document.configuration.example);
  take_open_places(wanted, start);
  if (!session.replace(wanted.document, start)) {
    const Document left = possible(wanted, problems);
    if (const auto done = session.replace(left, left.view_state); !done)
      problems.push_back(done.error().message);
  }
  tell_ignored(wanted, session, problems);
  return bounded(problems);
}

base::Result<Document> with_link(const Document& document, std::string_view link) {
  if (link.size() > max_link_bytes) return base::fail(too_long());
  Problems problems;
  ReadLink wanted = read(link, document, problems);
  if (!problems.empty()) return base::fail(bounded(std::move(problems)).front());
  return std::move(wanted.document);
}

}  // namespace document
