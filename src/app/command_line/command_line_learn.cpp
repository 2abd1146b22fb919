#include "app/command_line/command_line_learn.hpp"

#include <charconv>

#include "app/command_line/command_line_train.hpp"
#include "app/command_line/command_line_translate.hpp"
#include "document/first_error.hpp"

namespace app {
namespace {

using base::fail;
using base::Result;
using files::in_quotes;

Result<TrainRequest> request_from(const TrainOptions& options) {
  for (const Typed* typed :
       {&options.task, &options.data, &options.output, &options.checkpoint, &options.record}) {
    if (typed->swallowed_option()) return fail(typed->option->get_name() + " needs a value.");
  }
  TrainRequest request;
  request.task = options.task.text;
  request.data = options.data.text;
  request.output = options.output.text;
  request.checkpoint = options.checkpoint.text;
  request.record = options.record.text;
  if (!options.task.given())
    return fail("train needs --task NAME: reverse, agree, look-back or translate.");
  if (!options.output.given() && !options.record.given())
    return fail("train needs -o OUT.safetensors.");
  document::FirstError wrong;
  if (options.steps.given()) {
    const std::size_t most = request.task == "translate" ? 1'000'000 : training::largest_steps;
    wrong.store(whole_number<std::size_t>("--steps", options.steps.text, 1, most), request.steps);
  }
  if (options.batch.given()) {
    wrong.store(
        whole_number<std::size_t>("--batch", options.batch.text, 1, training::largest_batch_size),
        request.batch_size);
  }
  if (options.seed.given()) {
    wrong.store(whole_number<std::uint32_t>("--seed", options.seed.text, 0, 0xFFFFFFFF),
                request.seed);
  }
  if (options.rate.given()) {
    const std::string& text = options.rate.text;
    float rate = 0.0F;
    const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), rate);
    const bool read = error == std::errc() && stopped == text.data() + text.size();
    if (!read || !(rate > 0.0F) || rate > training::largest_learning_rate) {
      return fail("--learning-rate is " + in_quotes(text) +
                  "; it must be a number above 0 and at most 10.");
    }
    request.learning_rate = rate;
  }
  if (options.method.given()) {
    const auto& names = {"sgd", "momentum", "adam"};
    std::size_t place = 0;
    for (const char* name : names) {
      if (options.method.text == name) request.method = static_cast<training::Method>(place);
      ++place;
    }
    if (!request.method) {
      return fail("--method is " + in_quotes(options.method.text) +
                  "; it must be sgd, momentum or adam.");
    }
  }
  if (wrong) return fail(*wrong);
  return request;
}

Result<TranslateRequest> request_from(const TranslateOptions& options) {
  for (const Typed* typed : {&options.weights, &options.trace, &options.measure_heads}) {
    if (typed->swallowed_option()) return fail(typed->option->get_name() + " needs a value.");
  }
  TranslateRequest request;
  if (options.measure_heads.given()) {
    if (options.text.given() || options.json || options.trace.given() || options.beam.given())
      return fail("--measure-heads takes no sentence, and of the other options only --weights.");
    request.measure_heads = options.measure_heads.text;
    request.weights = options.weights.text;
    return request;
  }
  if (!options.text.given()) return fail("translate needs a sentence: translate \"Thank you.\"");
  request.text = options.text.text;
  request.weights = options.weights.text;
  request.trace = options.trace.text;
  request.json = options.json;
  if (request.text == standard_input && options.trace.given())
    return fail("--trace is for one sentence, not for standard input.");
  if (options.beam.given()) {
    const auto beam = whole_number<std::size_t>("--beam", options.beam.text, 1, 16);
    if (!beam) return fail(beam.error());
    request.beam = *beam;
  }
  return request;
}

}  // namespace

void declare(CLI::App& train, TrainOptions& options) {
  add(train, options.task, "--task", "NAME",
      "What is learned: reverse, agree, look-back, translate");
  add(train, options.output, "-o,--output", "OUT.safetensors", "The file to write the weights to");
  add(train, options.steps, "--steps", "N",
      "How many steps; as many as the task needs unless given");
  add(train, options.batch, "--batch", "N", "How many sequences are learned from in one step");
  add(train, options.rate, "--learning-rate", "RATE", "Above 0; the task's own unless given");
  add(train, options.method, "--method", "NAME", "sgd, momentum or adam (unless given)");
  add(train, options.seed, "--seed", "N", "Of the first weights and of the data");
  add(train, options.data, "--data", "PAIRS.tsv",
      "For translate: sentences and their translations, one pair a line,\na tab between them");
  add(train, options.checkpoint, "--checkpoint", "FILE",
      "Written as training goes on; a later run with the same options\ngoes on from it");
  add(train, options.record, "--record", "FILE",
      "For translate, instead of -o: the first weights, batches, losses and\ngradients, which "
      "tools/translator/check.py computes again in PyTorch");
  train.footer(
      "Progress is printed on standard error, what was reached on standard output: held-out "
      "accuracy,\nor BLEU of a translator. Exit code 0, or 2 after one sentence about what is "
      "wrong.");
}

void declare(CLI::App& translate, TranslateOptions& options) {
  add(translate, options.text, "TEXT", "",
      "What is translated: an English sentence, or - for standard input, one\nsentence a line");
  add(translate, options.trace, "--trace", "OUT.safetensors",
      "Write every tensor of every layer; names begin with the layer's:\n"
      "decoder.2.cross_attention.attention_weights");
  add_switch(translate, options.json, "--json",
             "Print tokens, probabilities, other candidates and alignments;\n"
             "of standard input one object a line");
  add(translate, options.beam, "--beam", "N",
      "How many translations are followed at the same time; 1 unless given");
  add(translate, options.measure_heads, "--measure-heads", "PAIRS.tsv",
      "Instead of translating a sentence: print what each head does over the\n"
      "first 500 held-out sentences of this file, as JSON");
  add(translate, options.weights, "--weights", "FILE",
      "Weights that `train --task translate` wrote, instead of the program's own");
}

Result<void> run(const TrainOptions& options) {
  const Result<TrainRequest> request = request_from(options);
  return request ? run_train(*request) : fail(request.error());
}

Result<void> run(const TranslateOptions& options) {
  const Result<TranslateRequest> request = request_from(options);
  return request ? run_translate(*request) : fail(request.error());
}

}  // namespace app
