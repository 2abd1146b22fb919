#include "translation/translator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.hpp"
#include "training/initial_weights.hpp"
#include "training/weights_file.hpp"
#include "translation/corpus.hpp"
#include "translation/decoder.hpp"
#include "translation/translate.hpp"

namespace translation {
namespace {

using base::fail;
using base::Result;
using tensor::Tensor;

constexpr std::size_t shown_candidates = 5;

/// No token that is no text can come, but the end.
bool can_come(std::size_t token) { return token == Vocabulary::end || token > Vocabulary::unknown; }

/// What could come next in one row of logits [rows,1,V].
class Next {
 public:
  Next(const Tensor& logits, std::size_t row)
      : logits_(logits.cell({row, 0, 0})), count_(logits.dim(2)) {
    const auto largest = static_cast<double>(*std::max_element(logits_, logits_ + count_));
    double sum = 0.0;
    for (std::size_t i = 0; i < count_; ++i)
      sum += std::exp(static_cast<double>(logits_[i]) - largest);
    logarithm_of_sum_ = largest + std::log(sum);
  }

  /// The natural logarithm of the token's probability.
  double log_probability(std::size_t token) const {
    return static_cast<double>(logits_[token]) - logarithm_of_sum_;
  }

  /// The most probable tokens, best first; of equals the one with the smaller number.
  std::vector<Candidate> best(std::size_t most) const {
    std::vector<std::size_t> tokens;
    for (std::size_t token = 0; token < count_; ++token) {
      if (tokens.size() == most && !(logits_[token] > logits_[tokens.back()])) continue;
      if (!can_come(token)) continue;
      if (tokens.size() == most) tokens.pop_back();
      const auto place =
          std::upper_bound(tokens.begin(), tokens.end(), token,
                           [&](std::size_t a, std::size_t b) { return logits_[a] > logits_[b]; });
      tokens.insert(place, token);
    }
    std::vector<Candidate> made;
    for (const std::size_t token : tokens)
      made.push_back({token, std::exp(log_probability(token))});
    return made;
  }

 private:
  const float* logits_;
  std::size_t count_;
  double logarithm_of_sum_ = 0.0;
};

/// One of the translations that are followed.
struct Hypothesis {
  std::size_t row = 0;  ///< in the decoder's last step
  std::vector<std::size_t> tokens;
  std::vector<std::vector<Candidate>> candidates;
  std::vector<double> probabilities;
  double log_probability = 0.0;

  bool has_ended() const { return !tokens.empty() && tokens.back() == Vocabulary::end; }
  double score() const {
    return log_probability / static_cast<double>(std::max<std::size_t>(tokens.size(), 1));
  }
};

const std::string* find(const files::Metadata& metadata, std::string_view key) {
  for (const auto& [name, value] : metadata) {
    if (name == key) return &value;
  }
  return nullptr;
}

}  // namespace

Result<Translator> Translator::read(std::span<const std::byte> bytes) {
  const auto file = files::read_safetensors(bytes);
  if (!file) return fail(file.error());
  Translator made;
  made.metadata_ = file->metadata;
  const auto transformer = training::transformer_from(file->metadata);
  if (!transformer) return fail(transformer.error());
  made.transformer_ = *transformer;
  const std::string* pieces = find(file->metadata, "pieces");
  if (pieces == nullptr) return fail(base::text("translation.weights.no_vocabulary"));
  std::vector<std::string> list;
  for (std::size_t first = 0; first <= pieces->size();) {
    const std::size_t end = std::min(pieces->find('\n', first), pieces->size());
    list.push_back(pieces->substr(first, end - first));
    first = end + 1;
  }
  made.vocabulary_ = Vocabulary(list);
  if (made.vocabulary_.size() != transformer->vocabulary) {
    return fail(
        base::text("translation.weights.vocabulary",
                   {{"tokens", made.vocabulary_.size()}, {"wanted", transformer->vocabulary}}));
  }
  if (transformer->decoder_layers == 0) return fail(base::text("translation.weights.no_decoder"));
  auto weights = training::weights_from(*file);
  if (!weights) return fail(weights.error());
  made.weights_ = *std::move(weights);
  // One token through everything finds a weight that is missing or has another shape.
  const Tensor token = Tensor::full({1, 1}, static_cast<float>(Vocabulary::end));
  const auto model = model::transformer_model(made.transformer_, made.weights_, {token, token, {}});
  if (!model) return fail(model.error());
  return made;
}

Translator Translator::untrained(std::uint32_t seed) const {
  Translator made = *this;
  made.weights_ = training::initial_weights(transformer_, seed);
  return made;
}

Result<Translation> Translator::translate(std::string_view text, std::size_t beam,
                                          std::span<const std::size_t> begin) const {
  Translation made;
  made.source = vocabulary_.tokens_of(text);
  if (made.source.empty()) return fail(base::text("translation.sentence.empty"));
  if (made.source.size() > most_tokens) {
    return fail(base::text("translation.sentence.too_long",
                           {{"tokens", made.source.size()}, {"most", most_tokens}}));
  }
  made.source.push_back(Vocabulary::end);
  auto decoder = Decoder::start(transformer_, weights_, padded({made.source}));
  if (!decoder) return fail(decoder.error());
  std::vector<Hypothesis> open(1);
  std::vector<Hypothesis> ended;
  const std::size_t most = longest_translation(made.source.size());
  while (!open.empty() && open.front().tokens.size() < most && ended.size() < beam) {
    std::vector<std::size_t> from;
    std::vector<std::size_t> tokens;
    for (const Hypothesis& hypothesis : open) {
      from.push_back(hypothesis.row);
      tokens.push_back(hypothesis.tokens.empty() ? Vocabulary::begin : hypothesis.tokens.back());
    }
    const auto logits = decoder->step(from, tokens);
    if (!logits) return fail(logits.error());
    const std::size_t place = open.front().tokens.size();
    std::vector<Hypothesis> next;
    for (std::size_t row = 0; row < open.size(); ++row) {
      const Next coming(*logits, row);
      const auto best = coming.best(std::max(shown_candidates, beam));
      std::vector<std::size_t> choices;
      if (place < begin.size()) {
        choices = {begin[place]};
      } else {
        for (std::size_t i = 0; i < std::min(beam, best.size()); ++i)
          choices.push_back(best[i].token);
      }
      for (const std::size_t choice : choices) {
        Hypothesis longer = open[row];
        longer.row = row;
        longer.tokens.push_back(choice);
        longer.candidates.push_back(
            {best.begin(),
             best.begin() + static_cast<std::ptrdiff_t>(std::min(best.size(), shown_candidates))});
        const double log_probability = coming.log_probability(choice);
        longer.probabilities.push_back(std::exp(log_probability));
        longer.log_probability += log_probability;
        next.push_back(std::move(longer));
      }
    }
    std::stable_sort(next.begin(), next.end(), [](const Hypothesis& a, const Hypothesis& b) {
      return a.log_probability > b.log_probability;
    });
    open.clear();
    for (std::size_t place = 0; place < next.size() && open.size() < beam; ++place) {
      if (!next[place].has_ended()) {
        open.push_back(std::move(next[place]));
      } else if (place < beam) {  // one that ends counts if it is among the best
        ended.push_back(std::move(next[place]));
      }
    }
  }
  if (ended.empty()) ended = std::move(open);
  Hypothesis& best = *std::max_element(
      ended.begin(), ended.end(),
      [](const Hypothesis& a, const Hypothesis& b) { return a.score() < b.score(); });
  made.target = std::move(best.tokens);
  made.candidates = std::move(best.candidates);
  made.probabilities = std::move(best.probabilities);
  made.log_probability = best.log_probability;
  made.text = vocabulary_.text_of(made.target);
  return made;
}

Said Translator::after(const Tensor& output, std::optional<std::size_t> token) const {
  model::Part part = model::output_part(transformer_, weights_, {}, {1, 1});
  part.trace.tensors["final"] = output;
  const Tensor logits = model::compute({std::move(part)})[0]["logits"];
  const Next coming(logits, 0);
  Said made{{}, coming.best(shown_candidates)};
  made.token.token = token.value_or(made.best.front().token);
  made.token.probability = std::exp(coming.log_probability(made.token.token));
  return made;
}

Result<std::vector<model::Trace>> Translator::trace(const Translation& translation) const {
  std::vector<std::size_t> read{Vocabulary::begin};
  const auto& target = translation.target;
  const bool ended = !target.empty() && target.back() == Vocabulary::end;
  read.insert(read.end(), target.begin(), target.end() - (ended ? 1 : 0));
  const auto model = model::transformer_model(transformer_, weights_,
                                              {padded({translation.source}), padded({read}), {}});
  if (!model) return fail(model.error());
  return model::compute(*model);
}

}  // namespace translation
