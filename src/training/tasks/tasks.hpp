// One function for each task.
#pragma once

#include "training/task.hpp"

namespace training {

Task reverse();
Task agree();
Task look_back();

}  // namespace training
