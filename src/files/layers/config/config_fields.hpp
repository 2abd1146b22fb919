// The members of a config.json that are about one attention.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.hpp"
#include "files/layers/found_attention.hpp"

namespace files {

/// The part of a config that the attention of a name stands in: "vision_config" for one in a
/// vision_model. Null where the config is about other parts of the model only.
struct Tower {
  const base::Json* fields = nullptr;
  std::string model_type;  ///< its own, else that of what it is a part of
  bool reads_text = false;
  bool senses = false;  ///< it sees or hears, and reads no text
};
Tower tower_of(const base::Json& whole, std::string_view attention);

/// Reads members by name. What is wrong with one is said, and it counts as not there.
class ConfigFields {
 public:
  ConfigFields(const base::Json& fields, std::vector<Saying>& sayings)
      : fields_(&fields), sayings_(&sayings) {}

  /// The first of these names, with commas between, that is there and not null.
  const base::Json* member(std::string_view names) const;
  /// A whole number from 1 to the widest embed_dim; 0 where there is none.
  std::size_t whole(std::string_view names) const;
  /// A number from `least` to `most`.
  std::optional<double> number(std::string_view names, double least, double most) const;
  bool is_true(std::string_view name) const;
  bool is_false(std::string_view name) const;
  std::string text(std::string_view name) const;
  /// The members of an object, or none.
  ConfigFields inside(std::string_view name) const;
  /// Says of each member that is known to change scores, and is not computed, that it is there.
  void say_what_is_not_computed() const;
  void say(std::string_view key, std::string_view name, const base::Json& value) const;

 private:
  const base::Json* fields_;
  std::vector<Saying>* sayings_;
};

}  // namespace files
