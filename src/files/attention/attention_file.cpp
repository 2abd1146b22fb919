#include "files/attention/attention_file.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "files/numbers/finite.hpp"
#include "files/quote.hpp"
#include "model/attention/attention_part.hpp"
#include "model/attention/mask.hpp"
#include "model/roles.hpp"
#include "tensor/tensor.hpp"

namespace files {
namespace {

using base::fail;
using base::Result;
using model::TensorId;
namespace roles = model::roles;
using tensor::describe;
using tensor::Shape;
using tensor::Tensor;

constexpr std::array<std::string_view, 19> known_names = {
    "query",           "key",
    "value",           "in_proj_weight",
    "q_proj_weight",   "k_proj_weight",
    "v_proj_weight",   "in_proj_bias",
    "out_proj.weight", "out_proj.bias",
    "attn_mask",       "key_padding_mask",
    "q_norm_weight",   "k_norm_weight",
    "sinks",           "rope_frequencies",
    "position_bias",   "position_bias_table",
    "target",
};

/// The rows that project query_input, key_input and value_input, each with a weight and a bias.
std::vector<model::Node> projections_of_inputs(const model::Config& config) {
  std::vector<model::Node> rows;
  for (const model::Node& row : model::rows_of(config, model::Mistake::none)) {
    const bool is_linear = row.operation == &ops::product && model::is_given(row.of[1]);
    if (is_linear && roles::is_input(row.of[0])) rows.push_back(row);
  }
  return rows;
}

/// All known names but the last.
std::string names_before_the_last() {
  std::string list(known_names.front());
  for (const std::string_view name : std::span(known_names).subspan(1, known_names.size() - 2))
    list.append(", ").append(name);
  return list;
}

/// A mask as numbers that are added to the scores.
Result<Tensor> to_additive(const StoredTensor& stored) {
  Result<Tensor> mask = to_float32(stored);
  if (!mask) return mask;
  if (stored.dtype == "BOOL") {  // as in PyTorch: true hides the key
    float* cell = mask->mutable_data();
    for (std::size_t i = 0; i < mask->size(); ++i) cell[i] = cell[i] != 0.0F ? model::hidden : 0.0F;
    return mask;
  }
  const Result<void> checked = check_numbers(stored.name, *mask, Numbers::mask);
  if (!checked) return fail(checked.error());
  return mask;
}

/// Reads the tensors one after another; stops at the first that is wrong.
class AttentionReader {
 public:
  AttentionReader(const Safetensors& file, const AttentionFileOptions& options)
      : file_(file), options_(options) {}

  Result<AttentionFile> read() {
    result_.options.num_heads = options_.num_heads;
    result_.options.num_kv_heads = options_.num_kv_heads;
    result_.options.scale = options_.scale;
    result_.options.variants = options_.variants;
    Result<void> step = check_names();
    if (step) step = read_inputs();
    if (step) step = read_sizes();
    if (step) step = read_projections();
    if (step) step = read_output_projection();
    if (step) step = read_norms();
    if (step) step = read_sinks();
    if (step) step = read_positions();
    if (step) step = check_sizes();
    if (step) step = read_masks();
    if (step) step = read_target();
    if (!step) return fail(step.error());
    return std::move(result_);
  }

 private:
  bool has(std::string_view name) const { return file_.find(name) != nullptr; }
  const StoredTensor& stored(std::string_view name) const { return *file_.find(name); }
  std::size_t embed_dim() const { return result_.given[roles::query].dim(2); }

  Result<void> check_names() const {
    for (const StoredTensor& tensor : file_.tensors) {
      if (tensor.name == "bias_k" || tensor.name == "bias_v") {
        return fail(base::text("files.attention.bias_kv", {{"name", tensor.name}}));
      }
      const bool known = std::count(known_names.begin(), known_names.end(), tensor.name) > 0;
      if (!known && !options_.ignore_unknown) {
        return fail(base::text("files.attention.unknown", {{"name", in_quotes(tensor.name)},
                                                           {"names", names_before_the_last()},
                                                           {"last", known_names.back()}}));
      }
    }
    if (!has("query")) return fail(base::text("files.attention.no_query"));
    return {};
  }

  /// A tensor [L,width] or [B,L,width], with as many axes as query, as [B,L,width].
  Result<Tensor> read_sequence(std::string_view name, const std::string& axes) const {
    const Shape& shape = stored(name).shape;
    const Shape& query = stored("query").shape;
    if (shape.rank() != 2 && shape.rank() != 3) {
      return fail(base::text("files.attention.axes",
                             {{"name", name}, {"shape", describe(shape)}, {"axes", axes}}));
    }
    if (shape.rank() != query.rank()) {
      return fail(base::text(
          "files.attention.batch_axis",
          {{"name", name}, {"shape", describe(shape)}, {"query_shape", describe(query)}}));
    }
    Result<Tensor> tensor = to_finite(stored(name));
    if (!tensor || shape.rank() == 3) return tensor;
    return tensor->reshape({1, shape[0], shape[1]});
  }

  Result<void> read_inputs() {
    const Result<Tensor> query = read_sequence("query", "Lq,E");
    if (!query) return fail(query.error());
    const Result<Tensor> key = has("key") ? read_sequence("key", "Lk,kdim") : query;
    if (!key) return fail(key.error());
    const Result<Tensor> value = has("value") ? read_sequence("value", "Lk,vdim") : key;
    if (!value) return fail(value.error());
    result_.given[roles::query] = *query;
    result_.given[roles::key] = *key;
    result_.given[roles::value] = *value;
    return {};
  }

  /// A tensor that must have this shape; `axes` is the shape in letters, for the error.
  Result<Tensor> read_exactly(std::string_view name, const Shape& shape,
                              const std::string& axes) const {
    if (stored(name).shape == shape) return to_finite(stored(name));
    return wrong_shape(name, axes, shape);
  }

  tl::unexpected<base::Error> wrong_shape(std::string_view name, const std::string& axes,
                                          const Shape& wanted) const {
    return fail(base::text("files.attention.shape", {{"name", name},
                                                     {"shape", describe(stored(name).shape)},
                                                     {"axes", axes},
                                                     {"wanted", describe(wanted)}}));
  }

  /// Sets the tensor `id` to what was read.
  Result<void> give(TensorId id, Result<Tensor> read) {
    if (!read) return fail(read.error());
    result_.given[id] = *std::move(read);
    return {};
  }

  /// Heads that are together wider or narrower than embed_dim, where the weights before and behind
  /// them agree about it; else 0.
  std::size_t own_head_dim() const {
    const std::size_t heads = options_.num_heads;
    const StoredTensor* out = file_.find("out_proj.weight");
    if (heads == 0 || out == nullptr || out->shape.rank() != 2) return 0;
    const StoredTensor* packed = file_.find("in_proj_weight");
    const StoredTensor* first = packed != nullptr ? packed : file_.find("q_proj_weight");
    if (first == nullptr || first->shape.rank() != 2) return 0;
    const std::size_t shared = options_.num_kv_heads == 0 ? heads : options_.num_kv_heads;
    const std::size_t parts = packed != nullptr ? heads + 2 * shared : heads;  // D rows each
    const std::size_t head_dim = first->shape[0] / parts;
    const bool agree = parts * head_dim == first->shape[0] && heads * head_dim == out->shape[1];
    return agree && heads * head_dim != embed_dim() ? head_dim : 0;
  }

  Result<void> read_sizes() {
    result_.options.head_dim = own_head_dim();
    const auto config = model::sizes_of(result_.given, result_.options);
    if (!config) return fail(config.error());
    lengths_ = lengths_of(*config);
    projections_ = projections_of_inputs(*config);
    return {};
  }

  /// How many rows of a packed weight or bias belong to one projection.
  std::size_t packed_rows(const model::Node& projection) const {
    return lengths_[projection.axes.back()];
  }

  /// Splits a packed weight (operand 1 of its projection) or bias (operand 2).
  void give_parts(const Tensor& packed, std::size_t operand) {
    std::size_t first = 0;
    for (const model::Node& projection : projections_) {
      const std::size_t rows = packed_rows(projection);
      result_.given[projection.of[operand]] = packed.narrow(0, first, rows);
      first += rows;
    }
  }

  Result<void> read_projections() {
    const std::size_t E = embed_dim();
    const auto given =
        std::count_if(projections_.begin(), projections_.end(),
                      [this](const model::Node& row) { return has(model::name_of(row.of[1])); });

    if (given > 0 && has("in_proj_weight")) return fail(base::text("files.attention.packed_twice"));
    if (given > 0 && given < 3) return fail(base::text("files.attention.not_together"));
    if (given == 0 && !has("in_proj_weight") && has("in_proj_bias"))
      return fail(base::text("files.attention.in_proj_bias_alone"));
    std::size_t rows = 0;
    for (const model::Node& projection : projections_) {
      rows += packed_rows(projection);
      const TensorId id = projection.of[1];
      if (given < 3) continue;
      if (auto taken = give(id, to_finite(stored(model::name_of(id)))); !taken) return taken;
    }
    const bool is_usual = result_.options.head_dim == 0;
    const std::string letters = !is_usual ? "H·D+2·G·D" : rows == 3 * E ? "3·E" : "E+2·G·D";
    if (has("in_proj_weight")) {
      const Result<Tensor> weight =
          read_exactly("in_proj_weight", {rows, E}, "[" + letters + ",E]");
      if (!weight) return fail(weight.error());
      give_parts(*weight, 1);
    }
    if (has("in_proj_bias")) {
      const Result<Tensor> bias = read_exactly("in_proj_bias", {rows}, "[" + letters + "]");
      if (!bias) return fail(bias.error());
      give_parts(*bias, 2);
    }
    return {};
  }

  Result<void> read_output_projection() {
    const std::size_t E = embed_dim();
    if (!has("out_proj.weight")) {
      if (has("out_proj.bias")) return fail(base::text("files.attention.out_proj_bias_alone"));
      return {};
    }
    const std::size_t inner = lengths_[ops::Axis::A];
    auto given = give("out_proj_weight", read_exactly("out_proj.weight", {E, inner},
                                                      inner == E ? "[E,E]" : "[E,H·D]"));
    if (!given || !has("out_proj.bias")) return given;
    return give("out_proj_bias", read_exactly("out_proj.bias", {E}, "[E]"));
  }

  /// A tensor that is read for an option alone; passed over or refused without it.
  Result<void> read_for(TensorId id, bool chosen, std::string_view option, const Shape& shape,
                        const std::string& axes) {
    const std::string_view name = model::name_of(id);
    if (!has(name) || (!chosen && options_.ignore_unknown)) return {};
    if (!chosen)
      return fail(base::text("files.attention.variant", {{"name", name}, {"option", option}}));
    return give(id, read_exactly(name, shape, axes));
  }

  /// The weights of --qk-norm, each there or not.
  Result<void> read_norms() {
    const model::Variants& variants = options_.variants;
    const bool full = variants.norm_place == model::Variants::NormPlace::all_heads;
    using enum ops::Axis;
    for (const auto& [id, axis] :
         {std::pair{TensorId("q_norm_weight"), A}, std::pair{TensorId("k_norm_weight"), K}}) {
      const ops::Axis width = full ? axis : D;
      auto read = read_for(id, variants.qk_norm, "--qk-norm", {lengths_[width]},
                           "[" + std::string(name_of(width, lengths_)) + "]");
      if (!read) return read;
    }
    return {};
  }

  /// One for each head, or none.
  Result<void> read_sinks() {
    return read_for("sinks", options_.variants.sink.has_value(), "--sink", {options_.num_heads},
                    "[H]");
  }

  /// Of --rope and --position-bias.
  Result<void> read_positions() {
    const model::Variants& variants = options_.variants;
    using enum ops::Axis;
    auto read =
        read_for("rope_frequencies", variants.rope_base > 0.0F, "--rope", {lengths_[P]}, "[P]");
    if (!read) return read;
    const bool is_given = variants.position_bias == model::PositionBias::given;
    read = read_for("position_bias", is_given, "--position-bias=given",
                    {lengths_[H], lengths_[Lq], lengths_[Lk]}, "[H,Lq,Lk]");
    if (!read) return read;
    const bool from_table = !is_given && variants.position_bias != model::PositionBias::none;
    const StoredTensor* table = file_.find("position_bias_table");
    const std::size_t rows = table != nullptr && table->shape.rank() > 0 ? table->shape[0] : 0;
    return read_for("position_bias_table", from_table, "--position-bias=t5", {rows, lengths_[H]},
                    "[N,H]");
  }

  /// Checks everything but the masks, before one as large as the scores is allocated.
  Result<void> check_sizes() const {
    const auto config = model::check(result_.given, result_.options);
    if (!config) return fail(config.error());
    return {};
  }

  /// attn_mask as [Lq,Lk], [B,Lq,Lk] or [B,H,Lq,Lk].
  Result<Tensor> read_attn_mask(std::size_t B, std::size_t Lq, std::size_t Lk) const {
    const std::size_t H = options_.num_heads;
    const Shape& shape = stored("attn_mask").shape;
    const Shape for_all = {Lq, Lk};
    const Shape per_head = {B * H, Lq, Lk};
    const Shape per_sample = {B, Lq, Lk};
    const Shape full = {B, H, Lq, Lk};
    const bool fits_full = shape.rank() == 4 && (shape[0] == B || shape[0] == 1) &&
                           (shape[1] == H || shape[1] == 1) && shape[2] == Lq && shape[3] == Lk;
    if (!(shape == for_all) && !(shape == per_head) && !(shape == per_sample) && !fits_full) {
      return fail(base::text("files.attention.attn_mask", {{"shape", describe(shape)},
                                                           {"for_all", describe(for_all)},
                                                           {"per_head", describe(per_head)},
                                                           {"per_sample", describe(per_sample)},
                                                           {"full", describe(full)}}));
    }
    Result<Tensor> mask = to_additive(stored("attn_mask"));
    if (!mask || !(shape == per_head)) return mask;
    return mask->reshape(full);
  }

  /// key_padding_mask as [B,1,1,Lk].
  Result<Tensor> read_padding_mask(std::size_t B, std::size_t Lk) const {
    const bool batched = stored("query").shape.rank() == 3;
    const Shape expected = batched ? Shape{B, Lk} : Shape{Lk};
    if (!(stored("key_padding_mask").shape == expected))
      return wrong_shape("key_padding_mask", batched ? "[B,Lk]" : "[Lk]", expected);
    Result<Tensor> mask = to_additive(stored("key_padding_mask"));
    if (!mask) return mask;
    return mask->reshape({B, 1, 1, Lk});
  }

  Result<void> read_masks() {
    const std::size_t B = result_.given[roles::query].dim(0);
    const std::size_t Lq = result_.given[roles::query].dim(1);
    const std::size_t Lk = result_.given[roles::key].dim(1);
    Tensor& mask = result_.given[roles::mask];
    if (has("attn_mask")) {
      if (auto given = give(roles::mask, read_attn_mask(B, Lq, Lk)); !given) return given;
    }
    if (has("key_padding_mask")) {
      const Result<Tensor> padding = read_padding_mask(B, Lk);
      if (!padding) return fail(padding.error());
      mask = model::combine_masks(mask, *padding);
    }
    if (options_.causal) mask = model::combine_masks(mask, model::look_ahead_mask(Lq, Lk));
    return {};
  }

  Result<void> read_target() {
    if (!has("target")) {
      if (!options_.needs_target) return {};
      return fail(base::text("files.attention.no_target"));
    }
    const Shape& shape = stored("query").shape;
    const Result<Tensor> target =
        read_exactly("target", shape, shape.rank() == 3 ? "[B,Lq,E]" : "[Lq,E]");
    if (!target) return fail(target.error());
    result_.target = target->reshape(result_.given[roles::query].shape());
    return {};
  }

  const Safetensors& file_;
  const AttentionFileOptions& options_;
  ops::Lengths lengths_;
  std::vector<model::Node> projections_;
  AttentionFile result_;
};

}  // namespace

Result<AttentionFile> attention_from_file(const Safetensors& file,
                                          const AttentionFileOptions& options) {
  return AttentionReader(file, options).read();
}

}  // namespace files
