// What the methods of the API share: numbers and small things as JSON, and arguments read from it.
#pragma once

#include <optional>
#include <string>

#include "app/app.hpp"
#include "base/json.hpp"
#include "document/first_error.hpp"
#include "document/state/json_value.hpp"

namespace app {

using base::Json;
using document::json_of;

/// JSON has no infinities: they go as strings.
Json number(double value);
Json rectangle(const stage::Rect& rect);
Json colour(draw::Rgb rgb);
Json or_null(const std::optional<std::size_t>& value);

/// The arguments of a call, read one after the other. Where one is not there or is something else,
/// a value stands in for it, and `wrong` has the sentence about the first of them.
class Arguments {
 public:
  explicit Arguments(const Json& json) : json_(json) {}

  /// Null where there is none.
  const Json* find(const char* name) const { return json_.find(name); }

  double number(const char* name);
  std::string text(const char* name);
  bool flag(const char* name);
  /// A whole number from `smallest` to `largest`; `what` is how a sentence says that.
  std::size_t whole(const char* name, std::size_t smallest, std::size_t largest,
                    const std::string& what);
  /// The same, or nothing where it is null or not there.
  std::optional<std::size_t> whole_or_null(const char* name, std::size_t largest,
                                           const std::string& what);
  /// A list of whole numbers, one for each axis of a tensor.
  tensor::Index index(const char* name = "index");
  /// The attention that "attention" names, or the one on screen.
  const document::ComputedAttention& attention(const App& app);
  /// The tensor that "tensor" names: one that this attention has.
  model::TensorId tensor(const document::ComputedAttention& attention);
  /// "tensor" and "index", which may lie outside.
  document::CellAddress cell(const document::ComputedAttention& attention);

  void refuse(std::string sentence) { wrong_.keep({std::move(sentence)}); }
  const document::FirstError& wrong() const { return wrong_; }

 private:
  /// The tensor of that name, whether or not an attention has it.
  std::optional<model::TensorId> named_tensor();

  const Json& json_;
  document::FirstError wrong_;
};

}  // namespace app
