#include "app/api/api.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "app/api/api_describe.hpp"
#include "app/api/api_json.hpp"
#include "app/api/api_lesson.hpp"
#include "app/api/api_screen.hpp"
#include "app/app.hpp"
#include "base/text.hpp"
#include "document/link/link.hpp"
#include "document/state/json_value.hpp"
#include "document/state/state.hpp"
#include "lesson/wording/mistake_text.hpp"
#include "model/trace.hpp"

namespace app {

using base::fail;
using base::Result;

namespace {

Json cell_json(const model::Cell& cell) {
  return Json::object()
      .with("tensor", model::name_of(cell.tensor))
      .with("index", json_of(cell.index))
      .with("value", number(cell.value));
}

/// The methods of the API. Each returns a result, or an error with a sentence.
class Methods {
 public:
  Methods(App& app, const Api& api) : app_(app), api_(api) {}

  Result<Json> state() const {
    return document::state_json(app_.session().document(), app_.session().computed());
  }

  /// Takes the text unparsed, because with_json checks its size and depth first.
  Result<Json> set(std::string_view arguments) {
    return replace(
        document::with_json(app_.session().document(), arguments.empty() ? "{}" : arguments));
  }

  /// Applies a link to the present document, as a whole or not at all.
  Result<Json> change(Arguments& arguments) {
    const std::string link = arguments.text("link");
    if (arguments.wrong()) return fail(*arguments.wrong());
    return replace(document::with_link(app_.session().document(), link));
  }

  Result<Json> link() const {
    auto made = app_.link();
    if (!made) return fail(made.error());
    return Json(*std::move(made));
  }

  /// Fails only without a text. Problems with the link are returned beside the state.
  Result<Json> open(Arguments& arguments) {
    const std::string wanted = arguments.text("link");
    const bool begins = arguments.find("begins") != nullptr && arguments.flag("begins");
    if (arguments.wrong()) return fail(*arguments.wrong());
    const std::vector<std::string> problems = app_.open_link(wanted, begins);
    auto now = state();
    if (!now) return now;
    return Json::object().with("state", *std::move(now)).with("problems", problems);
  }

  /// Goes to an example, as who chooses it in the bar.
  Result<Json> example(Arguments& arguments) {
    const auto wanted = lesson::example_named(arguments.text("example"));
    if (arguments.wrong()) return fail(*arguments.wrong());
    if (!wanted) return fail(base::text("app.api.no_method"));
    return state_after(app_.perform(document::ChooseExample{*wanted}));
  }

  Result<Json> edit(Arguments& arguments) {
    const document::CellAddress cell = arguments.cell(arguments.attention(app_));
    const Json* found = arguments.find("value");
    const auto value = found != nullptr ? document::number(*found) : std::nullopt;
    if (!value) arguments.refuse(base::text("document.edit_fields.value"));
    if (arguments.wrong()) return fail(*arguments.wrong());
    return state_after(app_.perform(app_.command_to_set(cell, *value)));
  }

  /// The state, or the error of `done`.
  Result<Json> state_after(const Result<void>& done) const {
    if (!done) return fail(done.error());
    return state();
  }

  /// One step of gradient descent or several, or starts and stops learning.
  Result<Json> learn(Arguments& arguments) {
    constexpr std::size_t most = 1000;
    if (arguments.find("on") != nullptr) {
      const bool on = arguments.flag("on");
      if (arguments.wrong()) return fail(*arguments.wrong());
      app_.set_learning(on);
      return state();
    }
    const std::size_t steps =
        arguments.find("steps") == nullptr ? 1 : arguments.whole("steps", 1, most);
    if (arguments.wrong()) return fail(*arguments.wrong());
    for (std::size_t step = 0; step < steps; ++step) {
      if (auto done = app_.learn(); !done) return fail(done.error());
    }
    return state();
  }

  /// The answer to a guess; when the game is over, with what the mistake does.
  Result<Json> guess(Arguments& arguments) {
    const auto mistake = model::mistake_named(arguments.text("mistake"));
    if (!mistake) arguments.refuse(base::text("app.api.no_mistake"));
    if (arguments.wrong()) return fail(*arguments.wrong());
    auto answer = app_.guess(*mistake);
    if (!answer) return fail(answer.error());
    const document::Document& document = app_.session().document();
    if (document.view_state.guessing) return Json(*answer);
    return Json(
        base::text("app.guess.explained",
                   {{"answer", *answer},
                    {"explanation", lesson::text_of(document.configuration.mistake).text()}}));
  }

  Result<Json> tensors() const {
    Json names = Json::array();
    for (const document::ComputedAttention& attention : app_.session().computed().attentions) {
      for (const model::TensorId id : attention.trace.present()) {
        names.push_back(std::string(lesson::name_of(attention.id)) + "." +
                        std::string(model::name_of(id)));
      }
    }
    return names;
  }

  Result<Json> tensor(Arguments& arguments) const {
    const std::string name = arguments.text("name");
    if (arguments.wrong()) return fail(*arguments.wrong());
    const auto found = api_.tensor(name);
    if (!found) return fail(found.error());
    return Json::object()
        .with("name", found->name)
        .with("shape", json_of(found->tensor.shape()))
        .with("strides", json_of(found->tensor.strides()))
        .with("offset", found->tensor.offset())
        .with("view_of", found->view_of);
  }

  /// What is on screen as a program in Python.
  Result<Json> program(Arguments& arguments) const {
    const std::string library = arguments.text("library");
    if (arguments.wrong()) return fail(*arguments.wrong());
    if (library != "numpy" && library != "pytorch") return fail(base::text("app.api.library"));
    auto made = app_.program(library == "numpy" ? code::Library::numpy : code::Library::pytorch);
    if (!made) return fail(made.error());
    return Json(std::move(made->text));
  }

  Result<Json> provenance(Arguments& arguments) const {
    const model::Explanation made = explained(app_, arguments).explanation;
    if (arguments.wrong()) return fail(*arguments.wrong());
    Json terms = Json::array();
    for (const model::Term& term : made.terms) {
      Json json = Json::object().with("a", cell_json(term.a));
      if (term.has_b) json.add("b", cell_json(term.b));
      json.add("value", number(term.value));
      terms.push_back(std::move(json));
    }
    Json json = Json::object()
                    .with("cell", cell_json(made.cell))
                    .with("rule", ops::name_of(made.rule))
                    .with("terms", std::move(terms));
    if (made.bias) json.add("bias", cell_json(*made.bias));
    return std::move(json)
        .with("divisor", number(made.divisor))
        .with("denominator", number(made.denominator))
        .with("selected", made.selected)
        .with("result", number(made.result));
  }

  Result<Json> probe(Arguments& arguments) const {
    const stage::Point at{static_cast<float>(arguments.number("x")),
                          static_cast<float>(arguments.number("y"))};
    if (arguments.wrong()) return fail(base::text("app.api.place"));
    const draw::Drawn& drawn = app_.drawn();
    if (drawn.viewport.contains(at)) {
      if (const auto hit = stage::cell_at(drawn.stage, drawn.camera.to_plane(at, drawn.viewport))) {
        return drawn_cell(*hit);
      }
    }
    for (const draw::DrawnText& text : drawn.texts) {
      if (!text.place.contains(at)) continue;
      return Json::object()
          .with("kind", "label")
          .with("role", text.kind)
          .with("text", text.text)
          .with("rect", rectangle(text.place));
    }
    return Json::object().with("kind", "nothing");
  }

  Result<Json> legend() const {
    const draw::Drawn& drawn = app_.drawn();
    if (!drawn.legend) return Json(nullptr);
    const stage::Block& block = drawn.stage.blocks[*drawn.legend];
    const draw::Legend::Ends ends = draw::Legend::ends(block);
    return Json::object()
        .with("at_matrix", drawn.small_scale ? rectangle(*drawn.small_scale) : Json(nullptr))
        .with("block", *drawn.legend)
        .with("attention", lesson::name_of(block.attention))
        .with("tensor", model::name_of(block.tensor))
        .with("range", range_of(block))
        .with("low", ends.low)
        .with("high", ends.high);
  }

  Result<Json> blocks() const {
    const draw::Drawn& drawn = app_.drawn();
    Json json = Json::array();
    for (std::size_t i = 0; i < drawn.stage.blocks.size(); ++i) {
      const stage::Block& block = drawn.stage.blocks[i];
      if (block.only_seen) continue;  // a picture, whose cells cannot be pointed at
      Json entry = Json::object()
                       .with("block", i)
                       .with("attention", lesson::name_of(block.attention))
                       .with("tensor", model::name_of(block.tensor))
                       .with("title", drawn.stage.groups[block.group].title)
                       .with("shape", drawn.stage.groups[block.group].shape)
                       .with("rows", block.rows())
                       .with("columns", block.columns())
                       .with("corner", json_of(block.corner))
                       .with("rect", rectangle(drawn.camera.to_screen(block.cells, drawn.viewport)))
                       .with("range", range_of(block));
      if (block.partial) entry.add("partial", true);
      entry.add("head", or_null(block.head));
      entry.add("row_labels", block.row_labels.words());
      json.push_back(std::move(entry));
    }
    return json;
  }

 private:
  Result<Json> replace(const Result<document::Document>& next) {
    if (!next) return fail(next.error());
    return state_after(app_.replace(*next));
  }

  static Json range_of(const stage::Block& block) {
    const bool weights = block.colouring == stage::Colouring::weights;
    return std::vector{weights ? 0.0F : -block.range, block.range};
  }

  /// The cell as drawn: its number is read with the address and strides that were sent to the GPU.
  Json drawn_cell(const stage::Hit& hit) const {
    const draw::Drawn& drawn = app_.drawn();
    const stage::Block& block = drawn.stage.blocks[hit.block];
    const draw::CellsInstance& instance = drawn.instances[hit.block];
    const int address = instance.base + static_cast<int>(hit.row) * instance.row_stride +
                        static_cast<int>(hit.column) * instance.column_stride;
    const float value = app_.cells().atlas().read(address);
    std::string text;
    for (const draw::DrawnText& candidate : drawn.texts) {
      if (candidate.cell && *candidate.cell == hit) text = candidate.text;
    }
    return Json::object()
        .with("kind", "cell")
        .with("attention", lesson::name_of(block.attention))
        .with("tensor", model::name_of(block.tensor))
        .with("index", json_of(block.index_of(hit.row, hit.column)))
        .with("value", number(value))
        .with("text", text)
        .with("title", drawn.stage.groups[block.group].title)
        .with("block", hit.block)
        .with("row", hit.row)
        .with("column", hit.column)
        .with("rect",
              rectangle(drawn.camera.to_screen(block.cell(hit.row, hit.column), drawn.viewport)))
        .with("color", colour(draw::cell_colour(app_.theme(), block.colouring, block.range, value)))
        .with("range", range_of(block));
  }

  App& app_;
  const Api& api_;
};

}  // namespace

Result<TensorInMemory> Api::tensor(std::string_view name) const {
  const document::ComputedAttention* attention = &app_.session().attention();
  std::string_view short_name = name;
  if (const std::size_t dot = name.find('.'); dot != std::string_view::npos) {
    short_name = name.substr(dot + 1);
    attention = nullptr;
    for (const document::ComputedAttention& candidate : app_.session().computed().attentions) {
      if (lesson::name_of(candidate.id) == name.substr(0, dot)) attention = &candidate;
    }
  }
  const auto id = model::tensor_named(short_name);
  if (attention == nullptr || !id) return fail(base::text("app.api.no_tensor"));
  const std::string prefix = std::string(lesson::name_of(attention->id)) + ".";
  const model::Trace& trace = attention->trace;
  const tensor::Tensor tensor = trace.at_query(*id, std::nullopt);
  if (!tensor.defined()) return fail(base::text("app.api.tensor_not_here"));
  const auto owner = trace.view_of(*id);
  return TensorInMemory{tensor, prefix + std::string(model::name_of(*id)),
                        owner ? prefix + std::string(model::name_of(*owner)) : ""};
}

std::string Api::call(std::string_view method, std::string_view arguments) {
  const auto answer = [&]() -> Result<Json> {
    Methods methods(app_, *this);
    if (method == "set") return methods.set(arguments);
    // The arguments of all other methods are short, but for links and lessons.
    const bool takes_link = method == "open" || method == "change";
    const std::size_t longest =
        method == "lesson" ? 3 * document::max_lesson_bytes + 2 * document::max_lesson_file_bytes
        : method == "lesson_files" ? 3 * document::max_lesson_bytes
        : takes_link               ? 2 * document::max_link_bytes
                                   : 4096;
    if (arguments.size() > longest)
      return fail(base::text("app.api.too_long", {{"most", longest}}));
    const Json parsed = arguments.empty() ? Json::object() : Json::parse(arguments);
    if (!parsed.is_object()) return fail(base::text("app.api.no_object"));
    Arguments given(parsed);
    if (method == "state") return methods.state();
    if (method == "legend") return methods.legend();
    if (method == "link") return methods.link();
    if (method == "open") return methods.open(given);
    if (method == "change") return methods.change(given);
    if (method == "edit") return methods.edit(given);
    if (method == "undo") {
      app_.undo();
      return methods.state();
    }
    if (method == "redo") {
      app_.redo();
      return methods.state();
    }
    if (method == "reset") return methods.state_after(app_.perform(document::Reset{}));
    if (method == "learn") return methods.learn(given);
    if (method == "begin_guessing") return methods.state_after(app_.begin_guessing());
    if (method == "guess") return methods.guess(given);
    if (method == "train") {
      const bool on = given.flag("on");
      if (given.wrong()) return fail(*given.wrong());
      return methods.state_after(app_.set_training(on));
    }
    if (method == "tensors") return methods.tensors();
    if (method == "tensor") return methods.tensor(given);
    if (method == "probe") return methods.probe(given);
    if (method == "blocks") return methods.blocks();
    if (method == "provenance") return methods.provenance(given);
    if (method == "program") return methods.program(given);
    if (method == "frames") return Json(app_.frames_drawn());
    if (method == "choose_example") return methods.example(given);
    if (method == "message") return Json(app_.message());
    if (const auto told = lesson_answers(app_, method, given)) return *told;
    if (const auto told = describing(app_, method, given)) return *told;
    if (const auto told = on_the_screen(app_, method, given)) return *told;
    return fail(base::text("app.api.no_method"));
  }();
  return (answer ? Json::object().with("result", *answer)
                 : Json::object().with("error", answer.error().message))
      .dump();
}

}  // namespace app
