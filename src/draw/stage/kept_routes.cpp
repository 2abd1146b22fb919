#include "draw/stage/kept_routes.hpp"

namespace draw {

const std::vector<stage::Route>& KeptRoutes::of(const stage::Stage& stage) {
  Fingerprint places;
  places.add(stage.across);
  places.add(stage.links);
  for (const stage::Group& group : stage.groups) {
    places.add(group.tensor);
    places.add(group.bounds);
    places.add(group.first_block);
    places.add(group.block_count);
    places.add(group.line);
    places.add(group.in_figure);
  }
  for (const stage::Block& block : stage.blocks) places.add(block.cells);
  if (places_ != places.value()) {
    places_ = places.value();
    routes_ = stage::routes_of(stage);
  }
  return routes_;
}

}  // namespace draw
