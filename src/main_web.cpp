// The program of a page, and the functions that web/program/api.mjs calls. Each instance has one
// canvas.
#include <emscripten.h>
#include <imgui.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/api/api.hpp"
#include "app/api/own_file.hpp"
#include "app/app.hpp"
#include "base/json/json.hpp"
#include "base/text.hpp"
#include "lesson/input/own_layers.hpp"
#include "platform/platform.hpp"
#include "translation/installed.hpp"

namespace {

/// Lives as long as the instance: main returns, and the browser calls functions after that.
struct Running {
  app::App app;
  app::Api api{app};
  std::unique_ptr<platform::Platform> platform;
};

/// A tensor in the format that web/program/program.mjs reads: 32-bit fields, with addresses as
/// offsets in the instance's memory. If `found` is 0, `name` is the sentence that says why.
struct TensorForPage {
  std::uint32_t found;
  std::uint32_t rank;
  std::uint32_t offset;
  const float* run;
  std::uint32_t run_length;
  const char* name;
  std::uint32_t name_length;
  const char* view_of;
  std::uint32_t view_of_length;
  std::uint32_t reserved;
  std::array<std::uint32_t, tensor::Extents::max_rank> shape;
  std::array<std::uint32_t, tensor::Extents::max_rank> strides;
};
static_assert(sizeof(TensorForPage) == 22 * sizeof(std::uint32_t),
              "web/program/program.mjs reads 22 words");

Running* running = nullptr;
std::vector<std::byte> translator_file;  // as it was loaded; the translator reads weights from it
std::vector<std::byte> own_bytes;        // of a reader's file, as they come
app::OwnFile own_file;
std::vector<app::OwnFile::Shard> own_shards;  // those before the next one
std::string answer;                           // to the last call, which the page reads
app::TensorInMemory asked_for;
TensorForPage tensor_for_page;

std::uint32_t word(std::size_t value) { return static_cast<std::uint32_t>(value); }

}  // namespace

// clang-format off
EM_JS(void, page_words_typed, (const char* words, int length), {
  Module["page"].wordsTyped(Module["page"].text(words, length));
});
// clang-format on

int main() {
  ImGui::CreateContext();
  auto made = std::make_unique<Running>();
  made->platform = platform::Platform::open({}, made->app).value();  // cannot fail on the web
  made->app.attach(*made->platform);
  made->platform->run();
  made->app.when_words_are_typed([](const std::string& words) {
    page_words_typed(words.data(), static_cast<int>(words.size()));
  });
  running = made.release();
  return 0;
}

extern "C" {

char* al_scratch(int size);  // platform/web.cpp: where the page puts its strings

/// The scratch buffer holds the method and, after it, its arguments as JSON; see app::Api::call.
EMSCRIPTEN_KEEPALIVE const char* al_call(int method_length, int arguments_length) {
  const std::string_view both(al_scratch(method_length + arguments_length),
                              static_cast<std::size_t>(method_length + arguments_length));
  const auto split = static_cast<std::size_t>(method_length);
  answer = running->api.call(both.substr(0, split), both.substr(split));
  return answer.data();
}
EMSCRIPTEN_KEEPALIVE int al_answer_length() { return static_cast<int>(answer.size()); }

/// The scratch buffer holds the address that links begin with: a page with this program alone.
EMSCRIPTEN_KEEPALIVE void al_address(int length) {
  running->app.set_address(std::string(al_scratch(length), static_cast<std::size_t>(length)));
}

/// The scratch buffer holds a picture of the reader's own: width · height · 4 bytes, as
/// platform::Client::picture_given takes them.
EMSCRIPTEN_KEEPALIVE void al_picture(int length, int width, int height) {
  constexpr int largest_side =
      1024;  // the page makes it no larger: web/program/pictures/pictures.mjs
  const auto fits = [](int side) { return side > 0 && side <= largest_side; };
  if (!fits(width) || !fits(height) || length != width * height * 4) return;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(al_scratch(length));
  running->app.picture_given({bytes, static_cast<std::size_t>(length)},
                             static_cast<std::size_t>(width), static_cast<std::size_t>(height));
}

/// The scratch buffer holds the sentence that says why what the reader asked for cannot be had.
EMSCRIPTEN_KEEPALIVE void al_refused(int length) {
  running->app.refused(std::string(al_scratch(length), static_cast<std::size_t>(length)));
}

/// The scratch buffer holds a sentence to show for a while.
EMSCRIPTEN_KEEPALIVE void al_notify(int length) {
  running->app.notify(std::string(al_scratch(length), static_cast<std::size_t>(length)));
}

/// The scratch buffer holds the texts of a language as JSON; see base::use_language. Returns why
/// they cannot be used, or nothing.
EMSCRIPTEN_KEEPALIVE const char* al_language(int length) {
  const auto used =
      base::use_language(std::string_view(al_scratch(length), static_cast<std::size_t>(length)));
  answer = used ? std::string() : used.error().message;
  return answer.data();
}

/// Where the page puts the file of the translator's weights, which stays there.
EMSCRIPTEN_KEEPALIVE std::byte* al_translator_room(int length) {
  translation::install({});
  translator_file.assign(static_cast<std::size_t>(length), std::byte{});
  return translator_file.data();
}
/// The file is there. Returns why it cannot be used, or nothing: then there is one more example.
EMSCRIPTEN_KEEPALIVE const char* al_translator() {
  translation::install(translator_file);
  const auto installed = translation::installed();
  answer = installed ? std::string() : installed.error().message;
  if (!installed) {
    translation::install({});
    translator_file = {};
  }
  return answer.data();
}

/// Where the page puts a part of a reader's file, for the next of the calls below. Null for
/// more than is ever read.
EMSCRIPTEN_KEEPALIVE std::byte* al_own_room(int length) {
  own_bytes = {};
  if (length < 0 || static_cast<std::size_t>(length) > lesson::most_own_bytes) return nullptr;
  own_bytes.resize(static_cast<std::size_t>(length));
  return own_bytes.data();
}
/// The same as for al_own_file, for one of several files that lie before it.
EMSCRIPTEN_KEEPALIVE void al_own_shard(double size, int name_length) {
  const std::string name(al_scratch(name_length), static_cast<std::size_t>(name_length));
  own_shards.push_back({name, std::exchange(own_bytes, {}), static_cast<std::uint64_t>(size)});
}
/// The beginning of a file of `size` bytes, its header included, is there, and its name is in the
/// scratch buffer. The answer is JSON: see app::OwnFile::described; or its error.
EMSCRIPTEN_KEEPALIVE const char* al_own_file(double size, int name_length) {
  const std::string name(al_scratch(name_length), static_cast<std::size_t>(name_length));
  own_shards.push_back({name, std::exchange(own_bytes, {}), static_cast<std::uint64_t>(size)});
  auto opened = app::OwnFile::read(own_shards);
  own_shards.clear();
  answer = opened ? opened->described().dump()
                  : base::Json::object().with("error", opened.error().message).dump();
  if (opened) own_file = *std::move(opened);
  return answer.data();
}
/// A file that was chosen with it is there, and its name in the scratch buffer: see
/// app::OwnFile::add_beside. The answer is the description again, or its error.
EMSCRIPTEN_KEEPALIVE const char* al_own_beside(int name_length) {
  const std::string name(al_scratch(name_length), static_cast<std::size_t>(name_length));
  const auto added = own_file.add_beside(name, own_bytes);
  own_bytes = {};
  answer = added ? own_file.described().dump()
                 : base::Json::object().with("error", added.error().message).dump();
  return answer.data();
}
/// An array .npy is there, and its name in the scratch buffer: the tokens of the attention of a
/// file that is shown. The answer is why it cannot be, or nothing.
EMSCRIPTEN_KEEPALIVE const char* al_own_tokens(int name_length) {
  const std::string name(al_scratch(name_length), static_cast<std::size_t>(name_length));
  const auto shown = running->app.show_own_tokens(name, own_bytes);
  own_bytes = {};
  answer = shown ? "" : shown.error().message;
  return answer.data();
}
/// {text, ids, words} is in the scratch buffer, the last two if a tokenizer made them. Without
/// bytes there, the answer is {places}, where their rows lie in the file of the attention that is
/// shown; with them, it is shown with these tokens: {}. Or {error}.
EMSCRIPTEN_KEEPALIVE const char* al_own_words(int length, bool with_rows) {
  const base::Json asked =
      base::Json::parse({al_scratch(length), static_cast<std::size_t>(length)});
  std::optional<std::span<const std::byte>> rows;
  if (with_rows) rows = own_bytes;
  const auto words = app::words_asked_for(asked);
  const auto places = words.and_then(
      [&](const lesson::OwnWords& read) { return running->app.own_words(read, rows); });
  own_bytes = {};
  base::Json said = base::Json::object();
  if (!places)
    said.add("error", places.error().message);
  else
    said.add("places", app::json_of(*places));
  answer = said.dump();
  return answer.data();
}
/// The bytes of one of its attentions are there, as its description lists them. Shows it. The
/// answer is why that cannot be, or nothing.
EMSCRIPTEN_KEEPALIVE const char* al_own_layer(int index) {
  const auto variant = own_file.add(static_cast<std::size_t>(index), own_bytes);
  own_bytes = {};
  answer.clear();
  if (!variant) {
    answer = variant.error().message;
  } else if (const auto shown = running->app.show_own_layer(*variant); !shown) {
    answer = shown.error().message;
  }
  return answer.data();
}

/// A number that changes whenever anything in the document changes.
EMSCRIPTEN_KEEPALIVE double al_changes() {
  return static_cast<double>(running->app.session().changes());
}

/// A number that differs for each example and step: entries of the browser's history.
EMSCRIPTEN_KEEPALIVE int al_scene() {
  const document::Document& document = running->app.session().document();
  return static_cast<int>(document.configuration.example) * 256 +
         static_cast<int>(document.view_state.step);
}

/// The chosen theme: 0 the system's, 1 light, 2 dark.
EMSCRIPTEN_KEEPALIVE int al_theme() {
  return static_cast<int>(running->app.session().document().view_state.theme);
}

/// The scratch buffer holds the tensor's name. The result is valid until the next call.
EMSCRIPTEN_KEEPALIVE const TensorForPage* al_tensor(int name_length) {
  const std::string_view name(al_scratch(name_length), static_cast<std::size_t>(name_length));
  tensor_for_page = {};
  auto found = running->api.tensor(name);
  if (!found) {
    answer = found.error().message;
    tensor_for_page.name = answer.data();
    tensor_for_page.name_length = word(answer.size());
    return &tensor_for_page;
  }
  asked_for = std::move(*found);
  const tensor::Tensor& tensor = asked_for.tensor;
  tensor_for_page.found = 1;
  tensor_for_page.rank = word(tensor.rank());
  tensor_for_page.offset = word(tensor.offset());
  tensor_for_page.run = tensor.storage().data();
  tensor_for_page.run_length = word(tensor.storage().size());
  tensor_for_page.name = asked_for.name.data();
  tensor_for_page.name_length = word(asked_for.name.size());
  tensor_for_page.view_of = asked_for.view_of.data();
  tensor_for_page.view_of_length = word(asked_for.view_of.size());
  for (std::size_t axis = 0; axis < tensor.rank(); ++axis) {
    tensor_for_page.shape[axis] = word(tensor.shape()[axis]);
    tensor_for_page.strides[axis] = word(tensor.strides()[axis]);
  }
  return &tensor_for_page;
}

}  // extern "C"
