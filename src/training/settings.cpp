#include "training/settings.hpp"

#include "base/text.hpp"

namespace training {

std::string no_learning_rate() { return std::string(base::text("training.limit.learning_rate")); }

base::Result<void> check(const Settings& settings) {
  const float rate = settings.learning_rate;
  // Written so that NaN fails too.
  if (!(rate > 0.0F && rate <= largest_learning_rate)) return base::fail(no_learning_rate());
  struct Limit {
    const char* text;  ///< its key
    std::size_t given;
    std::size_t largest;
  };
  for (const Limit& limit :
       {Limit{"training.limit.layers", settings.num_layers, largest_num_layers},
        Limit{"training.limit.embed_dim", settings.embed_dim, largest_embed_dim},
        Limit{"training.limit.heads", settings.num_heads, largest_embed_dim},
        Limit{"training.limit.feed_forward", settings.feed_forward_dim, 4 * largest_embed_dim},
        Limit{"training.limit.batch_size", settings.batch_size, largest_batch_size},
        Limit{"training.limit.steps", settings.steps, largest_steps}}) {
    if (limit.given > 0 && limit.given <= limit.largest) continue;
    return base::fail(base::text(limit.text, {{"given", limit.given}, {"largest", limit.largest}}));
  }
  if (settings.embed_dim % settings.num_heads != 0) {
    return base::fail(
        base::text("training.limit.heads_of_one_size",
                   {{"embed_dim", settings.embed_dim}, {"heads", settings.num_heads}}));
  }
  return {};
}

}  // namespace training
