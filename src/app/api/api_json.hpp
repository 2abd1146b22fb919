// Conversions to JSON and reading of arguments, shared by the methods of the API.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/app.hpp"
#include "base/json/json.hpp"
#include "document/first_error.hpp"
#include "document/state/json_value.hpp"

namespace app {

using base::Json;
using document::json_of;

/// A number, or "NaN", "Infinity" or "-Infinity", which JSON has no numbers for.
Json number(double value);
Json rectangle(const stage::Rect& rect);
Json colour(draw::Rgb rgb);
/// The levels of the translator, with what `set` takes to go there; see stage::breadcrumb.
Json path_json(const App& app);
Json or_null(const std::optional<std::size_t>& value);

/// Reads the arguments of a call one by one. For an argument that is missing or wrong a function
/// returns a default, and `wrong` has the sentence about the first such error.
class Arguments {
 public:
  explicit Arguments(const Json& json) : json_(json) {}

  /// Null where there is none.
  const Json* find(const char* name) const { return json_.find(name); }

  double number(const char* name);
  std::string text(const char* name);
  bool flag(const char* name);
  /// A whole number from `smallest` to `largest`; `key`: the text that says that it is none.
  std::size_t whole(const char* name, std::size_t smallest, std::size_t largest,
                    const char* key = "document.field.whole");
  /// The same from 0, or nothing where it is null or not there.
  std::optional<std::size_t> whole_or_null(const char* name, std::size_t largest,
                                           const char* key = "document.field.whole");
  /// A list of whole numbers, one for each axis of a tensor.
  tensor::Index index(const char* name = "index");
  /// The attention that "attention" names, or the one on screen.
  const document::ComputedAttention& attention(const App& app);
  /// The tensor that "tensor" names; an error if this attention does not have it.
  model::TensorId tensor(const document::ComputedAttention& attention);
  /// The address in "tensor" and "index". Does not check that there is such a cell.
  document::CellAddress cell(const document::ComputedAttention& attention);

  void refuse(std::string_view sentence) { wrong_.keep({std::string(sentence)}); }
  const document::FirstError& wrong() const { return wrong_; }

 private:
  /// The tensor of that name, whether or not an attention has it.
  std::optional<model::TensorId> named_tensor();

  const Json& json_;
  document::FirstError wrong_;
};

}  // namespace app
