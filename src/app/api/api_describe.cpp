#include "app/api/api_describe.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "app/api/api_learning.hpp"
#include "base/text.hpp"
#include "document/given_behind.hpp"
#include "document/state/state_reader.hpp"
#include "lesson/input/own_layers.hpp"
#include "lesson/steps/formula_speech.hpp"
#include "lesson/wording/mistake_text.hpp"
#include "model/trace.hpp"
#include "stage/focus/step_cell.hpp"
#include "stage/scene/number_text.hpp"
#include "stage/wording/cell/equation.hpp"
#include "stage/wording/cell/explanation_words.hpp"
#include "stage/wording/cell/layer_words.hpp"
#include "stage/wording/step_words.hpp"

namespace app {

using base::fail;
using base::Result;
using model::TensorId;

namespace {

Json cell_place(lesson::AttentionId attention, const document::CellRef& cell) {
  return Json::object()
      .with("attention", lesson::name_of(attention))
      .with("tensor", model::name_of(cell.tensor))
      .with("index", json_of(cell.index));
}

Json example_json(const App& app) {
  const document::Document& document = app.session().document();
  const lesson::Example& example = lesson::example(document.configuration.example);
  const lesson::Variant& variant = example.variants[document.configuration.parameters.variant];
  return Json::object()
      .with("id", example.name)
      .with("label", example.title())
      .with("description", example.description())
      .with("variant", variant.name)
      .with("variant_label", variant.label())
      .with("note", app.session().computed().note);
}

Json step_json(const App& app, const stage::Focus& focus, std::string_view title) {
  const document::ComputedAttention& attention = app.session().attention();
  const document::ViewState& view_state = app.session().document().view_state;
  const lesson::Step& step = lesson::step(view_state.step);
  const std::string formula = stage::formula_of_step(attention, view_state);
  return Json::object()
      .with("id", step.name)
      .with("label", step.label())
      .with("title", title)
      .with("text", stage::text_of_step(app.session()))
      .with("formula", formula)
      .with("spoken", lesson::spoken(formula))
      .with("worked", view_state.guessing ? std::string(stage::hidden_words())
                                          : stage::whole_explanation(app.session().computed(),
                                                                     attention, focus.cell));
}

/// The cell that everything on the screen is about, and those that it was made of, each of which
/// can be gone to.
Json focus_json(const App& app, const stage::Focus& focus) {
  constexpr std::size_t most = 64;
  const document::ComputedAttention& attention = app.session().attention();
  const model::Explanation made =
      model::explain(attention.trace, focus.cell.tensor, focus.cell.index);
  Json sources = Json::array();
  const auto add = [&](const model::Cell& cell) {
    if (sources.size() == most) return;
    const document::CellRef ref{cell.tensor, cell.index};
    Json source = cell_place(attention.id, ref);
    source.add("text", base::text("app.source.number",
                                  {{"cell", stage::cell_words(attention, ref)},
                                   {"number", stage::number_text_telling(cell.value)}}));
    sources.push_back(std::move(source));
  };
  for (const model::Term& term : made.terms) {
    add(term.a);
    if (term.has_b) add(term.b);
  }
  if (made.bias) add(*made.bias);
  const bool guessing = app.session().document().view_state.guessing;
  Json json = cell_place(attention.id, focus.cell);
  json.add("text", stage::text_of(stage::equation(attention, focus, most, guessing)));
  json.add("sources", guessing ? Json::array() : std::move(sources));
  return json;
}

/// True for a matrix of the tensor's own numbers, not a stretch of memory or an unfinished sum.
bool is_matrix(const stage::Block& block) {
  return !block.only_seen && !block.partial && !block.piece && !block.run;
}

/// The words along an axis of tokens, even if the stage has no room for them; none for other axes.
Json axis_words(const document::ComputedAttention& attention, const stage::Block& block,
                const std::optional<std::size_t>& axis, std::size_t count) {
  Json words = Json::array();
  if (!axis) return words;
  const auto axes = attention.trace.axes_of(block.tensor);
  const std::size_t sample = axes.has(model::Axis::B) ? block.corner[0] : 0;
  const bool queries = axes[*axis] == model::Axis::Lq;
  if (!queries && axes[*axis] != model::Axis::Lk) return words;
  const auto& tokens = (queries ? attention.query_tokens : attention.key_tokens)[sample];
  for (std::size_t i = 0; i < count; ++i) words.push_back(tokens[block.corner[*axis] + i]);
  return words;
}

Json block_json(const App& app, const stage::Stage& stage, const stage::Block& block) {
  const std::string& title = stage.groups[block.group].title;
  const std::string& shape = stage.groups[block.group].shape;
  const document::ComputedAttention& attention = app.session().computed().find(block.attention);
  return Json::object()
      .with("attention", lesson::name_of(block.attention))
      .with("tensor", model::name_of(block.tensor))
      .with("title", title.empty() ? std::string(model::name_of(block.tensor)) : title)
      .with("shape", shape)
      .with("head", or_null(block.head))
      .with("rows", block.rows())
      .with("columns", block.columns())
      .with("corner", json_of(block.corner))
      .with("row_axis", or_null(block.row_axis))
      .with("column_axis", or_null(block.column_axis))
      .with("part", stage::part_of(block, attention.trace))
      .with("row_labels", axis_words(attention, block, block.row_axis, block.rows()))
      .with("column_labels", axis_words(attention, block, block.column_axis, block.columns()))
      .with("editable", document::is_editable(attention, block.tensor) ||
                            app.targeted({block.tensor, block.corner}).has_value());
}

Json blocks_json(const App& app, const stage::Composition& composed) {
  Json blocks = Json::array();
  std::set<std::string> told;  // figures show some matrices a second time
  for (const stage::Block& block : composed.stage.blocks) {
    if (!is_matrix(block)) continue;
    Json json = block_json(app, composed.stage, block);
    std::string key;
    for (const char* name : {"attention", "tensor", "corner", "rows", "columns"})
      key += json.find(name)->dump();
    if (told.insert(key).second) blocks.push_back(std::move(json));
  }
  return blocks;
}

Json describe(const App& app) {
  const document::ComputedAttention& attention = app.session().attention();
  const document::ViewState& view_state = app.session().document().view_state;
  const stage::Focus focus = app.focus();
  const stage::Composition composed = app.composition();
  Json chosen = nullptr;
  if (view_state.cell) {
    chosen = cell_place(attention.id, *view_state.cell);
    chosen.add("text",
               stage::whole_explanation(app.session().computed(), attention, *view_state.cell));
  }
  const std::string shapes = stage::shapes_of(attention, view_state);
  return Json::object()
      .with("example", example_json(app))
      .with("step", step_json(app, focus, composed.title))
      .with("attention", lesson::name_of(attention.id))
      .with("path", path_json(app))
      .with("shapes", shapes)
      .with("axes", stage::axis_words(shapes))
      .with("blocks", blocks_json(app, composed))
      .with("chosen", std::move(chosen))
      .with("focus", focus_json(app, focus))
      .with("learning", learning_json(app, focus))
      .with("playing", app.playing())
      .with("training", training_json(app.session()))
      .with("translation", translation_json(app.session().computed()))
      .with("speed", app.speed())
      .with("changed", app.changed())
      .with("notice", app.notice())
      .with("message", app.message());
}

std::string words_of(lesson::AttentionId id) {
  const std::size_t layer = layer_of(id);
  const std::string_view kind =
      base::text("app.attention." + std::string(lesson::name_of(kind_of(id))));
  if (layer == 0) return std::string(kind);
  return base::text("app.attention.in_layer", {{"attention", kind}, {"layer", layer}});
}

Json examples_json() {
  Json examples = Json::array();
  for (const lesson::Example& example : lesson::all_examples()) {
    Json variants = Json::array();
    for (const lesson::Variant& variant : example.variants)
      variants.push_back(Json::object().with("id", variant.name).with("label", variant.label()));
    examples.push_back(Json::object()
                           .with("id", example.name)
                           .with("label", example.title())
                           .with("variants", std::move(variants))
                           .with("loaded", lesson::has_its_weights(example.id)));
  }
  return examples;
}

Json choices(const App& app) {
  const document::ComputedAttention& attention = app.session().attention();
  const std::size_t sample = app.session().document().view_state.sample;
  Json steps = Json::array();
  for (const lesson::Step& step : lesson::steps()) {
    if (!app.offered_steps().has(step.id)) continue;
    steps.push_back(Json::object()
                        .with("id", step.name)
                        .with("label", step.label())
                        .with("title", step.title()));
  }
  Json attentions = Json::array();
  for (const document::ComputedAttention& one : app.session().computed().attentions)
    attentions.push_back(
        Json::object().with("id", lesson::name_of(one.id)).with("label", words_of(one.id)));
  Json masks = Json::array();
  for (const std::string_view mask : lesson::mask_names()) masks.push_back(mask);
  Json scales = Json::array();
  for (const std::string_view name : document::scale_names)
    scales.push_back(Json::object()
                         .with("id", name)
                         .with("label", base::text("app.scale." + std::string(name))));
  Json mistakes = Json::array();
  for (const std::string_view name : model::mistake_names) {
    const lesson::MistakeText& text = lesson::text_of(*model::mistake_named(name));
    mistakes.push_back(
        Json::object().with("id", name).with("label", text.label()).with("text", text.text()));
  }
  const lesson::Example& example = lesson::example(app.session().document().configuration.example);
  const document::Configuration& shown = app.session().document().configuration;
  Json own_words;  // null
  if (shown.example == lesson::ExampleId::own_layer &&
      lesson::takes_words(shown.example, shown.parameters)) {
    const bool of_text = lesson::own_layer(shown.parameters.variant).text.has_tokenizer;
    own_words = Json::object()
                    .with("kind", of_text ? "text" : "ids")
                    .with("typed", lesson::typed_words(shown.example, shown.parameters));
  }
  const document::Learns can = document::can_learn(
      app.session().computed(), app.session().document().configuration, attention.id);
  Json learns = Json::array();
  for (std::size_t bit = 0; bit < document::learns_names.size(); ++bit) {
    if ((can >> bit & 1U) != 0) learns.push_back(document::learns_names[bit]);
  }
  return Json::object()
      .with("learns", std::move(learns))
      .with("examples", examples_json())
      .with("steps", std::move(steps))
      .with("attentions", std::move(attentions))
      .with("heads", attention.trace.config.num_heads)
      .with("samples", attention.trace.config.batch)
      .with("query_tokens", attention.query_tokens[sample])
      .with("key_tokens", attention.key_tokens[sample])
      .with("masks", std::move(masks))
      .with("scales", std::move(scales))
      .with("mistakes", std::move(mistakes))
      .with("has_sentence", example.has_sentence)
      .with("could_keep_tokens",
            example.has_attention_variants && document::could_keep_tokens(attention))
      .with("own_words", std::move(own_words))
      .with("has_kv_heads", example.has_kv_heads)
      .with("has_kdim", example.has_kdim)
      .with("has_attention_variants", example.has_attention_variants)
      .with("has_seed", example.has_seed)
      .with("can_undo", app.session().can_undo())
      .with("can_redo", app.session().can_redo());
}

Result<Json> explain(const App& app, Arguments& arguments) {
  const auto [attention, cell, explanation] = explained(app, arguments);
  if (arguments.wrong()) return fail(*arguments.wrong());
  Json given = Json::array();
  for (const document::CellAddress& each :
       document::given_behind(app.session().computed(), {attention.id, cell.tensor, cell.index}))
    given.push_back(stage::cell_words(attention, {each.tensor, each.index}));
  return Json::object()
      .with("given", std::move(given))
      .with("text", stage::whole_explanation(app.session().computed(), attention, cell))
      .with("name", stage::cell_words(attention, cell))
      .with("value", number(static_cast<double>(explanation.cell.value)))
      .with("editable", document::is_editable(attention, cell.tensor) ||
                            (attention.id == app.session().attention().id && app.targeted(cell)));
}

/// The number of a cell; NaN if there is no such cell.
float value_at(const model::Trace& trace, TensorId tensor, const tensor::Index& index) {
  if (trace.is_on_demand(tensor)) return model::explain(trace, tensor, index).cell.value;
  const bool inside = tensor::contains(trace[tensor].shape(), index);
  return inside ? trace[tensor].at(index) : std::numeric_limits<float>::quiet_NaN();
}

/// A window of a tensor of at most 16 x 16 numbers, from `corner` along two of its axes.
Result<Json> cells(const App& app, Arguments& arguments) {
  constexpr std::size_t most = 16;
  constexpr const char* no_axis = "app.api.axis";
  const document::ComputedAttention& attention = arguments.attention(app);
  const TensorId id = arguments.tensor(attention);
  const tensor::Index corner = arguments.index("corner");
  const std::size_t rows = arguments.whole("rows", 1, most);
  const std::size_t columns = arguments.whole("columns", 1, most);
  if (arguments.wrong()) return fail(*arguments.wrong());
  const auto row_axis = arguments.whole_or_null("row_axis", corner.rank() - 1, no_axis);
  const auto column_axis = arguments.whole_or_null("column_axis", corner.rank() - 1, no_axis);
  if (arguments.wrong()) return fail(*arguments.wrong());

  Json texts = Json::array();
  Json numbers = Json::array();
  for (std::size_t row = 0; row < rows; ++row) {
    Json text_row = Json::array();
    Json number_row = Json::array();
    for (std::size_t column = 0; column < columns; ++column) {
      tensor::Index index = corner;
      if (row_axis) index[*row_axis] += row;
      if (column_axis) index[*column_axis] += column;
      const float value = value_at(attention.trace, id, index);
      if (std::isnan(value)) return fail(base::text("app.api.window_outside"));
      text_row.push_back(stage::number_text_telling(value));
      number_row.push_back(number(static_cast<double>(value)));
    }
    texts.push_back(std::move(text_row));
    numbers.push_back(std::move(number_row));
  }
  return Json::object().with("texts", std::move(texts)).with("values", std::move(numbers));
}

/// Selects a cell of the attention that is looked at, in the step that shows it.
Result<Json> go(App& app, Arguments& arguments) {
  const auto [attention, cell, explanation] = explained(app, arguments);
  if (arguments.wrong()) return fail(*arguments.wrong());
  if (attention.id != app.session().attention().id)
    return fail(
        base::text("app.api.other_attention", {{"attention", lesson::name_of(attention.id)}}));
  app.go_to(cell);
  return Json(stage::whole_explanation(app.session().computed(), attention, cell));
}

}  // namespace

ExplainedCell explained(const App& app, Arguments& arguments) {
  const document::ComputedAttention& attention = arguments.attention(app);
  const TensorId tensor = arguments.tensor(attention);
  document::CellRef cell{tensor, arguments.index()};
  model::Explanation explanation = model::explain(attention.trace, tensor, cell.index);
  if (explanation.rule == model::Rule::given && std::isnan(explanation.result))
    arguments.refuse(base::text("app.api.index_outside"));
  return {attention, cell, std::move(explanation)};
}

std::optional<Result<Json>> describing(App& app, std::string_view method, Arguments& arguments) {
  if (method == "describe") return describe(app);
  if (method == "choices") return choices(app);
  if (method == "explain") return explain(app, arguments);
  if (method == "cells") return cells(app, arguments);
  if (method == "go") return go(app, arguments);
  if (method == "pointed") {
    if (!app.pointed()) return Json(nullptr);
    return cell_place(app.session().attention().id, *app.pointed());
  }
  return std::nullopt;
}

}  // namespace app
