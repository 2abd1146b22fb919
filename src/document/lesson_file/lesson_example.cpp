#include "document/lesson_file/lesson_example.hpp"

#include <array>
#include <limits>
#include <utility>

#include "base/text.hpp"
#include "document/edits/given.hpp"
#include "document/state/json_value.hpp"
#include "document/state/state_reader.hpp"
#include "document/state/text.hpp"
#include "lesson/examples/examples.hpp"
#include "lesson/input/given_attention.hpp"
#include "lesson/input/random.hpp"
#include "lesson/input/sequence.hpp"

namespace document {

namespace {

constexpr std::size_t most_tokens = 64;
constexpr std::size_t widest_embedding = 512;
constexpr std::size_t longest_token = 60;
constexpr std::size_t most_lesson_heads = 16;
constexpr std::uint64_t largest_seed = std::numeric_limits<std::uint32_t>::max();

using lesson::GivenNumbers;

ReadAt<std::vector<std::string>> read_tokens(const JsonAt& at, std::size_t most) {
  const auto list = read_list(at, 1, most);
  if (!list) return tl::unexpected(list.error());
  std::vector<std::string> tokens;
  for (const JsonAt& each : *list) {
    auto token = read_text(each, longest_token);
    if (!token) return tl::unexpected(token.error());
    tokens.push_back(*std::move(token));
  }
  return tokens;
}

/// An object that is not the name of a file.
bool is_random(const JsonAt& embeddings) {
  return embeddings.json->is_object() && !embeddings.find("file");
}

class OwnExample {
 public:
  OwnExample(const JsonAt& at, const LessonFiles& files) : at_(at), files_(files) {}

  ReadAt<lesson::Problem> read() {
    if (auto checked = check_members(at_, own_example_fields); !checked)
      return tl::unexpected(checked.error());
    for (const auto part : {&OwnExample::heads, &OwnExample::sequences, &OwnExample::scale,
                            &OwnExample::labels, &OwnExample::weights}) {
      if (auto done = (this->*part)(); !done) return tl::unexpected(done.error());
    }
    return std::move(problem_);
  }

 private:
  ReadAt<void> heads() {
    const auto at = at_.find("heads");
    if (!at) return {};
    const auto heads = read_whole(*at, 1, most_lesson_heads);
    if (!heads) return tl::unexpected(heads.error());
    problem_.options.num_heads = *heads;
    return {};
  }

  /// Tokens with their embeddings, given or random.
  ReadAt<lesson::Sequence> sequence(const JsonAt& tokens_at, const JsonAt& embeddings_at) {
    auto tokens = read_tokens(tokens_at, most_tokens);
    if (!tokens) return tl::unexpected(tokens.error());
    if (is_random(embeddings_at)) {
      if (auto checked = check_members(embeddings_at, random_embeddings_fields); !checked)
        return tl::unexpected(checked.error());
      const auto seed_at = needed(embeddings_at, "seed");
      const auto width_at = needed(embeddings_at, "width");
      if (!seed_at) return tl::unexpected(seed_at.error());
      if (!width_at) return tl::unexpected(width_at.error());
      const auto seed = read_whole(*seed_at, 0, largest_seed);
      const auto width = read_whole(*width_at, 1, widest_embedding);
      if (!seed) return tl::unexpected(seed.error());
      if (!width) return tl::unexpected(width.error());
      problem_.note = lesson::random_note(static_cast<std::uint32_t>(*seed));
      problem_.random = true;
      return lesson::random_sequence({*std::move(tokens)}, *width,
                                     static_cast<std::uint32_t>(*seed));
    }
    const auto rows = read_rows(embeddings_at, "embeddings", most_tokens, widest_embedding, files_);
    if (!rows) return tl::unexpected(rows.error());
    if (rows->shape.rank() != 2 || rows->shape[0] != tokens->size()) {
      return wrong(embeddings_at,
                   base::text("document.lesson.embeddings",
                              {{"name", name_of(embeddings_at)}, {"tokens", tokens->size()}}));
    }
    const std::size_t count = tokens->size();
    return lesson::given_sequence(*std::move(tokens), rows->numbers, count);
  }

  ReadAt<void> sequences() {
    const auto tokens = needed(at_, "tokens");
    if (!tokens) return tl::unexpected(tokens.error());
    const auto embeddings = needed(at_, "embeddings");
    if (!embeddings) return tl::unexpected(embeddings.error());
    auto queries = sequence(*tokens, *embeddings);
    if (!queries) return tl::unexpected(queries.error());
    const auto key_tokens = at_.find("key_tokens");
    const auto key_embeddings = at_.find("key_embeddings");
    if (!key_tokens) {
      if (key_embeddings)
        return wrong(*key_embeddings, std::string(base::text("document.lesson.no_keys")));
      problem_.source = *std::move(queries);
      return {};
    }
    // Random ones of the same seed give a word the same row wherever it stands.
    if (!key_embeddings && !is_random(*embeddings))
      return tl::unexpected(needed(at_, "key_embeddings").error());
    auto keys = sequence(*key_tokens, key_embeddings ? *key_embeddings : *embeddings);
    if (!keys) return tl::unexpected(keys.error());
    const std::size_t width = queries->embedding.dim(2);
    if (keys->embedding.dim(2) != width) {
      return wrong(key_embeddings ? *key_embeddings : *key_tokens,
                   base::text("document.lesson.key_width",
                              {{"width", keys->embedding.dim(2)}, {"wanted", width}}));
    }
    problem_.arrangement = lesson::Arrangement::cross;
    problem_.source = *std::move(keys);
    problem_.target = *std::move(queries);
    return {};
  }

  ReadAt<void> scale() {
    const auto at = at_.find("scale");
    if (!at) return {};
    if (at->json->is_number()) {
      const auto number = read_number(*at, smallest_scale, largest_scale);
      if (!number) return tl::unexpected(number.error());
      problem_.options.scale = {model::Scale::Kind::number, static_cast<float>(*number)};
      return {};
    }
    const auto kind = choice("scale", *at->json, scale_names);
    if (!kind)
      return wrong(*at, base::text("document.state.scale", {{"names", list_of(scale_names)}}));
    problem_.options.scale.kind = static_cast<model::Scale::Kind>(*kind);
    return {};
  }

  ReadAt<void> labels() {
    const auto at = at_.find("labels");
    if (!at) return {};
    auto labels = read_tokens(*at, widest_embedding);
    if (!labels) return tl::unexpected(labels.error());
    const std::size_t width = problem_.source.embedding.dim(2);
    if (labels->size() != width) {
      return wrong(*at, base::text("document.lesson.labels",
                                   {{"count", labels->size()}, {"wanted", width}}));
    }
    problem_.features = *std::move(labels);
    return {};
  }

  ReadAt<std::vector<GivenNumbers>> given_weights(const JsonAt& at) {
    std::vector<GivenNumbers> all;
    for (const std::string_view name : own_weights_fields) {
      const auto weight = at.find(name);
      if (!weight || name == "seed") continue;
      auto rows =
          read_rows(*weight, std::string(name), 3 * widest_embedding, widest_embedding, files_);
      if (!rows) return tl::unexpected(rows.error());
      all.push_back(*std::move(rows));
    }
    return all;
  }

  ReadAt<void> random_weights(const JsonAt& at) {
    const auto seed = read_whole(*at.find("seed"), 0, largest_seed);
    if (!seed) return tl::unexpected(seed.error());
    if (at.json->size() > 1)
      return wrong(*at.find("seed"), std::string(base::text("document.lesson.seed_alone")));
    lesson::Parameters parameters;
    parameters.seed = static_cast<std::uint32_t>(*seed);
    parameters.embed_dim = problem_.source.embedding.dim(2);
    parameters.num_heads = parameters.num_kv_heads = problem_.options.num_heads;
    problem_.weights = lesson::random_weights(parameters, 2, false, "attention");
    if (!problem_.random)
      problem_.note = base::text("lesson.note.random_weights", {{"seed", *seed}});
    problem_.random = true;
    return {};
  }

  ReadAt<void> weights() {
    std::vector<GivenNumbers> all;
    const auto at = at_.find("weights");
    bool random = false;
    if (at) {
      if (auto checked = check_members(*at, own_weights_fields); !checked)
        return tl::unexpected(checked.error());
      random = at->find("seed").has_value();
      if (!random) {
        auto given = given_weights(*at);
        if (!given) return tl::unexpected(given.error());
        all = *std::move(given);
      }
    }
    if (auto done = mask(all); !done) return done;
    if (const auto done = lesson::give_attention(problem_, all); !done)
      return wrong(blamed(done.error().message), std::string(done.error().message));
    return random ? random_weights(*at) : ReadAt<void>();
  }

  ReadAt<void> mask(std::vector<GivenNumbers>& all) {
    problem_.masks = {lesson::MaskKind::none};
    const auto at = at_.find("mask");
    if (!at) return {};
    if (at->json->text() != nullptr) {
      constexpr auto names = std::to_array<std::string_view>({"none", "look-ahead"});
      const auto kind = choice("mask", *at->json, names);
      if (!kind) return wrong(*at, std::string(kind.error().message));
      if (*kind == 1) problem_.masks = {lesson::MaskKind::look_ahead};
      return {};
    }
    auto rows = read_rows(*at, "attn_mask", most_tokens, most_tokens, files_);
    if (!rows) return tl::unexpected(rows.error());
    all.push_back(*std::move(rows));
    return {};
  }

  /// What a sentence about the attention as a whole is about.
  JsonAt blamed(const std::string& sentence) const {
    const auto weights = at_.find("weights");
    for (const std::string_view name : own_weights_fields) {
      const auto weight = weights ? weights->find(name) : std::nullopt;
      if (weight && sentence.find(name) != std::string::npos) return *weight;
    }
    if (sentence.find("attn_mask") != std::string::npos && at_.find("mask"))
      return *at_.find("mask");
    const auto heads = at_.find("heads");
    return heads && problem_.options.num_heads > 0 &&
                   problem_.source.embedding.dim(2) % problem_.options.num_heads != 0
               ? *heads
               : at_;
  }

  const JsonAt& at_;
  const LessonFiles& files_;
  lesson::Problem problem_;
};

}  // namespace

ReadAt<lesson::Problem> read_own_example(const JsonAt& at, const LessonFiles& files) {
  return OwnExample(at, files).read();
}

}  // namespace document
