// The translator that the program has: its weights are part of the native program, and the page
// loads them.
#pragma once

#include <cstddef>
#include <span>

#include "base/error.hpp"
#include "translation/translator.hpp"

namespace translation {

/// Says where the file of the weights is. It is read when the translator is first used, and must
/// stay there until then.
void install(std::span<const std::byte> file);

/// Whether `install` was called.
bool is_installed();

/// The translator, or the same before it was trained. Errors: none is installed; as
/// Translator::read.
base::Result<const Translator*> installed(bool trained = true);

}  // namespace translation
