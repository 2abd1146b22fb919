#include "app/command_line/layer/command_line_layers.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "app/command_line/layer/command_line_embeddings.hpp"
#include "app/command_line/layer/command_line_model.hpp"
#include "base/text.hpp"
#include "files/layers/attention_weights.hpp"
#include "files/layers/embeddings.hpp"
#include "files/numbers/finite.hpp"
#include "files/numbers/npy.hpp"
#include "lesson/input/sequence.hpp"
#include "model/attention/mask.hpp"
#include "model/roles.hpp"

namespace app {
namespace {

using base::fail;
using base::Result;
using files::FoundAttention;
using tensor::Tensor;
namespace roles = model::roles;

constexpr const char* more_about_layers =
    "Only the header of the file is read, however large it is. Known are the names of PyTorch's\n"
    "MultiheadAttention and Transformer, GPT-2, BERT, BART, T5 and Llama, with anything before\n"
    "them: docs/files.md. The number of heads is not in such a file; it is taken from config.json\n"
    "in the same folder, or '?' marks the usual one for this width.\n"
    "  attention-live trace IN.safetensors --layer NAME --heads N -o OUT.safetensors\n"
    "computes one of them.\n"
    "\n"
    "Exit code 0, or 2 after one sentence about what is wrong.";

constexpr std::size_t usual_tokens = 8;

/// "12 heads", "32 heads, 8 for keys", "16 heads?".
std::string heads_of(const FoundAttention& found) {
  const std::size_t heads = files::usual_heads(found);
  const std::size_t shared = files::kv_heads(found, heads);
  std::string text = std::to_string(heads) + (heads == 1 ? " head" : " heads");
  if (shared != heads) text += ", " + std::to_string(shared) + " for keys";
  return found.num_heads ? text : text + '?';
}

std::string kind_of(const FoundAttention& found) {
  if (found.is_cross) return "cross-attention";
  return found.causal ? "causal self-attention" : "self-attention";
}

std::string size_of(std::uint64_t bytes) {
  std::array<char, 32> text{};
  const bool is_large = bytes >= 1'000'000;
  std::snprintf(text.data(), text.size(), is_large ? "%.1f MB" : "%.1f kB",
                static_cast<double>(bytes) / (is_large ? 1e6 : 1e3));
  return text.data();
}

/// Rows of words, with each column as wide as its widest word.
std::string aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i + 1 < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      text += row[i];
      if (i + 1 < row.size()) text.append(widths[i] - std::min(widths[i], row[i].size()) + 2, ' ');
    }
    text += '\n';
  }
  return text;
}

/// Names come from outside: control characters must not reach the terminal.
std::string shown(const std::string& name) {
  constexpr std::size_t whole = 1000;
  if (name.empty()) return "\"\"";
  const std::string quoted = files::in_quotes(name, whole);
  const bool is_plain = quoted.size() == name.size() + 2 && name.find(' ') == std::string::npos;
  return is_plain ? name : quoted;
}

std::vector<std::string> described(const FoundAttention& found) {
  std::vector<std::string> row = {shown(found.name), std::string(name_of(found.family)),
                                  kind_of(found)};
  if (!found.problem.empty()) {
    row.push_back("not computed: " + found.problem);
    return row;
  }
  row.push_back("embed_dim " + std::to_string(found.embed_dim));
  const std::size_t head_dim = files::own_head_dim(found, files::usual_heads(found));
  row.push_back(heads_of(found) + (head_dim == 0 ? "" : ", head_dim " + std::to_string(head_dim)));
  row.push_back(size_of(files::bytes_of(found)));
  return row;
}

std::string none_found(const ModelFile& model) {
  if (model.found().incomplete > 0) {
    return "has no whole attention; " + model.found().missing + " is missing.";
  }
  return "has no attention with names that are known here (see attention-live layers --help).";
}

/// The tokens of a tensor [L,width] or [B,L,width], with a batch axis.
Result<Tensor> with_batch(const std::string& name, const Tensor& tensor) {
  if (tensor.rank() == 3) return tensor;
  if (tensor.rank() == 2) return tensor.reshape({1, tensor.dim(0), tensor.dim(1)});
  return fail(name + " has shape " + tensor::describe(tensor.shape()) +
              "; it needs two or three axes, [L,E] or [B,L,E].");
}

/// query, key and value of a file of tensors, those that are there.
Result<void> take_inputs(const files::Safetensors& file, model::Tensors& given,
                         LoadedLayer& loaded) {
  for (const auto& [name, id] : {std::pair{"query", roles::query}, std::pair{"key", roles::key},
                                 std::pair{"value", roles::value}}) {
    const files::StoredTensor* stored = file.find(name);
    if (stored == nullptr) continue;
    const Result<Tensor> tensor = files::to_finite(*stored);
    if (!tensor) return fail(tensor.error());
    Result<Tensor> tokens = with_batch(name, *tensor);
    if (!tokens) return fail(tokens.error());
    given[id] = *std::move(tokens);
    loaded.inputs.emplace_back(name, stored->shape.rank());
  }
  if (!given.has(roles::query)) return fail("The file has no tensor \"query\".");
  return {};
}

Result<void> read_inputs(const std::string& path, model::Tensors& given, LoadedLayer& loaded) {
  const auto in_file = [&](const base::Error& error) {
    return fail(path_in_quotes(path) + ": " + error.message);
  };
  const auto bytes = read_file(path);
  if (!bytes) return fail(bytes.error());
  if (files::is_npy(*bytes)) {
    const auto array = files::read_npy(*bytes);
    if (!array) return in_file(array.error());
    const auto checked = files::check_numbers("The array", *array, files::Numbers::finite);
    if (!checked) return in_file(checked.error());
    const Result<Tensor> tokens = with_batch("The array", *array);
    if (!tokens) return in_file(tokens.error());
    given[roles::query] = *tokens;
    loaded.array = path;
    return {};
  }
  const auto file = files::read_safetensors(*bytes);
  if (!file) return in_file(file.error());
  if (const auto taken = take_inputs(*file, given, loaded); !taken) return in_file(taken.error());
  loaded.paths.push_back(path);
  return {};
}

/// The model's own query, key and value, where its file has a query.
Result<bool> own_inputs(const ModelFile& model, model::Tensors& given, LoadedLayer& loaded) {
  files::Safetensors inputs;
  std::vector<std::vector<std::byte>> kept;
  for (const files::HeaderEntry& entry : model.header().entries) {
    if (entry.name != "query" && entry.name != "key" && entry.name != "value") continue;
    if (!model::within_limits(entry.shape)) return false;
    auto bytes = model.read(entry.begin, entry.end);
    if (!bytes) return fail(bytes.error());
    kept.push_back(*std::move(bytes));
    loaded.paths.push_back(model.path_of(entry));
    inputs.tensors.push_back({entry.name, entry.dtype, entry.shape, kept.back()});
  }
  if (inputs.find("query") == nullptr) return false;
  const auto taken = take_inputs(inputs, given, loaded);
  if (!taken) return fail(path_in_quotes(model.path()) + ": " + taken.error().message);
  return true;
}

/// Sets the query by token ids or by text, and says where it comes from.
Result<std::string> give_embeddings(const ModelFile& model, const FoundAttention& found,
                                    const LayerRequest& layer, model::Tensors& given,
                                    LoadedLayer& loaded) {
  files::Encoding encoding{.ids = layer.ids, .words = {}};
  if (layer.text) {
    Result<files::Encoding> made = encoded(model.path(), *layer.text);
    if (!made) return fail(made.error());
    encoding = *std::move(made);
  }
  const auto tokens = embedded(model, found, encoding.ids);
  if (!tokens) return fail(tokens.error());
  given[roles::query] = *tokens;
  const files::HeaderEntry& rows =
      *files::find_embeddings(model.header(), found.embed_dim, found.name);
  loaded.paths.push_back(model.path_of(rows));
  loaded.embeddings = rows.name;
  loaded.ids = encoding.ids;
  print_error(
      "The tokens are rows of the model's embeddings, without positions, norms and layers that "
      "come between.");
  if (!layer.text) return "embeddings of token ids";
  std::string said = "embeddings of";
  for (std::size_t i = 0; i < encoding.ids.size(); ++i)
    said += (i == 0 ? " " : ", ") + files::in_quotes(encoding.words[i]) + " (" +
            std::to_string(encoding.ids[i]) + ")";
  print_error("The text is " + said.substr(std::string_view("embeddings of ").size()) + ".");
  return said;
}

/// Errors: tokens of another width than the layer reads.
Result<void> check_widths(const FoundAttention& found, const model::Tensors& given) {
  struct Input {
    const char* name;
    model::TensorId id;
    std::size_t width;
  };
  for (const auto& [name, id, width] :
       {Input{"queries", roles::query, found.embed_dim}, Input{"keys", roles::key, found.kdim},
        Input{"values", roles::value, found.vdim}}) {
    if (given[id].dim(2) == width) continue;
    return fail("The " + std::string(name) + " are " + std::to_string(given[id].dim(2)) +
                " numbers wide; this attention reads " + std::to_string(width) + ".");
  }
  return {};
}

/// Sets the inputs, and says where they come from.
Result<std::string> give_inputs(const ModelFile& model, const FoundAttention& found,
                                const LayerRequest& layer, model::Tensors& given,
                                LoadedLayer& loaded) {
  std::string from = layer.input;
  if (!layer.input.empty()) {
    if (const auto read = read_inputs(layer.input, given, loaded); !read) return fail(read.error());
  } else if (!layer.ids.empty() || layer.text) {
    const Result<std::string> said = give_embeddings(model, found, layer, given, loaded);
    if (!said) return fail(said.error());
    from = *said;
  } else {
    const Result<bool> has_own = own_inputs(model, given, loaded);
    if (!has_own) return fail(has_own.error());
    from = model.path();
    if (!*has_own || layer.seed || layer.tokens) {
      loaded.inputs.clear();
      const std::uint32_t seed = layer.seed.value_or(1);
      const std::size_t tokens =
          layer.tokens.value_or(found.window_tokens == 0 ? usual_tokens : found.window_tokens);
      given[roles::query] = lesson::numbered_sequence("x", tokens, found.embed_dim, seed).embedding;
      given[roles::key] = given[roles::value] = {};
      if (found.is_cross) {
        given[roles::key] = lesson::numbered_sequence("y", tokens, found.kdim, seed).embedding;
        if (found.vdim != found.kdim)
          given[roles::value] = lesson::numbered_sequence("y", tokens, found.vdim, seed).embedding;
      }
      from = "random, seed " + std::to_string(seed);
    }
  }
  if (!given.has(roles::key)) given[roles::key] = given[roles::query];
  if (!given.has(roles::value)) given[roles::value] = given[roles::key];
  const auto widths = check_widths(found, given);
  if (!widths)
    return fail(path_in_quotes(layer.input.empty() ? model.path() : layer.input) + ": " +
                widths.error().message);
  return from;
}

bool divides(const FoundAttention& found, std::size_t heads) {
  return heads > 0 && heads <= found.inner_dim && found.inner_dim % heads == 0;
}

/// As the family has it, but for what was asked for.
model::Options options_for(const FoundAttention& found, const AttentionRequest& request,
                           std::size_t tokens) {
  model::Options options;
  options.num_heads = request.num_heads.value_or(files::usual_heads(found));
  options.num_kv_heads = request.num_kv_heads.value_or(0);
  const bool can_divide = divides(found, options.num_heads);
  if (!request.num_kv_heads && can_divide)
    options.num_kv_heads = files::kv_heads(found, options.num_heads);
  if (can_divide) options.head_dim = files::own_head_dim(found, options.num_heads);
  options.scale = request.scale.value_or(found.scale);
  options.variants = variants_for(request, files::variants_of(found, options.num_heads, tokens));
  return options;
}

/// What the file does not say.
void say_assumptions(const FoundAttention& found, const AttentionRequest& request,
                     const std::string& from, bool is_random) {
  if (!found.num_heads && !request.num_heads) {
    const std::size_t heads = files::usual_heads(found);
    print_error("The file does not say how many heads there are: " + std::to_string(heads) +
                ", the usual number for this width, is taken; --heads N takes another.");
  }
  for (const std::string& sentence : files::said_of(found)) print_error(sentence);
  if (found.variants.rope_base > 0.0F && !found.rope_is_said && !request.no_rope &&
      request.variants.rope_base == 0.0F)
    print_error(
        "Rotary positions have base 10000, which the file does not say; --rope BASE takes "
        "another.");
  if (is_random) print_error("The tokens are " + from + ".");
}

}  // namespace

void declare(CLI::App& layers, LayersOptions& options) {
  add(layers, options.input, "IN", "", "The file to read: IN.safetensors");
  layers.footer(more_about_layers);
}

Result<void> run(const LayersOptions& options) {
  if (!options.input.given())
    return fail("layers needs a file (see attention-live layers --help).");
  const Result<ModelFile> model = ModelFile::open(options.input.text);
  if (!model) return fail(model.error());
  if (model->found().attentions.empty())
    return fail(path_in_quotes(options.input.text) + " " + none_found(*model));
  std::vector<std::vector<std::string>> rows;
  for (const FoundAttention& found : model->found().attentions) rows.push_back(described(found));
  std::string text = aligned(rows);
  if (model->found().incomplete > 0) {
    text += std::to_string(model->found().incomplete) +
            " more not whole: " + model->found().missing + " is missing.\n";
  }
  return print(text);
}

Result<LoadedLayer> load_layer(const std::string& path, const AttentionRequest& request,
                               const LayerRequest& layer) {
  const Result<ModelFile> model = ModelFile::open(path);
  if (!model) return fail(model.error());
  const auto in_file = [&](const std::string& sentence) {
    return fail(path_in_quotes(path) + ": " + sentence);
  };
  const FoundAttention* named = files::find(model->found(), layer.name);
  if (named == nullptr) {
    if (model->found().attentions.empty())
      return fail(path_in_quotes(path) + " " + none_found(*model));
    return in_file("There is no attention " + files::in_quotes(layer.name) +
                   "; attention-live layers lists them, for example " +
                   files::in_quotes(model->found().attentions.front().name) + ".");
  }
  FoundAttention attention = *named;
  const FoundAttention* const found = &attention;
  if (request.num_heads && found->inner_dim != found->embed_dim &&
      found->inner_dim % *request.num_heads != 0) {
    return in_file("The heads are " + std::to_string(found->inner_dim) +
                   " numbers wide together, which cannot be split into " +
                   std::to_string(*request.num_heads) + " heads; allowed: " +
                   model::describe_divisors(found->inner_dim, model::Limits::heads) + ".");
  }
  if (!found->problem.empty())
    return in_file(files::in_quotes(layer.name) + " is not computed: " + found->problem);
  if (found->packing == files::Packing::by_head) {
    const std::vector<std::size_t> choices = files::head_choices(*found);
    const bool is_choice = request.num_heads && std::find(choices.begin(), choices.end(),
                                                          *request.num_heads) != choices.end();
    if (is_choice) attention.num_heads = request.num_heads;
    if (!found->num_heads) {
      return in_file(files::in_quotes(layer.name) + " is not computed: " +
                     std::string(base::text("files.layer.heads_unknown")) + " --heads N says it.");
    }
  }
  LoadedLayer loaded;
  std::vector<std::byte> data;
  for (const files::HeaderEntry& entry : found->tensors) {
    loaded.paths.push_back(model->path_of(entry));
    const auto bytes = model->read(entry.begin, entry.end);
    if (!bytes) return fail(bytes.error());
    data.insert(data.end(), bytes->begin(), bytes->end());
  }
  Result<model::Tensors> given = files::weights_of(*found, data);
  if (!given) return in_file(given.error().message);
  const Result<std::string> from = give_inputs(*model, *found, layer, *given, loaded);
  if (!from) return fail(from.error());
  loaded.is_causal = request.causal || (found->causal && !layer.no_causal);
  if (loaded.is_causal) {
    (*given)[roles::mask] =
        model::look_ahead_mask((*given)[roles::query].dim(1), (*given)[roles::key].dim(1));
  }
  const std::size_t tokens = (*given)[roles::key].dim(1);
  const model::Options options = options_for(*found, request, tokens);
  // Of LongRoPE, unless others were asked for.
  if (options.variants.rope_base > 0.0F && request.variants.rope_base == 0.0F &&
      request.variants.rope_scaling == model::RopeScaling{} && divides(*found, options.num_heads))
    (*given)["rope_frequencies"] = files::rope_frequencies_of(*found, options.num_heads, tokens);
  Result<model::Part> part = model::attention_part(*std::move(given), options);
  if (!part) return in_file(part.error().message);
  const bool is_random = from->starts_with("random");
  say_assumptions(*found, request, *from, is_random && layer.input.empty());
  loaded.model.push_back(*std::move(part));
  loaded.metadata = {{"layer", layer.name}, {"input", *from}};
  attention.num_heads = options.num_heads;
  loaded.found = std::move(attention);
  return loaded;
}

}  // namespace app
