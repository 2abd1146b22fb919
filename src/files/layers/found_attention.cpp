#include "files/layers/found_attention.hpp"

#include <algorithm>
#include <array>

#include "base/decimal.hpp"
#include "base/order.hpp"
#include "base/text.hpp"
#include "files/dtype.hpp"
#include "files/layers/config/positions.hpp"
#include "files/layers/naming.hpp"
#include "files/layers/position_tables.hpp"
#include "files/layers/unread.hpp"
#include "files/quote.hpp"

namespace files {
namespace {

using model::TensorId;
using tensor::describe;
using tensor::Shape;

constexpr std::array weight_ids = {TensorId("q_proj_weight"), TensorId("k_proj_weight"),
                                   TensorId("v_proj_weight")};
constexpr std::array bias_ids = {TensorId("q_proj_bias"), TensorId("k_proj_bias"),
                                 TensorId("v_proj_bias")};

constexpr std::array<std::string_view, 4> senses = {"vision", "visual", "image_", "audio"};

bool contains_part(std::string_view name, std::string_view part) {
  return name.find(part) != std::string_view::npos;
}

/// Gathers the tensors of one attention and checks that their shapes belong together.
class Gatherer {
 public:
  using Named = NamedEntries;
  using Sayings = std::vector<std::pair<std::string_view, std::string_view>>;  // the metadata

  Gatherer(const Sayings& metadata, const Named& named, const Naming& naming,
           std::string_view prefix)
      : metadata_(metadata), named_(named), naming_(naming), prefix_(prefix) {}

  /// False where a tensor is missing: its name is in `missing` then.
  bool gather(std::string& missing) {
    found_.family = naming_.family;
    found_.name = prefix_.empty() ? "" : std::string(prefix_.substr(0, prefix_.size() - 1));
    found_.layer = last_number(found_.name);
    for (const std::string_view name :
         {naming_.packed, naming_.q, naming_.k, naming_.v, naming_.out}) {
      if (name.empty() || tensor(name) != nullptr) continue;
      missing = full(name);
      return false;
    }
    say_what_it_is();
    if (!naming_.packed.empty())
      gather_packed();
    else if (naming_.family == Family::transformer_lens)
      gather_matrices();
    else
      gather_separate();
    if (!found_.problem.empty()) return true;
    gather_output();
    gather_variants();
    check();
    return true;
  }
  FoundAttention take() { return std::move(found_); }

 private:
  std::string full(std::string_view name) const { return std::string(prefix_) + std::string(name); }
  /// The first of a sorted list that is not before `name`.
  template <typename List>
  static typename List::const_iterator from(const List& list, std::string_view name) {
    return std::lower_bound(
        list.begin(), list.end(), name,
        [](const auto& entry, std::string_view wanted) { return entry.first < wanted; });
  }
  const HeaderEntry* named(std::string_view name) const {
    const auto place = from(named_, name);
    return place != named_.end() && place->first == name ? place->second : nullptr;
  }
  const HeaderEntry* tensor(std::string_view name) const { return named(full(name)); }
  bool has_prefix(std::string_view prefix) const {
    const auto place = from(named_, prefix);
    return place != named_.end() && place->first.starts_with(prefix);
  }

  /// The name of the layer around it, with its dot: "layers.0." of "layers.0.self_attn.".
  std::string_view around() const {
    const std::size_t dot = found_.name.rfind('.');
    return dot == std::string::npos ? std::string_view() : prefix_.substr(0, dot + 1);
  }

  void say_what_it_is() {
    const std::string_view name = found_.name;
    // Alone, "multihead_attn" may be anything: many models call their only attention so.
    found_.is_cross = (naming_.family == Family::pytorch && name.ends_with("multihead_attn") &&
                       has_prefix(std::string(around()) + "self_attn."));
    for (const std::string_view last :
         {"encoder_attn", "EncDecAttention", "crossattention", "cross_attn"})
      found_.is_cross |= name.ends_with(last);
    if (found_.is_cross) return;
    const bool in_decoder = contains_part(name, "decoder.") || contains_part(name, "text_model.");
    found_.causal = (naming_.sight == Sight::back && !only_senses_or_encodes()) ||
                    (naming_.sight == Sight::decoder && in_decoder);
    // A decoder layer of PyTorch's has both; the encoder's has one.
    if (naming_.family == Family::pytorch && name.ends_with("self_attn"))
      found_.causal = has_prefix(std::string(around()) + "multihead_attn.");
  }

  /// Whether its name says that it belongs to what sees or hears.
  bool only_senses() const {
    return std::any_of(senses.begin(), senses.end(),
                       [&](std::string_view word) { return contains_part(found_.name, word); });
  }
  /// The same of what encodes: there nothing is later, either.
  bool only_senses_or_encodes() const {
    const bool encodes =
        contains_part(found_.name, "encoder.") && !contains_part(found_.name, "decoder.");
    return encodes || only_senses();
  }

  void shapes_do_not_fit(const HeaderEntry& entry) {
    if (!found_.problem.empty()) return;
    found_.problem = base::text(
        "files.layer.shape", {{"name", in_quotes(entry.name)}, {"shape", describe(entry.shape)}});
  }

  /// The place of the tensor among those of the attention.
  std::size_t place_of(const HeaderEntry& entry) {
    for (std::size_t i = 0; i < found_.tensors.size(); ++i) {
      if (found_.tensors[i].name == entry.name) return i;
    }
    if (!dtype_named(entry.dtype) || entry.dtype == "BOOL") {
      found_.problem = base::text("files.layer.dtype", {{"name", in_quotes(entry.name)},
                                                        {"dtype", in_quotes(entry.dtype)}});
    }
    found_.tensors.push_back(entry);
    return found_.tensors.size() - 1;
  }

  void add(TensorId id, const HeaderEntry& entry, std::size_t first, std::size_t rows,
           std::size_t part = 3) {
    found_.weights.push_back({id, place_of(entry), first, rows, part});
  }

  /// The bias of `rows` rows that belongs to a weight, where there is one.
  const HeaderEntry* bias_for(const std::string& name, std::size_t rows) {
    const HeaderEntry* bias = tensor(name);
    if (bias != nullptr && bias->shape != Shape{rows}) shapes_do_not_fit(*bias);
    return bias;
  }

  void gather_packed() {
    const HeaderEntry& packed = *tensor(naming_.packed);
    const HeaderEntry& out = *tensor(naming_.out);
    if (packed.shape.rank() != 2) return shapes_do_not_fit(packed);
    if (out.shape.rank() != 2) return shapes_do_not_fit(out);
    // GPT-2 stores its weights the other way round. What is called the same elsewhere may not.
    found_.transposed = naming_.family == Family::gpt2 && packed.shape[1] > packed.shape[0];
    const std::size_t rows = packed.shape[found_.transposed ? 1 : 0];
    const std::size_t E = packed.shape[found_.transposed ? 0 : 1];
    const std::size_t inner = naming_.shares_keys && !found_.transposed ? out.shape[1] : E;
    const std::size_t kv = rows > inner ? (rows - inner) / 2 : 0;
    const bool fits = kv > 0 && inner + 2 * kv == rows && kv <= inner;
    if (!fits || (kv != inner && !naming_.shares_keys)) return shapes_do_not_fit(packed);
    found_.embed_dim = found_.kdim = found_.vdim = E;
    found_.inner_dim = inner;
    found_.kv_width = kv;
    found_.packing = naming_.packing;
    if (naming_.family == Family::bloom && kv != inner) found_.family = Family::falcon;
    const HeaderEntry* bias = bias_for(bias_of(naming_.packed), rows);
    const std::array firsts = {std::size_t{0}, inner, inner + kv};
    for (std::size_t i = 0; i < weight_ids.size(); ++i) {
      const std::size_t part = found_.packing == Packing::by_head ? i : 3;
      const std::size_t count = i == 0 ? inner : kv;
      add(weight_ids[i], packed, firsts[i], count, part);
      if (bias != nullptr) add(bias_ids[i], *bias, firsts[i], count, part);
    }
  }

  /// TransformerLens: a matrix for each head, so that their number is known.
  void gather_matrices() {
    found_.by_matrices = true;
    const std::array names = {naming_.q, naming_.k, naming_.v};
    const Shape& q = tensor(naming_.q)->shape;
    const HeaderEntry& out = *tensor(naming_.out);
    if (q.rank() != 3) return shapes_do_not_fit(*tensor(naming_.q));
    const auto rows_of = [](const Shape& shape) { return shape[0] * shape[2]; };
    if (out.shape != Shape{q[0], q[2], q[1]}) return shapes_do_not_fit(out);
    found_.embed_dim = found_.kdim = found_.vdim = q[1];
    found_.inner_dim = rows_of(q);
    found_.num_heads = q[0];
    found_.head_dim = q[2];
    for (std::size_t i = 0; i < names.size(); ++i) {
      const HeaderEntry& entry = *tensor(names[i]);
      const Shape& shape = entry.shape;
      const Shape wanted = i == 2 ? tensor(naming_.k)->shape : shape;
      if (shape.rank() != 3 || shape[1] != q[1] || shape[2] != q[2] || shape != wanted)
        return shapes_do_not_fit(entry);
      if (i == 1) found_.kv_width = rows_of(shape);
      add(weight_ids[i], entry, 0, rows_of(shape));
      const HeaderEntry* bias = tensor(bias_of(names[i]));
      if (bias == nullptr) continue;
      if (bias->shape != Shape{shape[0], shape[2]}) return shapes_do_not_fit(*bias);
      add(bias_ids[i], *bias, 0, rows_of(shape));
    }
  }

  void gather_separate() {
    const std::array names = {naming_.q, naming_.k, naming_.v};
    std::array<const HeaderEntry*, 3> entries{};
    for (std::size_t i = 0; i < names.size(); ++i) {
      entries[i] = tensor(names[i]);
      if (entries[i]->shape.rank() != 2) return shapes_do_not_fit(*entries[i]);
    }
    const Shape& q = entries[0]->shape;
    const Shape& k = entries[1]->shape;
    const Shape& v = entries[2]->shape;
    found_.inner_dim = q[0];
    found_.embed_dim = q[1];
    found_.kv_width = k[0];
    found_.kdim = k[1];
    found_.vdim = v[1];
    const bool takes_other_widths =
        naming_.family == Family::pytorch || naming_.family == Family::diffusers || found_.is_cross;
    if (!takes_other_widths && k[1] != q[1]) return shapes_do_not_fit(*entries[1]);
    if (v[0] != k[0] || (!takes_other_widths && v[1] != q[1]))
      return shapes_do_not_fit(*entries[2]);
    if (!naming_.shares_keys && k[0] != q[0]) return shapes_do_not_fit(*entries[1]);
    if (k[1] != q[1]) {
      found_.is_cross = true;
      found_.causal = false;
    }
    const HeaderEntry* packed_bias =
        naming_.has_packed_bias ? bias_for("in_proj_bias", 3 * q[0]) : nullptr;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::size_t rows = entries[i]->shape[0];
      add(weight_ids[i], *entries[i], 0, rows);
      if (packed_bias != nullptr) add(bias_ids[i], *packed_bias, i * q[0], rows);
      if (naming_.has_packed_bias) continue;
      if (const HeaderEntry* bias = bias_for(bias_of(names[i]), rows))
        add(bias_ids[i], *bias, 0, rows);
    }
  }

  void gather_output() {
    const HeaderEntry& out = *tensor(naming_.out);
    const std::size_t E = found_.embed_dim;
    if (!found_.by_matrices && out.shape != Shape{E, found_.inner_dim})
      return shapes_do_not_fit(out);
    add(TensorId("out_proj_weight"), out, 0, E);
    if (const HeaderEntry* bias = bias_for(bias_of(naming_.out), E))
      add(TensorId("out_proj_bias"), *bias, 0, E);
  }

  void heads_of_width(std::size_t head_dim) {
    if (head_dim > 0 && found_.inner_dim % head_dim == 0)
      found_.num_heads = found_.inner_dim / head_dim;
  }

  void gather_variants() {
    const Family family = found_.family;
    if (!naming_.is_scaled) found_.scale.kind = model::Scale::Kind::none;
    if (family == Family::pytorch && (tensor("bias_k") != nullptr || tensor("bias_v") != nullptr))
      found_.problem = base::text("files.attention.bias_kv",
                                  {{"name", tensor("bias_k") != nullptr ? "bias_k" : "bias_v"}});
    if (family == Family::bert && tensor("self.distance_embedding.weight") != nullptr) {
      found_.problem =
          base::text("files.layer.other_model", {{"name", "self.distance_embedding.weight"}});
    }
    // The places of what is seen are no single numbers.
    set_positions(found_,
                  only_senses()              ? Positions::none
                  : family == Family::falcon ? Positions::halves
                                             : naming_.positions,
                  naming_.rotary_part);
    if (family != Family::llama) return;
    if (const HeaderEntry* frequencies = tensor("rotary_emb.inv_freq");
        frequencies != nullptr && frequencies->shape.rank() == 1) {
      heads_of_width(2 * frequencies->shape[0]);
      found_.weak_heads = true;
    }
    gather_norms();
    gather_sinks();
    // Gemma 2 and 3 cap or scale scores, and add 1 to the weights of norms: only a config says how.
    const std::string gemma = std::string(around()) + "pre_feedforward_layernorm.weight";
    if (named(gemma) != nullptr) {
      found_.needs_config = true;
      found_.problem = base::text("files.layer.other_model", {{"name", in_quotes(gemma)}});
    }
  }

  /// gpt-oss: one number for each head.
  void gather_sinks() {
    const HeaderEntry* sinks = tensor("sinks");
    if (sinks == nullptr) return;
    if (sinks->shape.rank() != 1 || sinks->shape[0] == 0 || found_.inner_dim % sinks->shape[0] != 0)
      return shapes_do_not_fit(*sinks);
    found_.num_heads = sinks->shape[0];
    found_.head_dim = found_.inner_dim / sinks->shape[0];
    found_.variants.sink = 0.0F;  // where the file would not give one for each head
    add(TensorId("sinks"), *sinks, 0, sinks->shape[0]);
  }

  /// Qwen3's norms over each head, whose weights are as long as a head is wide; or OLMo 2's over
  /// all heads together.
  void gather_norms() {
    const HeaderEntry* q = tensor("q_norm.weight");
    const HeaderEntry* k = tensor("k_norm.weight");
    if (q == nullptr && k == nullptr) return;
    const HeaderEntry& one = q != nullptr ? *q : *k;
    if (q == nullptr || k == nullptr) return shapes_do_not_fit(one);
    const bool is_whole = q->shape == Shape{found_.inner_dim} && k->shape == Shape{found_.kv_width};
    const bool is_head = !is_whole && q->shape == k->shape && q->shape.rank() == 1;
    if (is_head) heads_of_width(q->shape[0]);
    if (!is_whole && (!is_head || !found_.num_heads)) return shapes_do_not_fit(one);
    if (is_head) found_.head_dim = q->shape[0];
    found_.variants.qk_norm = true;
    if (is_whole) found_.variants.norm_place = model::Variants::NormPlace::all_heads;
    add(TensorId("q_norm_weight"), *q, 0, q->shape[0]);
    add(TensorId("k_norm_weight"), *k, 0, k->shape[0]);
  }

  void check() {
    read_heads();
    if (!found_.problem.empty()) return;
    const std::size_t widest =
        std::max({found_.embed_dim, found_.inner_dim, found_.kdim, found_.vdim});
    if (widest > model::Limits::embed_dim) {
      found_.problem = base::text("model.limit.input_width",
                                  {{"size", widest}, {"most", model::Limits::embed_dim}});
    }
    for (const HeaderEntry& entry : found_.tensors) {
      if (auto complaint = model::complaint_about_size(in_quotes(entry.name), entry.shape);
          complaint && found_.problem.empty())
        found_.problem = *std::move(complaint);
    }
    if (!found_.problem.empty()) return;
    const std::vector<std::size_t> choices = head_choices(found_);
    if (choices.empty())
      return shapes_do_not_fit(*tensor(naming_.q.empty() ? naming_.packed : naming_.k));
    if (found_.num_heads &&
        std::find(choices.begin(), choices.end(), *found_.num_heads) == choices.end())
      found_.num_heads = std::nullopt;
  }

  /// Where the metadata say it, as those of files that this program wrote.
  void read_heads() {
    for (const std::string& key : {full("num_heads"), std::string("num_heads")}) {
      const auto said = from(metadata_, key);
      if (said == metadata_.end() || said->first != key) continue;
      if (const auto number = base::read_whole<std::uint32_t>(said->second))
        found_.num_heads = *number;
      return;
    }
  }

  const Sayings& metadata_;
  const Named& named_;
  const Naming& naming_;
  std::string_view prefix_;
  FoundAttention found_;
};

}  // namespace

std::string_view name_of(Family family) {
  constexpr std::array<std::string_view, 21> names = {
      "PyTorch", "GPT-2",      "BERT", "BART",  "T5",       "Llama",           "GPT-Neo",
      "GPT-J",   "wav2vec 2",  "Phi",  "Phi-3", "GPT-NeoX", "BLOOM",           "Falcon",
      "MPT",     "ModernBERT", "timm", "Meta",  "Whisper",  "TransformerLens", "diffusers"};
  return names[static_cast<std::size_t>(family)];
}

namespace {

/// The tensor that an attention of this family would have.
struct Missing {
  Family family;
  std::string name;
};

/// Of the families that the file has; where it has none of them, all that it could be.
std::string described(const std::vector<Missing>& missing,
                      const std::vector<FoundAttention>& attentions) {
  std::string names;
  bool is_of_file = false;
  for (const auto& [family, name] : missing) {
    const bool is_here =
        std::any_of(attentions.begin(), attentions.end(),
                    [of = family](const FoundAttention& found) { return found.family == of; });
    if (is_of_file && !is_here) continue;
    if (is_here && !is_of_file) names.clear();
    is_of_file |= is_here;
    const std::string quoted = in_quotes(name);
    if (names.find(quoted) == std::string::npos) names += (names.empty() ? "" : " / ") + quoted;
  }
  return names;
}

}  // namespace

FoundAttentions find_attentions(const Header& header) {
  Gatherer::Named named;
  named.reserve(header.entries.size());
  for (const HeaderEntry& entry : header.entries) named.emplace_back(entry.name, &entry);
  base::sort(named, [](const auto& a, const auto& b) { return a.first < b.first; });

  Gatherer::Sayings metadata(header.metadata.begin(), header.metadata.end());
  base::sort(metadata);

  FoundAttentions result;
  std::vector<Missing> first_missing;
  for (const auto& [name, entry] : named) {
    std::vector<Missing> missing;
    bool is_complete = false;
    for (const Naming& naming : namings) {
      const std::string_view anchor = naming.packed.empty() ? naming.q : naming.packed;
      if (is_complete || !name.ends_with(anchor)) continue;
      const std::string_view prefix = name.substr(0, name.size() - anchor.size());
      if (!fits(naming, prefix)) continue;
      Gatherer gatherer(metadata, named, naming, prefix);
      Missing& lacks = missing.emplace_back(Missing{naming.family, {}});
      is_complete = gatherer.gather(lacks.name);
      if (is_complete) result.attentions.push_back(gatherer.take());
    }
    if (is_complete || missing.empty()) continue;
    ++result.incomplete;
    if (first_missing.empty()) first_missing = std::move(missing);
  }
  result.missing = described(first_missing, result.attentions);
  join_position_tables(named, result.attentions);
  list_unread(named, result.attentions);
  base::sort(result.attentions, [](const FoundAttention& a, const FoundAttention& b) {
    return a.name == b.name ? a.family < b.family : is_before(a.name, b.name);
  });
  return result;
}

const FoundAttention* find(const FoundAttentions& found, std::string_view name) {
  for (const FoundAttention& attention : found.attentions) {
    if (attention.name == name) return &attention;
  }
  return nullptr;
}

}  // namespace files
