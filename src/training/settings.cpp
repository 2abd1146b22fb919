#include "training/settings.hpp"

#include <string>

namespace training {
namespace {

std::string outside(const char* what, std::size_t given, std::size_t largest) {
  return std::string(what) + " is " + std::to_string(given) + "; it must be from 1 to " +
         std::to_string(largest) + ".";
}

}  // namespace

base::Result<void> check(const Settings& settings) {
  const float rate = settings.learning_rate;
  // Written so that NaN fails too.
  if (!(rate > 0.0F && rate <= largest_learning_rate)) return base::fail(no_learning_rate);
  struct Limit {
    const char* what;
    std::size_t given;
    std::size_t largest;
  };
  for (const Limit& limit : {Limit{"The number of layers", settings.num_layers, largest_num_layers},
                             Limit{"The embedding's width", settings.embed_dim, largest_embed_dim},
                             Limit{"The number of heads", settings.num_heads, largest_embed_dim},
                             Limit{"The width of the feed-forward layer", settings.feed_forward_dim,
                                   4 * largest_embed_dim},
                             Limit{"The batch size", settings.batch_size, largest_batch_size},
                             Limit{"The number of steps", settings.steps, largest_steps}}) {
    if (limit.given == 0 || limit.given > limit.largest)
      return base::fail(outside(limit.what, limit.given, limit.largest));
  }
  if (settings.embed_dim % settings.num_heads != 0) {
    return base::fail("The embedding's width, " + std::to_string(settings.embed_dim) +
                      ", cannot be split into " + std::to_string(settings.num_heads) +
                      " heads of one size.");
  }
  return {};
}

}  // namespace training
