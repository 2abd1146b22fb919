// What the methods of the API share: numbers and small things as JSON, and arguments read from it.
#pragma once

#include <optional>
#include <string>

#include "app/app.hpp"
#include "base/error.hpp"
#include "base/json.hpp"
#include "document/state/json_value.hpp"

namespace app {

using base::Json;
using document::json_of;

/// JSON has no infinities: they go as strings.
Json number(double value);
Json rectangle(const stage::Rect& rect);
Json colour(draw::Rgb rgb);
Json or_null(const std::optional<std::size_t>& value);

// Each gives what is there under that name, or a sentence about what must be.
base::Result<double> number_argument(const Json& arguments, const char* name);
base::Result<std::string> text_argument(const Json& arguments, const char* name);
base::Result<bool> switch_argument(const Json& arguments, const char* name);
/// "index", or a list of whole numbers under another name.
base::Result<tensor::Index> index_argument(const Json& arguments, const char* name = "index");

/// The attention that "attention" names, or the one on screen.
base::Result<const document::ComputedAttention*> attention_argument(const App& app,
                                                                    const Json& arguments);
/// The tensor that "tensor" names: one that this attention has.
base::Result<model::TensorId> tensor_argument(const document::ComputedAttention& attention,
                                              const Json& arguments);
/// "tensor" and "index", which may lie outside.
base::Result<document::CellAddress> cell_argument(const document::ComputedAttention& attention,
                                                  const Json& arguments);

}  // namespace app
