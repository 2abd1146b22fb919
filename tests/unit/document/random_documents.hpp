// Documents as a person might make them: an example and some dozen commands at random.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "document/session.hpp"
#include "document/state/state.hpp"
#include "lesson/input/patches.hpp"

namespace document {

class RandomDocuments {
 public:
  explicit RandomDocuments(std::uint64_t seed) : state_(seed) {}

  /// Makes of `session` the next document. Wide examples take long, so they come seldom.
  void next(Session& session) {
    const auto examples = lesson::examples();
    const lesson::Example* example = &examples[below(examples.size())];
    while (example->sizes.embed_dim > 64 && below(100) != 0)
      example = &examples[below(examples.size())];
    perform(session, ChooseExample{example->id, below(example->variants.size())});
    perform(session, ShowAllHeads{true});
    perform(session, ChooseStep{lesson::StepId::overview});
    const std::size_t commands = below(14);
    for (std::size_t i = 0; i < commands; ++i) one(session);
  }

  std::size_t below(std::size_t count) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>(state_ >> 33U) % count;
  }

 private:
  /// What the example does not offer stays as it is.
  static void perform(Session& session, const Command& command) {
    static_cast<void>(session.perform(command));
  }

  bool coin() { return below(2) == 0; }

  float number() {
    constexpr std::array numbers = {0.0F, -0.0F, 0.1F,   -0.25F,  1.0F / 3.0F, 1e-6F,
                                    1e4F, -1e4F, 1e-40F, 5000.0F, 0.30000001F};
    if (coin()) return numbers[below(numbers.size())];
    return (static_cast<float>(below(2'000'001)) - 1e6F) / static_cast<float>(1 + below(1000'000));
  }

  tensor::Index index_in(const tensor::Shape& shape) {
    tensor::Index index;
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) index.push_back(below(shape[axis]));
    return index;
  }

  std::string sentence() {
    constexpr std::array<const char*, 12> words = {"the", "fox",   "naïve", "漢字", "…",    "“so”",
                                                   "50%", "a&b=c", "+1",    "#5",   "true", "💙"};
    if (below(8) == 0) return words[below(words.size())];
    std::string text = words[below(words.size())];
    for (std::size_t more = below(7); more > 0; --more) {
      text += below(5) == 0 ? "." : " ";
      text += words[below(words.size())];
    }
    return text;
  }

  void edit(Session& session) {
    const ComputedAttention& attention =
        session.computed().attentions[below(session.computed().attentions.size())];
    std::vector<model::TensorId> tensors;
    for (const model::TensorId id : attention.trace.present()) {
      if (is_editable(attention, id)) tensors.push_back(id);
    }
    const model::TensorId tensor = tensors[below(tensors.size())];
    const tensor::Shape shape = attention.trace[tensor].shape();
    CellAddress cell{attention.id, tensor, index_in(shape)};
    const bool hidden = tensor == "mask" && coin();
    // Now and then a few neighbours, as a pasted block makes them.
    for (std::size_t more = 1 + below(3); more > 0; --more) {
      perform(session, EditCell{cell, hidden ? -std::numeric_limits<float>::infinity() : number()});
      if (shape.rank() == 0) return;  // a single number
      std::size_t& last = cell.index[cell.index.rank() - 1];
      if (++last >= shape[shape.rank() - 1]) return;
    }
  }

  void choose_cell(Session& session) {
    const model::Trace& trace = session.attention().trace;
    const auto present = trace.present();
    const model::TensorId tensor = present[below(present.size())];
    // A part of a gradient has no name of its own: a link names the sum.
    if (tensor.is_gradient() && !tensor.is_whole_gradient()) return;
    perform(session, ChooseCell{CellRef{tensor, index_in(trace[tensor].shape())}});
  }

  void one(Session& session) {
    const auto kind = [this] { return static_cast<lesson::MaskKind>(below(4)); };
    const ComputedAttention& attention = session.attention();
    const model::Config config = attention.trace.config;
    const auto there = lesson::example(session.document().configuration.example).attentions;
    switch (below(50)) {
      case 0:
        return perform(session,
                       ChooseStep{static_cast<lesson::StepId>(below(lesson::steps().size()))});
      case 1:
        return perform(session, ChooseAttention{there[below(there.size())]});
      case 2:
        return perform(session, ChooseHead{below(config.num_heads)});
      case 3:
        perform(session, ShowMeanOfHeads{coin()});
        return perform(session, ShowAllHeads{coin()});
      case 4:
        return perform(session, ChooseQuery{below(config.query_len)});
      case 5:
        return perform(session, ChooseKey{below(config.key_len)});
      case 6:
        return perform(session, ChooseSample{below(config.batch)});
      case 7:
        return perform(session, ShowAllSamples{coin()});
      case 8:
        return perform(session, SetProgress{static_cast<float>(below(1001)) / 1000.0F});
      case 9:
        return choose_cell(session);
      case 10:
        return perform(session, Frame{Framing{static_cast<float>(below(1000)) / 999.0F, 0.25F,
                                              1.0F + static_cast<float>(below(100)) / 7.0F}});
      case 11:
        return perform(session, ChooseShow{static_cast<Show>(below(3))});
      case 12:
        return perform(session, Compare{coin()});
      case 13:
        return perform(session, Guess{coin()});
      case 14:
        return perform(session, ChooseTheme{static_cast<Theme>(below(3))});
      case 15:
        return perform(session, SetScale{{static_cast<model::Scale::Kind>(below(4)), number()}});
      case 16:
        return perform(session, SetMask{there[below(there.size())], kind()});
      case 17:
        return perform(session, SetPositionEncoding{coin()});
      case 18:
        return perform(session, SetSeed{static_cast<std::uint32_t>(below(0xFFFFFFFF))});
      case 19:
        return perform(session, SetSentence{sentence()});
      case 20:
        return perform(session, ChooseProjection{static_cast<Projection>(below(3))});
      case 21:
        return perform(session, SetLengths{below(6), below(6)});
      case 22: {
        std::vector<std::uint8_t> rgb(lesson::picture_bytes);
        for (std::uint8_t& byte : rgb) byte = static_cast<std::uint8_t>(below(256));
        return perform(session, SetPicture{std::move(rgb)});
      }
      case 23:
        return perform(session,
                       SetMistake{static_cast<model::Mistake>(below(model::mistake_names.size()))});
      case 24:
        return perform(session, AblateHeadInLayers{attention.id, below(config.num_heads), coin()});
      case 25:
        return perform(session, AblateHead{attention.id, below(config.num_heads), coin()});
      case 26: {
        const tensor::Index weight{below(config.batch), below(config.num_heads),
                                   below(config.query_len), below(config.key_len)};
        return perform(session,
                       DragWeight{attention.id, weight, static_cast<float>(below(1001)) / 1000.0F});
      }
      case 27: {
        const std::size_t heads = 1 + below(4);
        const std::size_t kv_heads = coin() ? 0 : 1 + below(heads);
        return perform(session, SetSizes{coin() ? 0 : heads * 2 * (1 + below(3)), heads, kv_heads});
      }
      case 28:
        return perform(session,
                       SetAttentionVariants{{.rope_base = coin() ? 100.0F : 0.0F,
                                             .alibi = coin(),
                                             .window = below(4),
                                             .softcap = coin() ? 0.5F : 0.0F,
                                             .qk_norm = coin(),
                                             .sink = coin() ? std::optional(0.5F) : std::nullopt}});
      case 29:
        return perform(session, SetKdim{coin() ? 0 : 2 * below(8)});
      case 30:
        return look(session);
      case 31:
        return target(session);
      case 32:
        perform(session, Learning{coin()});
        perform(session, SetLearningRate{std::abs(number())});
        return perform(session, ChooseLearns{static_cast<Learns>(below(1U + learns_all))});
      case 33: {
        Training training;
        training.steps = below(3);
        training.sequence = below(4);
        if (coin()) training.method = static_cast<training::Method>(below(3));
        if (coin()) training.learning_rate = 0.01F;
        if (coin()) training.batch_size = 1 + below(4);
        return perform(session, SetTraining{training});
      }
      case 34:
        return perform(session, SetBeam{1 + below(3)});
      case 35:
        return perform(session, SetTranslationBegin{{static_cast<std::uint32_t>(below(100))}});
      case 36:
        return perform(session, ReleaseWeights{attention.id, below(config.batch),
                                               below(config.num_heads), below(config.query_len)});
      default:
        return edit(session);
    }
  }

  /// A switch of what is looked at.
  void look(Session& session) {
    switch (below(7)) {
      case 0:
        return perform(session, ShareScale{coin()});
      case 1:
        return perform(session, SortHeads{coin()});
      case 2:
        return perform(session, MeasureHeldOut{coin()});
      case 3:
        return perform(session, ScaleWeightsToOne{coin()});
      case 4:
        return perform(session, OpenMap{static_cast<MapOpen>(below(4))});
      case 5:
        return perform(session, ShowMore{coin()});
      default:
        return perform(session, ShowGradients{coin()});
    }
  }

  /// One number of what is computed, or several, is wanted.
  void target(Session& session) {
    const ComputedAttention& attention = session.attention();
    const auto present = attention.trace.present();
    const model::TensorId tensor = coin() ? "output" : present[below(present.size())];
    const tensor::Index index = index_in(attention.trace[tensor].shape());
    perform(session, SetTarget{{attention.id, tensor, index}, number()});
    if (below(5) == 0) perform(session, RemoveTarget{});
  }

  std::uint64_t state_;
};

}  // namespace document
