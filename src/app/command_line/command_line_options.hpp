// Options of the command line, kept as they were typed until they are judged.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "files/quote.hpp"

namespace app {

/// The whole number that `text` is, from `smallest` to `largest`.
template <typename Number>
base::Result<Number> whole_number(const std::string& option, const std::string& text,
                                  Number smallest, Number largest) {
  const auto number = base::read_whole<Number>(text);
  if (number && *number >= smallest && *number <= largest) return *number;
  return base::fail(option + " is " + files::in_quotes(text) + "; it must be a whole number from " +
                    std::to_string(smallest) + " to " + std::to_string(largest) + ".");
}

/// An option as it was typed. Values are kept as text here and judged below, so that every sentence
/// about them is our own.
struct Typed {
  CLI::Option* option = nullptr;
  std::string text;

  bool given() const { return option->count() > 0; }
  /// "-o --json": the value is missing, and the next option was taken for it.
  bool swallowed_option() const { return text.starts_with("--"); }
};

inline void add(CLI::App& command, Typed& typed, const std::string& names, const std::string& value,
                const std::string& description) {
  typed.option = command.add_option(names, typed.text, description)->type_name(value);
}

/// A switch; "--json=3" is not one.
inline CLI::Option* add_switch(CLI::App& command, bool& on, const std::string& name,
                               const std::string& description) {
  return command.add_flag(name, on, description)->disable_flag_override();
}

}  // namespace app
