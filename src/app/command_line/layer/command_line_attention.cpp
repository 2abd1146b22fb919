#include "app/command_line/layer/command_line_attention.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "app/command_line/command_line_io.hpp"
#include "files/attention/variant_names.hpp"
#include "model/gradients.hpp"
#include "model/roles.hpp"

namespace app {
namespace {

using base::fail;
using base::Result;
using files::in_quotes;
using model::Scale;

constexpr std::size_t largest_size = 1'000'000'000;
constexpr std::string_view rope = "--rope";
constexpr std::string_view usual_base = "10000";  // of rotary positions: Su et al., 2021

Result<Scale> scale_from(const std::string& text) {
  if (const auto kind = files::scale_named(text)) return Scale{*kind, 1.0F};
  float number = 0.0F;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && stopped == end && std::isfinite(number) && number != 0.0F) {
    return Scale{Scale::Kind::number, number};
  }
  return fail("--scale is " + in_quotes(text) +
              "; it must be sqrt-head-dim, sqrt-keys, none, or a number other than 0 that the "
              "scores are divided by.");
}

/// A number within bounds; `allowed` says which in words.
Result<float> number_within(const Typed& typed, float smallest, float largest,
                            const std::string& allowed) {
  const std::optional<float> number = base::read_float(typed.text);
  if (number && *number >= smallest && *number <= largest) return *number;
  return fail(typed.option->get_name() + " is " + in_quotes(typed.text) + "; it must be " +
              allowed + ".");
}

/// "1e4", and "nan", which is then refused as a base; not the name of a file.
bool is_like_a_number(const std::string& text) {
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0';
}

/// What rotary positions, windows, norms and biases are like in detail.
void store_details(const AttentionOptions& options, AttentionRequest& request,
                   document::FirstError& wrong) {
  model::Variants& variants = request.variants;
  const auto whole = [&](const Typed& typed, std::size_t& to) {
    if (typed.given())
      wrong.store(whole_number<std::size_t>(typed.option->get_name(), typed.text, 1, largest_size),
                  to);
  };
  const auto named = [&](const Typed& typed, auto read, const char* allowed, auto& to) {
    if (!typed.given()) return;
    if (const auto value = read(typed.text)) {
      to = *value;
    } else {
      wrong.keep({typed.option->get_name() + " is " + in_quotes(typed.text) + "; it must be " +
                  allowed + "."});
    }
  };
  request.no_rope = options.no_rope;
  if (options.no_rope && options.rope.given())
    wrong.keep({"--rope and --no-rope cannot be given together."});
  variants.rope_neighbours = options.rope_pairs;
  whole(options.rope_dims, variants.rope_dims);
  named(options.rope_scaling, files::rope_scaling_from,
        "linear:FACTOR, llama3:FACTOR,LENGTH,LOW,HIGH or yarn:FACTOR,LENGTH,FAST,SLOW, of whose "
        "numbers the last ones may be left out",
        variants.rope_scaling);
  variants.window_both_ways = options.window_both;
  if (options.window_both && !options.window.given())
    wrong.keep({"--window-both needs --window N."});
  named(options.norm_place, files::norm_place_named, "heads, rotated or all", variants.norm_place);
  named(options.position_bias, files::position_bias_named,
        "none, given, t5, t5-look-back or window", variants.position_bias);
  whole(options.position_bias_distance, variants.position_bias_distance);
  const auto number = [&](const Typed& typed, float& to) {
    if (typed.given())
      wrong.store(number_within(typed, 1e-12F, 1e6F, "a number above 0, at most 1000000"), to);
  };
  number(options.rope_factor, variants.rope_attention_factor);
  number(options.norm_eps, variants.norm_eps);
}

}  // namespace

std::vector<std::string> with_values(std::vector<std::string> arguments) {
  std::vector<std::string> made;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    // The texts that may be anything.
    const bool is_text = !made.empty() && (made.back() == "--text" || made.back() == "--sentence");
    if (arguments[i] != rope || is_text) {
      made.push_back(std::move(arguments[i]));
      continue;
    }
    const bool has_base = i + 1 < arguments.size() && is_like_a_number(arguments[i + 1]);
    made.push_back(std::string(rope) + '=' +
                   (has_base ? arguments[i + 1] : std::string(usual_base)));
    if (has_base) ++i;
  }
  return made;
}

void declare(CLI::App& command, AttentionOptions& options) {
  add(command, options.heads, "--heads", "N", "Number of heads; of a file: 1 unless given");
  add(command, options.kv_heads, "--kv-heads", "G",
      "Heads of keys and values, each shared by N / G heads of queries\n(grouped-query attention; "
      "1: multi-query); as many as heads unless given");
  add_switch(command, options.causal, "--causal",
             "Add the look-ahead mask: no query sees a later key\n"
             "(an example's cross_attention stays as it is)");
  add(command, options.scale, "--scale", "SCALE",
      "What scores are divided by: sqrt-head-dim (unless given),\nsqrt-keys, none, or a number");
  add(command, options.rope, std::string(rope), "[BASE]",
      "Rotary positions: each head's q and k are turned by their place, in\n"
      "pairs i and i + D/2, by place * BASE^(-2i/D), as Llama does;\nBASE is 10000 unless given");
  add_switch(command, options.no_rope, "--no-rope",
             "Leave out the rotary positions that a model's file has");
  add(command, options.rope_dims, "--rope-dims", "N", "Turn the first N numbers of each head only");
  add_switch(command, options.rope_pairs, "--rope-pairs",
             "Turn neighbours, numbers 2i and 2i + 1, instead of i and i + D/2");
  add(command, options.rope_scaling, "--rope-scaling", "KIND:X,...",
      "Rotary positions for longer texts: linear:FACTOR,\n"
      "llama3:FACTOR,LENGTH,LOW,HIGH (8192, 1 and 4 unless given) or\n"
      "yarn:FACTOR,LENGTH,FAST,SLOW (8192, 32 and 1 unless given);\n"
      "rope_frequencies [N/2] of the file are taken instead");
  add(command, options.rope_factor, "--rope-factor", "X",
      "Multiply turned queries and keys by X; of yarn\n0.1 * ln(FACTOR) + 1 unless given");
  add_switch(command, options.alibi, "--alibi",
             "Linear biases (ALiBi): each head takes its slope times the\n"
             "distance of query and key from the scores");
  add(command, options.window, "--window", "N",
      "Sliding window: a query sees its last N keys, its own included,\nand no later ones");
  add_switch(command, options.window_both, "--window-both",
             "With --window N: later keys too, those nearer than N");
  add(command, options.position_bias, "--position-bias", "KIND",
      "Add numbers to the scores by places alone: given (position_bias\n"
      "[H,Lq,Lk] of the file), t5, t5-look-back or window (rows of its\n"
      "position_bias_table [N,H], as T5 and Swin read them)");
  add(command, options.position_bias_distance, "--position-bias-distance", "N",
      "From there on all keys share a row of t5's table; 128 unless given");
  add(command, options.softcap, "--softcap", "X",
      "Keep scaled scores between -X and X: X * tanh(score / X)");
  add(command, options.sink, "--sink", "X",
      "Attention sinks: exp(X) more in the sum of every softmax, so that\n"
      "weights sum to less than 1; X of each head is that of sinks [H]\nif the file has them");
  add_switch(command, options.qk_norm, "--qk-norm",
             "Divide each head's q and k by their root mean square (RMS norm),\n"
             "before rotary positions; times q_norm_weight and k_norm_weight [D]\n"
             "if the file has them");
  add(command, options.norm_place, "--norm-place", "PLACE",
      "Where --qk-norm divides: heads (unless given), rotated (after\n"
      "rotary positions), or all (all heads at once, before they are split:\n"
      "q_norm_weight [H*D], k_norm_weight [G*D])");
  add(command, options.norm_eps, "--norm-eps", "X",
      "What --qk-norm adds to the mean of squares; 0.000001 unless given");
  add_switch(command, options.gradients, "--gradients",
             "Write the gradient of every tensor too, d_NAME, of the loss\n"
             "1/2 * sum of (output - target)^2; the file has the target [B,Lq,E]");
  add_switch(command, options.ignore_unknown, "--ignore-unknown",
             "Pass over tensors with unknown names");
}

void store(const AttentionOptions& options, AttentionRequest& request,
           document::FirstError& wrong) {
  request.causal = options.causal;
  request.gradients = options.gradients;
  request.ignore_unknown = options.ignore_unknown;
  model::Variants& variants = request.variants;
  variants.alibi = options.alibi;
  variants.qk_norm = options.qk_norm;
  if (options.scale.given()) wrong.store(scale_from(options.scale.text), request.scale);
  const auto whole = [&](const Typed& typed) {
    return whole_number<std::size_t>(typed.option->get_name(), typed.text, 1, largest_size);
  };
  if (options.heads.given()) wrong.store(whole(options.heads), request.num_heads);
  if (options.kv_heads.given()) wrong.store(whole(options.kv_heads), request.num_kv_heads);
  if (options.window.given()) wrong.store(whole(options.window), variants.window);
  if (options.rope.given()) {
    wrong.store(number_within(options.rope, 1.0F, model::largest_rope_base,
                              "a number from 1 to 1000000000000"),
                variants.rope_base);
  }
  store_details(options, request, wrong);
  if (options.softcap.given()) {
    wrong.store(number_within(options.softcap, 1e-3F, 1e6F, "a number from 0.001 to 1000000"),
                variants.softcap);
  }
  if (options.sink.given()) {
    wrong.store(number_within(options.sink, -1e4F, 1e4F, "a number from -10000 to 10000"),
                variants.sink);
  }
}

model::Variants variants_for(const AttentionRequest& request, const model::Variants& of_file) {
  const model::Variants usual;
  const model::Variants& asked = request.variants;
  model::Variants made = of_file;
  const auto take = [&](auto model::Variants::*field) {
    if (asked.*field != usual.*field) made.*field = asked.*field;
  };
  take(&model::Variants::rope_base);
  take(&model::Variants::rope_dims);
  take(&model::Variants::rope_neighbours);
  take(&model::Variants::rope_scaling);
  take(&model::Variants::rope_attention_factor);
  take(&model::Variants::alibi);
  take(&model::Variants::qk_norm);
  take(&model::Variants::norm_place);
  take(&model::Variants::norm_eps);
  take(&model::Variants::softcap);
  take(&model::Variants::position_bias);
  take(&model::Variants::position_bias_distance);
  if (!made.sink) made.sink = asked.sink;  // those of a file win
  if (asked.window > 0) {
    made.window = asked.window;
    made.window_both_ways = asked.window_both_ways;
  }
  if (request.no_rope) {
    made.rope_base = usual.rope_base;
    made.rope_dims = usual.rope_dims;
    made.rope_neighbours = usual.rope_neighbours;
    made.rope_scaling = usual.rope_scaling;
    made.rope_attention_factor = usual.rope_attention_factor;
  }
  return made;
}

files::AttentionFileOptions file_options(const AttentionRequest& request) {
  files::AttentionFileOptions options;
  options.num_heads = request.num_heads.value_or(1);
  options.num_kv_heads = request.num_kv_heads.value_or(0);
  options.scale = request.scale.value_or(model::Scale{});
  options.variants = request.variants;
  options.causal = request.causal;
  options.ignore_unknown = request.ignore_unknown;
  options.needs_target = request.gradients;
  return options;
}

Result<LoadedAttention> load_attention(const std::string& path, const AttentionRequest& request) {
  Result<std::vector<std::byte>> bytes = read_file(path);
  if (!bytes) return fail(bytes.error());
  const auto in_file = [&](const base::Error& error) {
    return fail(path_in_quotes(path) + ": " + error.message);
  };
  const model::Variants& asked = request.variants;
  const bool turned = asked.rope_dims > 0 || asked.rope_neighbours ||
                      asked.rope_scaling != model::RopeScaling{} ||
                      asked.rope_attention_factor > 0.0F;
  if (turned && asked.rope_base == 0.0F) {
    return fail(
        "--rope-dims, --rope-pairs, --rope-scaling and --rope-factor are for rotary positions; "
        "give --rope too.");
  }
  LoadedAttention loaded;
  loaded.bytes = *std::move(bytes);
  Result<files::Safetensors> file = files::read_safetensors(loaded.bytes);
  if (!file) return in_file(file.error());
  loaded.file = *std::move(file);
  const Result<files::AttentionFile> given =
      files::attention_from_file(loaded.file, file_options(request));
  if (!given) return in_file(given.error());
  Result<model::Part> part = model::attention_part(given->given, given->options);
  if (!part) return in_file(part.error());
  loaded.model.push_back(*std::move(part));
  if (request.gradients) {
    model::add_squared_distance(loaded.model, 0, model::roles::output, given->target);
    model::add_gradients(loaded.model, 0, "loss");
  }
  return loaded;
}

}  // namespace app
