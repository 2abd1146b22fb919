// Examples whose numbers are learned: the tasks of training, each the attentions of a small
// Transformer that reads one held-out sequence.
#include <array>
#include <cassert>

#include "base/text.hpp"
#include "lesson/examples/examples.hpp"
#include "training/run.hpp"

namespace lesson {
namespace {

using training::TaskId;

constexpr std::string_view length_reason = "lesson.learned.length";
constexpr LengthRange eight{.length = 8, .reason_key = length_reason};
constexpr LengthRange sixteen{.length = 16, .reason_key = length_reason};

constexpr std::array of_reverse = {Variant{"one-layer", true, eight}};
constexpr std::array of_agree = of_reverse;
constexpr std::array of_look_back = {Variant{"two-layers", true, sixteen},
                                     Variant{"one-layer", true, sixteen}};

constexpr std::array both_look_ahead = {MaskKind::look_ahead, MaskKind::look_ahead};

SizeRange sizes_with(std::size_t num_heads) {
  return {.embed_dim = training::Settings{}.embed_dim,
          .num_heads = num_heads,
          .largest_num_heads = 2,
          .embed_dim_reason_key = "lesson.learned.embed_dim"};
}

base::Result<Problem> untrained(ExampleId id, const Parameters& parameters) {
  const training::Task& task = training::task(*example(id).task);
  const training::Settings settings = settings_of(id, parameters);
  const auto run = training::Run::start(task, settings);
  if (!run) return base::fail(run.error());
  return learned_problem(task, settings, run->learner(), training::held_out(task, 1), 0);
}

template <ExampleId id>
base::Result<Problem> make(const Parameters& parameters) {
  return untrained(id, parameters);
}

/// What all of them have in common.
Example learned(ExampleId id, TaskId task_id) {
  const training::Task& task = training::task(task_id);
  Example made;
  made.id = id;
  made.name = task.name;
  made.attentions = attentions_of(Arrangement::encoder);
  made.has_seed = true;
  made.has_sizes = true;
  made.task = task_id;
  made.sizes = sizes_with(task.settings.num_heads);
  return made;
}

}  // namespace

training::Settings settings_of(ExampleId id, const Parameters& parameters) {
  training::Settings settings = training::task(*example(id).task).settings;
  settings.seed = parameters.seed;
  if (parameters.num_heads != 0) settings.num_heads = parameters.num_heads;
  const auto variants = example(id).variants;
  if (parameters.variant < variants.size())
    settings.num_layers = variants[parameters.variant].name == "two-layers" ? 2 : 1;
  return settings;
}

Problem learned_problem(const training::Task& task, const training::Settings& settings,
                        const training::Learner& learner, const training::Batch& held_out,
                        std::size_t sequence) {
  const model::Weights weights = learner.weights();
  const tensor::Tensor tokens = held_out.tokens.select(0, sequence);
  const tensor::Tensor targets = held_out.targets.select(0, sequence);
  const tensor::Tensor table = weights.at("embedding.weight").contiguous();
  const std::size_t width = table.dim(1);

  Problem problem;
  problem.arrangement = settings.num_layers == 2 ? Arrangement::two_layers : Arrangement::encoder;
  problem.source.tokens.emplace_back();
  problem.source.lengths = {task.length};
  problem.source.embedding = tensor::Tensor::uninitialized({1, task.length, width});
  float* cell = problem.source.embedding.mutable_data();
  for (const float number : tokens.values()) {
    const auto token = static_cast<std::size_t>(number);
    problem.source.tokens[0].emplace_back(task.vocabulary[token]);
    for (std::size_t i = 0; i < width; ++i) *cell++ = table.data()[token * width + i];
  }
  // How the network is trained otherwise, without positions or √D, is the configuration's choice.
  problem.position_encoding = task.settings.positions;
  problem.options.num_heads = settings.num_heads;
  problem.encoder = model::encoder_layers(training::transformer_of(task, settings), weights);
  problem.masks.assign(settings.num_layers,
                       task.settings.causal ? MaskKind::look_ahead : MaskKind::none);
  problem.answering = Answering{
      weights.at("vocabulary.weight"), weights.at("vocabulary.bias"), task.vocabulary, {}};
  problem.random = learner.steps() == 0;
  problem.note = problem.random ? random_note(settings.seed)
                                : base::counted_text("lesson.note.learned", learner.steps(),
                                                     {{"seed", settings.seed}});
  for (const float target : targets.values())
    problem.answering->right.push_back(static_cast<int>(target));
  return problem;
}

Example reverse() {
  Example made = learned(ExampleId::reverse, TaskId::reverse);
  made.variants = of_reverse;
  made.make = make<ExampleId::reverse>;
  return made;
}

Example agree() {
  Example made = learned(ExampleId::agree, TaskId::agree);
  made.variants = of_agree;
  made.make = make<ExampleId::agree>;
  made.query = 4;  // a "?" of the held-out sequence: other words are asked nothing
  return made;
}

Example look_back() {
  Example made = learned(ExampleId::look_back, TaskId::look_back);
  made.variants = of_look_back;
  made.make = make<ExampleId::look_back>;
  made.attentions = attentions_of(Arrangement::two_layers);
  made.masks = both_look_ahead;
  made.query = 14;  // the last of the held-out sequence that has an answer: it sees most others
  return made;
}

}  // namespace lesson
