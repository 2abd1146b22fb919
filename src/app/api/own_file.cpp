// A reader's own file: what is in it, and showing it.
#include "app/api/own_file.hpp"

#include "app/app.hpp"
#include "base/text.hpp"
#include "document/commands.hpp"
#include "document/state/json_value.hpp"
#include "files/layers/attention_weights.hpp"
#include "files/layers/config/model_config.hpp"
#include "files/layers/embeddings.hpp"
#include "files/layers/shards.hpp"
#include "files/numbers/npy.hpp"
#include "files/quote.hpp"
#include "files/safetensors.hpp"
#include "files/tokenizers/tokenizer_files.hpp"
#include "lesson/examples/examples.hpp"
#include "lesson/input/own_layers.hpp"

namespace app {

using base::fail;
using base::Json;

namespace {

/// A query with more numbers than this is not taken: 64 rows of it are shown at most.
constexpr std::size_t most_of_query = std::size_t{1} << 22U;

bool is_query(const files::HeaderEntry& entry) {
  const std::size_t rank = entry.shape.rank();
  return entry.name == "query" && (rank == 2 || rank == 3) && model::within_limits(entry.shape) &&
         entry.shape.product() <= most_of_query;
}

Json described_attention(const files::FoundAttention& found) {
  const std::string why = lesson::why_not_shown(found);
  const std::size_t heads = why.empty() ? files::usual_heads(found) : 0;
  return Json::object()
      .with("name", found.name)
      .with("family", name_of(found.family))
      .with("cross", found.is_cross)
      .with("causal", found.causal)
      .with("embed_dim", found.embed_dim)
      .with("heads", heads)
      .with("guess", !found.num_heads.has_value())
      .with("bytes", files::bytes_of(found))
      .with("why", why);
}

}  // namespace

base::Result<lesson::OwnWords> words_asked_for(const Json& asked) {
  lesson::OwnWords words;
  if (const Json* text = asked.find("text"); text != nullptr && text->text() != nullptr)
    words.text = *text->text();
  if (const Json* ids = asked.find("ids"); ids != nullptr) {
    const auto read = document::places("ids", *ids);
    if (!read) return fail(read.error());
    for (const std::size_t id : *read) words.ids.push_back(static_cast<std::uint32_t>(id));
  }
  const Json* names = asked.find("words");
  for (std::size_t i = 0; names != nullptr && i < names->size(); ++i) {
    const std::string* name = names->elements()[i].text();
    words.words.push_back(name == nullptr ? std::string() : *name);
  }
  return words;
}

Json json_of(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& places) {
  Json all = Json::array();
  for (const auto& [begin, end] : places) {
    Json place = Json::array();
    place.push_back(begin);
    place.push_back(end);
    all.push_back(std::move(place));
  }
  return all;
}

base::Result<OwnFile> OwnFile::read(const std::string& name, std::span<const std::byte> beginning,
                                    std::uint64_t size) {
  const Shard alone{name, {beginning.begin(), beginning.end()}, size};
  return read(std::span(&alone, 1));
}

base::Result<OwnFile> OwnFile::read(std::span<const Shard> shards) {
  OwnFile file;
  const std::string& name = shards.back().name;
  file.name_ = name;
  files::Header header;
  std::uint64_t at = 0;
  for (const Shard& shard : shards) {
    auto layout = files::read_layout(shard.beginning, shard.size);
    if (!layout) return fail(files::in_quotes(shard.name) + ": " + layout.error().message);
    files::join_shard(*std::move(layout), at, header);
    at += shard.size;
  }
  if (const auto checked = files::check_joined(header); !checked) return fail(checked.error());
  file.found_ = files::find_attentions(header);
  for (const files::HeaderEntry& entry : header.entries) {
    if (is_query(entry)) file.query_ = entry;
  }
  for (const files::FoundAttention& found : file.found_.attentions) {
    const files::HeaderEntry* rows = files::find_embeddings(header, found.embed_dim, found.name);
    auto& own = file.embeddings_.emplace_back();
    if (rows != nullptr) own = *rows;
  }
  if (!file.found_.attentions.empty()) return file;
  if (file.found_.incomplete > 0) {
    return fail(base::text("app.own.incomplete",
                           {{"file", files::in_quotes(name)}, {"missing", file.found_.missing}}));
  }
  return fail(base::text("app.own.none", {{"file", files::in_quotes(name)}}));
}

base::Result<void> OwnFile::add_beside(const std::string& name, std::span<const std::byte> bytes) {
  const auto in_file = [&](const base::Error& error) {
    return fail(files::in_quotes(name) + ": " + error.message);
  };
  if (files::is_tokenizer_file(name)) {
    has_tokenizer_ |= files::is_vocabulary_file(name);
    return {};
  }
  if (name.ends_with("config.json")) {
    const auto config =
        files::read_model_config({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    if (!config) return in_file(config.error());
    files::take_config(*config, found_);
    return {};
  }
  if (!files::is_npy(bytes))
    return fail(base::text("app.own.beside", {{"file", files::in_quotes(name)}}));
  auto array = files::read_npy(bytes);
  if (!array) return in_file(array.error());
  array_name_ = name;
  array_ = *std::move(array);
  return {};
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> OwnFile::parts_of(std::size_t index) const {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> parts;
  for (const files::HeaderEntry& entry : found_.attentions[index].tensors)
    parts.emplace_back(entry.begin, entry.end);
  if (query_) parts.emplace_back(query_->begin, query_->end);
  return parts;
}

Json OwnFile::described() const {
  Json attentions = Json::array();
  for (std::size_t i = 0; i < found_.attentions.size(); ++i) {
    attentions.push_back(
        described_attention(found_.attentions[i]).with("parts", json_of(parts_of(i))));
  }
  return Json::object()
      .with("attentions", std::move(attentions))
      .with("incomplete", found_.incomplete)
      .with("has_query", query_.has_value() || array_.defined())
      .with("sentence", lesson::default_sentence());
}

base::Result<std::size_t> OwnFile::add(std::size_t index, std::span<const std::byte> bytes) const {
  if (index >= found_.attentions.size())
    return fail(base::text("app.own.no_such", {{"name", index}}));
  const files::FoundAttention& found = found_.attentions[index];
  const std::uint64_t own = files::bytes_of(found);
  tensor::Tensor query;
  if (query_ && bytes.size() == own + (query_->end - query_->begin)) {
    const auto read = files::to_float32(
        {query_->name, query_->dtype, query_->shape, bytes.subspan(static_cast<std::size_t>(own))});
    if (!read) return fail(read.error());
    query = *read;
    bytes = bytes.first(static_cast<std::size_t>(own));
  }
  const lesson::OwnText text = {embeddings_[index], has_tokenizer_};
  if (!array_.defined()) return lesson::add_own_layer(name_, found, bytes, query, {}, text);
  if (const auto checked = lesson::check_own_tokens(found, array_name_, array_); !checked)
    return fail(checked.error());
  return lesson::add_own_layer(name_, found, bytes, array_, array_name_, text);
}

base::Result<void> App::show_own_tokens(const std::string& name, std::span<const std::byte> bytes) {
  auto array = files::read_npy(bytes);
  if (!array) return fail(files::in_quotes(name) + ": " + array.error().message);
  const document::Configuration& shown = session_.document().configuration;
  const bool is_own = shown.example == lesson::ExampleId::own_layer;
  const auto variant = lesson::add_own_tokens(
      is_own ? shown.parameters.variant : lesson::own_layer_count(), name, *array);
  if (!variant) return fail(variant.error());
  return show_own_layer(*variant);
}

base::Result<App::Places> App::own_words(const lesson::OwnWords& words,
                                         std::optional<std::span<const std::byte>> rows) {
  const document::Configuration& shown = session_.document().configuration;
  const bool is_own = shown.example == lesson::ExampleId::own_layer;
  const std::size_t variant = is_own ? shown.parameters.variant : lesson::own_layer_count();
  lesson::OwnWords read = words;
  if (!rows) return lesson::places_of_words(variant, read);
  const auto added = lesson::add_own_words(variant, std::move(read), *rows);
  if (!added) return fail(added.error());
  if (const auto done = show_own_layer(*added); !done) return fail(done.error());
  return Places();
}

void App::choose_layer() {
  if (platform_->has_file_dialog()) return platform_->choose_layer();
  refused(std::string(base::text("app.own.drop")));
}

base::Result<void> App::show_own_layer(std::size_t variant) {
  document::Document next = session_.document();
  const bool is_first = next.configuration.example != lesson::ExampleId::own_layer;
  next.configuration = document::fresh(lesson::ExampleId::own_layer, variant);
  next.view_state = document::first_view_state(next.view_state, next.configuration.example);
  auto done = replace(next);
  // The settings begin with what the file does not say and was guessed.
  if (done && is_first) view_.open_group = draw::PanelGroup::settings;
  return done;
}

}  // namespace app
