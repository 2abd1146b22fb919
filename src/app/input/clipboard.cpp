// Numbers to and from the clipboard.
#include <algorithm>
#include <utility>

#include "app/app.hpp"
#include "app/input/block_edit.hpp"
#include "app/named_traces.hpp"
#include "base/text.hpp"
#include "code/figure_program.hpp"
#include "files/attention/trace_file.hpp"
#include "files/snippets.hpp"
#include "files/table.hpp"
#include "imgui.h"
#include "stage/highlight/compare.hpp"
#include "stage/scene/matrix_picture.hpp"

namespace app {

namespace {

/// The block; of one that draws only a part of its matrix, such as the query's row, all of it.
stage::Block whole(stage::Block block, const model::Trace& trace) {
  const bool is_matrix =
      block.row_axis && block.column_axis && *block.row_axis < *block.column_axis;
  if (!is_matrix || block.is_difference || block.run || !trace.has(block.tensor)) return block;
  block.matrix = trace[block.tensor];
  for (std::size_t axis = block.matrix.rank(); axis-- > 0;) {
    if (axis == *block.row_axis || axis == *block.column_axis)
      block.corner[axis] = 0;
    else
      block.matrix = block.matrix.select(axis, block.corner[axis]);
  }
  return block;
}

}  // namespace

std::string App::pasted_text() {
  const char* text = ImGui::GetClipboardText();
  return text == nullptr ? std::string() : std::string(text);
}

bool App::is_block(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  if (first == std::string::npos) return false;
  return text.find_first_of("\t\r\n;", first) < last;
}

void App::copy_cell() {
  const auto place = place_of(focus_.cell);
  if (!place) return;
  platform_->set_clipboard(
      files::float_text(stage_.blocks[place->block].value(place->row, place->column)));
  notify(std::string(base::text("app.clipboard.number_copied")));
}

void App::copy(draw::CopyAs as) {
  if (as == draw::CopyAs::safetensors) return save_tensors();
  if (as == draw::CopyAs::step_png || as == draw::CopyAs::step_svg)
    return save_step(as == draw::CopyAs::step_svg);
  if (as == draw::CopyAs::film) return (void)begin_film();
  if (as == draw::CopyAs::numpy_program) return copy_program(code::Library::numpy);
  if (as == draw::CopyAs::pytorch_program) return copy_program(code::Library::pytorch);
  const auto place = place_of(focus_.cell);
  if (!place) return;
  const stage::Block& block = stage_.blocks[place->block];
  if (as == draw::CopyAs::number) {
    copy_cell();
  } else if (as == draw::CopyAs::png || as == draw::CopyAs::svg) {
    save_picture(block.tensor, block.head, as == draw::CopyAs::svg);
  } else {
    copy_text(block, as);
  }
}

base::Result<code::FigureText> App::program(code::Library library) const {
  const document::Document& document = session_.document();
  if (document.view_state.guessing && document.configuration.mistake != model::Mistake::none)
    return base::fail(base::text("app.program.guessing"));
  const document::ComputedAttention& attention = session_.attention();
  const std::string name(lesson::name_of(attention.id));
  const std::string title =
      std::string(lesson::example(document.configuration.example).name) + ": " + name;
  const std::string file = tensors_file_name();
  const std::string before = prefix_of(attention);
  return code::figure_program(attention.trace, title, library, {file, before});
}

void App::copy_program(code::Library library) {
  const auto program = this->program(library);
  if (!program) return refused(program.error().message);
  const std::string_view name = library == code::Library::numpy ? "NumPy" : "PyTorch";
  const std::string file = program->reads_file ? tensors_file_name() : "";
  if (!platform_->show_program(program->text, name, file)) return;
  notify(file.empty() ? std::string(base::text("app.program.copied"))
                      : base::text("app.program.reads_file", {{"file", file}}));
}

bool App::save_picture(model::TensorId tensor, std::optional<std::size_t> head, bool scalable) {
  const document::ViewState& view_state = session_.document().view_state;
  auto picture = stage::picture_of(session_.attention(), view_state, tensor, head);
  if (!picture) return false;
  const auto shown =
      std::find_if(stage_.blocks.begin(), stage_.blocks.end(),
                   [&](const auto& each) { return each.tensor == tensor && each.head == head; });
  const bool difference = shown != stage_.blocks.end() && shown->is_difference;
  const document::Computed* original = difference ? session_.original() : nullptr;
  if (original != nullptr) {
    if (const auto other =
            stage::picture_of(original->find(view_state.attention), view_state, tensor, head))
      stage::subtract(*picture, *other);
  }
  picture_.emplace();
  picture_->matrix = *std::move(picture);
  picture_->name = stage::picture_name(tensor, head);
  picture_->scalable = scalable;
  request_frame();
  return true;
}

std::string App::step_file_name() const {
  const document::Document& document = session_.document();
  return std::string(lesson::example(document.configuration.example).name) + "-" +
         std::string(lesson::step(document.view_state.step).name);
}

void App::save_step(bool scalable) {
  picture_.emplace();
  picture_->name = step_file_name();
  picture_->scalable = scalable;
  request_frame();
}

std::string App::tensors_file_name() const {
  return std::string(lesson::example(session_.document().configuration.example).name) +
         ".safetensors";
}

void App::save_tensors() {
  const auto bytes = files::write_traces(named_traces(session_.computed()));
  if (!bytes) {
    view_.message = bytes.error().message;
    return;
  }
  save_file(tensors_file_name(),
            std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()),
            "application/octet-stream");
}

void App::save_file(const std::string& name, const std::string& bytes, const char* media_type) {
  if (platform_ == nullptr) return;
  const auto saved = platform_->save_file(name, bytes, media_type);
  if (saved)
    notify(*saved);
  else
    view_.message = saved.error().message;
}

void App::copy_text(const stage::Block& shown, draw::CopyAs as) {
  const document::ComputedAttention& attention = session_.attention();
  const stage::Block block = whole(shown, attention.trace);
  const bool all = view_.copy_whole && as != draw::CopyAs::table && block.corner.rank() > 2;
  tensor::Tensor tensor = block.matrix;
  if (all) {
    tensor = attention.trace.at_query(block.tensor, session_.document().view_state.query);
  } else if (!block.column_axis && as != draw::CopyAs::table) {
    tensor = tensor.reshape({tensor.dim(0)});  // a bias, drawn as a column
  }
  std::string name(model::name_of(block.tensor));
  std::string part = name;
  if (!all) part += stage::part_of(block, attention.trace);
  if (session_.computed().attentions.size() > 1) {
    name = files::tensor_name(lesson::name_of(attention.id), name);
    part = files::tensor_name(lesson::name_of(attention.id), part);
  }
  if (block.is_difference && !all) part = stage::minus_original(part);
  platform_->set_clipboard(as == draw::CopyAs::numpy     ? files::to_numpy(name, part, tensor)
                           : as == draw::CopyAs::pytorch ? files::to_pytorch(name, part, tensor)
                                                         : files::to_tsv(tensor));
  notify(base::text("app.clipboard.block_copied", {{"part", part}, {"count", tensor.size()}}));
}

void App::paste(const std::string& text) {
  const auto refuse = [this](std::string_view sentence) { view_.message = sentence; };
  const auto place = place_of(chosen());
  if (!place) return refuse(base::text("app.clipboard.no_cell"));
  if (refuses_edit()) return;
  auto table = files::parse_table(text);
  if (!table) return refuse(table.error().message);
  // A bias is drawn as a column, and code has it as one list.
  if (!stage_.blocks[place->block].column_axis && table->rows == 1)
    std::swap(table->rows, table->columns);
  const auto edits = edits_of(*table, stage_.blocks[place->block], place->row, place->column);
  if (!edits) return refuse(edits.error().message);
  if (edits->size() == 1)
    (void)perform(document::EditCell{edits->front().cell, edits->front().value});
  else
    (void)perform(document::EditCells{*edits});
}

}  // namespace app
