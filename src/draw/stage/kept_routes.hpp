// The thin lines between groups, from frame to frame.
#pragma once

#include <vector>

#include "draw/gl/fingerprint.hpp"
#include "stage/motion/routes.hpp"

namespace draw {

/// stage::routes_of, asked again only when something stands elsewhere than at the last call.
class KeptRoutes {
 public:
  const std::vector<stage::Route>& of(const stage::Stage& stage);

 private:
  std::uint64_t places_ = 0;
  std::vector<stage::Route> routes_;
};

}  // namespace draw
