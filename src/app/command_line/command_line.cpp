#include "app/command_line/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/command_line/command_line_check.hpp"
#include "app/command_line/command_line_io.hpp"
#include "app/command_line/command_line_learn.hpp"
#include "app/command_line/command_line_trace.hpp"
#include "app/command_line/command_line_translate.hpp"
#include "app/command_line/layer/command_line_attention.hpp"
#include "app/command_line/layer/command_line_code.hpp"
#include "app/command_line/layer/command_line_layers.hpp"
#include "base/decimal.hpp"
#include "document/first_error.hpp"
#include "files/quote.hpp"

namespace app {
namespace {

using base::fail;
using base::Result;
using files::in_quotes;

constexpr int success = 0;
constexpr int failure = 2;

constexpr const char* about =
    "attention-live: multi-head attention computed live, with every tensor shown.\n"
    "Without a command it opens its window.";

constexpr const char* more_about_trace =
    "IN.safetensors or --example ID is needed, and -o or --json.\n"
    "\n"
    "IN.safetensors (F32, F16, BF16 or F64; masks also BOOL), names as in PyTorch:\n"
    "  query             [B,Lq,E] or [Lq,E]\n"
    "  key, value        [B,Lk,kdim], [B,Lk,vdim]; without a value it is the key,\n"
    "                    without a key it is the query\n"
    "  in_proj_weight    [3E,E], in_proj_bias [3E]; or, where the widths differ,\n"
    "                    q_proj_weight [E,E], k_proj_weight [E,kdim], v_proj_weight [E,vdim];\n"
    "                    none of them: no projection. With --kv-heads G, k and v are not E but\n"
    "                    K = G*E/N wide: in_proj_weight [E+2K,E], in_proj_bias [E+2K],\n"
    "                    k_proj_weight [K,kdim], v_proj_weight [K,vdim]\n"
    "  out_proj.weight   [E,E], out_proj.bias [E]. Heads may be wider or narrower than D = E/N:\n"
    "                    q_proj_weight [N*D,E], k_proj_weight [G*D,kdim], v_proj_weight "
    "[G*D,vdim],\n"
    "                    out_proj.weight [E,N*D]\n"
    "  attn_mask         [Lq,Lk], [B*H,Lq,Lk], [B,Lq,Lk] or [B,H,Lq,Lk]: BOOL, True hides a\n"
    "                    key from a query; or float, added to the scores\n"
    "  key_padding_mask  [B,Lk], or [Lk] with a query [Lq,E]: likewise\n"
    "  q_norm_weight, k_norm_weight  [D]: read for --qk-norm; 1 where they are not given\n"
    "  sinks             [H]: read for --sink, in the place of its number\n"
    "  target            [B,Lq,E] or [Lq,E]: what the output should be; read for --gradients\n"
    "Tensors of other names are an error (they may be typing mistakes), unless\n"
    "--ignore-unknown is given.\n"
    "\n"
    "With --layer NAME the file is that of a model, and NAME one of its attentions, as\n"
    "  attention-live layers IN.safetensors\n"
    "lists them. Only its weights are read. The tokens that it reads are the file's tensor query\n"
    "or that of --input; else random ones, which standard error and the metadata of\n"
    "OUT.safetensors say.\n"
    "\n"
    "OUT.safetensors: query_input, key_input, value_input, the weights, q, k, v, q_split, q_heads\n"
    "and their like (with --kv-heads also k_groups, which is [B,G,Lk,D], and k_shared, v_groups,\n"
    "v_shared), scores, scaled_scores, mask, masked_scores, attention_weights, head_outputs,\n"
    "merged_split, merged and output; where they are chosen also q_normed, k_normed, q_rotated,\n"
    "k_rotated, capped_scores, alibi_bias, biased_scores and sinks; contiguous F32, always with "
    "the\n"
    "batch axis. Where an example has several attentions, names begin with theirs:\n"
    "encoder_self_attention.q.\n"
    "With --gradients also target, difference, loss, and d_NAME for each of all these: d_q_heads.\n"
    "Where the file has no key or value, d_query_input, d_key_input and d_value_input are what\n"
    "comes in through each of them: the gradient of the one tensor is their sum.\n"
    "\n"
    "--json prints an object with config, fully_masked, given_weights and tensors; each tensor "
    "has\n"
    "shape, strides and offset (in numbers, as it lies in memory), view_of, and data: a flat list "
    "in\n"
    "index order. Numbers that are not finite are strings (\"-Infinity\"). Where an example has\n"
    "several attentions, there is one such object for each, under its name.\n"
    "\n"
    "Exit code 0, or 2 after one sentence about what is wrong.";

Result<lesson::ExampleId> example_from(const std::string& text) {
  if (const auto id = lesson::example_named(text)) return *id;
  return fail("There is no example " + in_quotes(text) +
              "; allowed: " + lesson::names_of(lesson::examples()) + ".");
}

struct TraceOptions {
  AttentionOptions attention;
  LayerOptions layer;
  Typed input, output, query, example, variant, sentence, seed, embed_dim, kdim;
  bool json = false;
  bool cache = false;
};

void declare(CLI::App& trace, TraceOptions& options) {
  add(trace, options.input, "IN", "", "The file to read: IN.safetensors");
  add(trace, options.output, "-o,--output", "OUT.safetensors", "The file to write");
  add_switch(trace, options.json, "--json", "Print JSON instead of writing a file");
  declare(trace, options.attention);
  add(trace, options.query, "--query", "I",
      "Write weighted_values and mean_weights too, of this query (from 0)");
  add_switch(trace, options.cache, "--cache",
             "Print what a decoder keeps of keys and values (its cache), token\n"
             "by token, in bytes, and the multiplications with and without it;\n"
             "for --causal or --window");
  add(trace, options.example, "--example", "ID",
      "Trace a built-in example instead of a file\n(see: attention-live examples)");
  add(trace, options.variant, "--variant", "NAME", "Which variant of the example");
  add(trace, options.sentence, "--sentence", "TEXT", "Its sentence, where it can be chosen");
  add(trace, options.seed, "--seed", "N", "The seed of random numbers, where there are any");
  add(trace, options.embed_dim, "--embed-dim", "E", "Its embed_dim, where it can be chosen");
  add(trace, options.kdim, "--kdim", "N",
      "your-sentence: keys and values from another sentence, N numbers per token");
  declare(trace, options.layer);
  trace.footer(more_about_trace);
}

/// Options that only make sense with the other source of numbers.
Result<void> check_source(const TraceOptions& options) {
  // Not --sentence and --text: a text may begin with dashes.
  for (const Typed* typed : {&options.output, &options.example, &options.variant,
                             &options.layer.name, &options.layer.array, &options.layer.ids}) {
    if (typed->swallowed_option()) return fail(typed->option->get_name() + " needs a value.");
  }
  if (options.input.given() && options.example.given()) {
    return fail("trace takes a file or --example, not both.");
  }
  if (!options.input.given() && !options.example.given()) {
    return fail("trace needs a file or --example ID (see attention-live trace --help).");
  }
  if (options.json && options.output.given()) return fail("trace takes -o or --json, not both.");
  if (!options.json && !options.output.given()) {
    return fail("trace needs -o OUT.safetensors or --json.");
  }
  if (options.json && options.cache) return fail("--cache is for -o, not for --json.");
  if (options.layer.name.given() && options.example.given())
    return fail("--layer is for files, not for an example.");
  if (auto checked = check("trace", options.layer, options.seed, options.attention); !checked)
    return checked;
  if (options.example.given()) {
    if (options.attention.ignore_unknown)
      return fail("--ignore-unknown is for files, not for an example.");
    if (options.attention.gradients) {
      return fail(
          "--gradients is for files, which have a target; an example has none to compare with.");
    }
    return {};
  }
  for (const Typed* typed :
       {&options.variant, &options.sentence, &options.seed, &options.embed_dim, &options.kdim}) {
    if (typed == &options.seed && options.layer.name.given()) continue;
    if (typed->given()) {
      return fail(typed->option->get_name() + " is for --example, not for a file.");
    }
  }
  return {};
}

Result<TraceRequest> request_from(const TraceOptions& options) {
  constexpr std::size_t largest = 1'000'000'000;
  TraceRequest request;
  request.input = options.input.text;
  request.output = options.output.text;
  request.json = options.json;
  request.cache = options.cache;
  request.variant = options.variant.text;
  if (options.sentence.given()) request.sentence = options.sentence.text;
  document::FirstError wrong;
  if (options.example.given()) wrong.store(example_from(options.example.text), request.example);
  store(options.attention, request, wrong);
  if (options.seed.given()) {
    wrong.store(whole_number<std::uint32_t>("--seed", options.seed.text, 0, 0xFFFFFFFF),
                request.seed);
  }
  if (options.layer.name.given())
    request.layer = layer_request_from(options.layer, request.seed, wrong);
  struct Size {
    const Typed& typed;
    std::size_t smallest;
    std::optional<std::size_t>& to;
  };
  for (const Size& size :
       {Size{options.embed_dim, 1, request.embed_dim}, Size{options.kdim, 1, request.kdim},
        Size{options.query, 0, request.query}}) {
    if (!size.typed.given()) continue;
    wrong.store(
        whole_number(size.typed.option->get_name(), size.typed.text, size.smallest, largest),
        size.to);
  }
  if (wrong) return fail(*wrong);
  // Last: a value that swallowed an option ("--heads --json") has been named by now.
  if (const auto checked = check_source(options); !checked) return fail(checked.error());
  return request;
}

Result<void> list_examples() {
  std::string text;
  for (const lesson::Example& example : lesson::examples()) {
    text += std::string(example.name) + "\n  " + std::string(example.description()) + '\n';
    if (example.variants.size() < 2) continue;
    for (const lesson::Variant& variant : example.variants) {
      text +=
          "  --variant " + std::string(variant.name) + ": " + std::string(variant.label()) + '\n';
    }
  }
  return print(text);
}

struct WindowOptions {
  Typed file, layer, size, example, link;
  bool script = false;
};

void declare(CLI::App& window, WindowOptions& options) {
  add(window, options.file, "IN", "",
      "A file of a model, of which an attention is shown: IN.safetensors");
  add(window, options.layer, "--layer", "NAME",
      "Which (see: attention-live layers IN.safetensors);\nthe first unless given");
  add(window, options.example, "--example", "ID", "The example to begin with");
  add(window, options.link, "--link", "LINK", "A link to begin with, '#v=1&…', as copied");
  add(window, options.size, "--size", "WIDTHxHEIGHT", "In logical pixels (1280x800 unless given)");
  add_switch(window, options.script, "--script",
             "For tests: keep the window hidden and answer requests,\n"
             "one JSON object a line on standard input,\n"
             "{\"method\": \"probe\", \"arguments\": {\"x\": 10, \"y\": 20}}");
}

Result<WindowRequest> request_from(const WindowOptions& options) {
  WindowRequest request;
  request.script = options.script;
  if (options.layer.given() && !options.file.given()) return fail("--layer needs a file.");
  if (options.example.given() && options.file.given())
    return fail("window takes a file or --example, not both.");
  request.file = options.file.text;
  request.layer = options.layer.text;
  if (options.example.given()) {
    const auto id = example_from(options.example.text);
    if (!id) return fail(id.error());
    request.example = *id;
  }
  if (options.link.given()) {
    // A whole address is as good as the part behind its “#”.
    const std::string& text = options.link.text;
    const std::size_t hash = text.find('#');
    request.link = hash == std::string::npos ? text : text.substr(hash);
  }
  if (options.size.given()) {
    const std::string& text = options.size.text;
    const std::size_t cross = text.find('x');
    const auto width = whole_number<int>("--size", text.substr(0, cross), 100, 10000);
    const auto height = whole_number<int>(
        "--size", cross == std::string::npos ? "" : text.substr(cross + 1), 100, 10000);
    if (!width || !height) {
      return fail("--size is " + in_quotes(text) +
                  "; it must be WIDTHxHEIGHT, both from 100 to 10000.");
    }
    request.width = *width;
    request.height = *height;
  }
  return request;
}

int exit_code(const Result<void>& result) {
  if (result) return success;
  print_error(result.error().message);
  return failure;
}

/// CLI11 says what is wrong and for which option; the option is all that is taken from it.
std::string sentence_for(const CLI::ArgumentMismatch& error) {
  const std::string message = error.what();
  const std::string option = message.substr(0, message.find_first_of(": "));
  if (message.find("missing") != std::string::npos) return option + " needs a value.";
  if (message.find("flag override") != std::string::npos) return "--" + option + " takes no value.";
  return option + " can be given only once.";
}

}  // namespace

int run_command_line(int argc, const char* const* argv, int (*open_window)(const WindowRequest&)) {
  install_translator();
  CLI::App program(about, "attention-live");
  program.require_subcommand(0, 1);
  program.get_formatter()->column_width(32);
  program.set_version_flag("--version", "attention-live " ATTENTION_LIVE_VERSION,
                           "Print the version and exit");
  program.set_help_flag("-h,--help", "Print this help and exit");

  TraceOptions trace_options;
  CodeOptions code_options;
  LayersOptions layers_options;
  TrainOptions train_options;
  TranslateOptions translate_options;
  CheckOptions check_options;
  WindowOptions window_options;
  CLI::App* trace = program.add_subcommand(
      "trace", "Compute the attention of a file or an example and write every tensor.");
  CLI::App* layers = program.add_subcommand("layers", "List the attentions of a model in a file.");
  CLI::App* code = program.add_subcommand(
      "code", "Print a program in Python that computes every tensor of a file.");
  CLI::App* train = program.add_subcommand(
      "train", "Learn the weights of a small Transformer, or of a translator.");
  CLI::App* translate =
      program.add_subcommand("translate", "Translate an English sentence to Spanish.");
  CLI::App* check = program.add_subcommand("check", "Say what is wrong with a lesson's file.");
  CLI::App* examples = program.add_subcommand("examples", "List the built-in examples.");
  CLI::App* window = program.add_subcommand("window", "Open the window.");
  declare(*trace, trace_options);
  declare(*layers, layers_options);
  declare(*code, code_options);
  declare(*train, train_options);
  declare(*translate, translate_options);
  declare(*check, check_options);
  declare(*window, window_options);

  try {
    std::vector<std::string> arguments = with_values({argv + std::min(argc, 1), argv + argc});
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
    program.parse(std::move(arguments));
  } catch (const CLI::CallForHelp&) {
    return exit_code(print(program.help()));
  } catch (const CLI::CallForVersion& version) {
    return exit_code(print(std::string(version.what()) + '\n'));
  } catch (const CLI::ExtrasError&) {
    const std::vector<std::string> extras = program.remaining(true);
    print_error(in_quotes(extras.empty() ? "" : extras.front()) +
                " is not understood here (see attention-live --help).");
    return failure;
  } catch (const CLI::ArgumentMismatch& error) {
    print_error(sentence_for(error));
    return failure;
  } catch (const CLI::ParseError& error) {
    print_error("The arguments are not understood: " + in_quotes(error.what()) + ".");
    return failure;
  }

  if (trace->parsed()) {
    const Result<TraceRequest> request = request_from(trace_options);
    return exit_code(request ? run_trace(*request) : fail(request.error()));
  }
  if (layers->parsed()) return exit_code(run(layers_options));
  if (code->parsed()) return exit_code(run(code_options));
  if (translate->parsed()) return exit_code(run(translate_options));
  if (train->parsed()) return exit_code(run(train_options));
  if (check->parsed()) return run(check_options);
  if (examples->parsed()) return exit_code(list_examples());
  const Result<WindowRequest> request = request_from(window_options);
  if (!request) return exit_code(fail(request.error()));
  return open_window(*request);
}

}  // namespace app
