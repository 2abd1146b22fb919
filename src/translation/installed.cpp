#include "translation/installed.hpp"

#include <optional>

#include "base/text.hpp"

namespace translation {
namespace {

struct Installed {
  std::span<const std::byte> file;
  std::optional<base::Result<Translator>> read;
  std::optional<Translator> untrained;
};

Installed& the_one() {
  static Installed one;
  return one;
}

}  // namespace

void install(std::span<const std::byte> file) { the_one() = {file, {}, {}}; }

bool is_installed() { return !the_one().file.empty(); }

base::Result<const Translator*> installed(bool trained) {
  Installed& one = the_one();
  if (one.file.empty()) return base::fail(base::text("translation.weights.not_here"));
  if (!one.read) one.read = Translator::read(one.file);
  if (!*one.read) {
    return base::fail(
        base::text("translation.weights.unreadable", {{"problem", one.read->error().message}}));
  }
  if (trained) return &**one.read;
  if (!one.untrained) one.untrained = (*one.read)->untrained();
  return &*one.untrained;
}

}  // namespace translation
