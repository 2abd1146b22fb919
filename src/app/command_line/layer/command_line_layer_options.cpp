// The options that say which attention of a model's file is meant, and what it reads.
#include "app/command_line/layer/command_line_embeddings.hpp"
#include "app/command_line/layer/command_line_layers.hpp"

namespace app {

using base::fail;
using base::Result;

void declare(CLI::App& command, LayerOptions& options) {
  add(command, options.name, "--layer", "NAME",
      "An attention of a model in a file\n(see: attention-live layers IN.safetensors)");
  add(command, options.array, "--input", "ARRAY",
      "What the layer reads, [L,E] or [B,L,E]: a .npy file, or a\n"
      ".safetensors file with query, and key and value if need be");
  add(command, options.ids, "--ids", "ID,ID",
      "What the layer reads: rows of the model's embeddings, by token id");
  add(command, options.text, "--text", "TEXT",
      "The same by a text, where a tokenizer lies in the model's folder:\n"
      "tokenizer.json, vocab.txt, or vocab.json with merges.txt");
  add(command, options.tokens, "--tokens", "L", "How many random tokens it reads (8 unless given)");
  options.no_causal_option = add_switch(command, options.no_causal, "--no-causal",
                                        "No look-ahead mask for a layer that would have one");
}

Result<void> check(const std::string& command, const LayerOptions& options, const Typed& seed,
                   const AttentionOptions& attention) {
  if (!options.name.given()) {
    for (const CLI::Option* option : {options.array.option, options.ids.option, options.text.option,
                                      options.tokens.option, options.no_causal_option}) {
      if (option->count() > 0) return fail(option->get_name() + " is for --layer only.");
    }
    return {};
  }
  if (attention.gradients)
    return fail("--gradients needs a target, which the layer of a model does not have.");
  if (attention.ignore_unknown)
    return fail("--layer passes over all other tensors: leave out --ignore-unknown.");
  if (attention.causal && options.no_causal) return fail("Give --causal or --no-causal, not both.");
  if (options.array.given() + options.ids.given() + options.text.given() > 1)
    return fail(command + " takes --input, --ids or --text, one of them.");
  for (const Typed* source : {&options.array, &options.ids, &options.text}) {
    for (const Typed* random : {&seed, &options.tokens}) {
      if (source->given() && random->given())
        return fail(random->option->get_name() + " is for random tokens, not for those of " +
                    source->option->get_name() + ".");
    }
  }
  return {};
}

LayerRequest layer_request_from(const LayerOptions& options, std::optional<std::uint32_t> seed,
                                document::FirstError& wrong) {
  LayerRequest layer;
  layer.name = options.name.text;
  layer.input = options.array.text;
  if (options.ids.given()) wrong.store(token_ids(options.ids.text), layer.ids);
  if (options.text.given()) layer.text = options.text.text;
  layer.seed = seed;
  layer.no_causal = options.no_causal;
  if (options.tokens.given()) {
    wrong.store(
        whole_number<std::size_t>("--tokens", options.tokens.text, 1, model::Limits::tokens),
        layer.tokens);
  }
  return layer;
}

}  // namespace app
