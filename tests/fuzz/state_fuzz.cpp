// libFuzzer: whatever JSON is set as the state, it becomes a document that can be computed, or one
// sentence; whatever is typed as a number is read as that number, or not at all.
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>

#include "document/session.hpp"
#include "document/state/state.hpp"
#include "safetensors_mutator.hpp"
#include "stage/scene/number_text.hpp"
#include "state_mutator.hpp"

using fuzz::require;

namespace {

// Numbers. ----------------------------------------------------------------------------------------

std::size_t glyphs(std::string_view text) {
  std::size_t count = 0;
  for (const char byte : text)
    count += (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U ? 1U : 0U;
  return count;
}

std::uint32_t bits_of(float number) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &number, sizeof bits);
  return bits;
}

/// A number survives being shown in the edit field; what the stage shows of it is a number too.
void check_number(float number) {
  float read = 0.0F;
  if (std::isnan(number)) {
    require(!stage::parse_number(stage::number_for_editing(number), read));
    return;
  }
  require(stage::parse_number(stage::number_for_editing(number), read) &&
          bits_of(read) == bits_of(number));
  for (int room = -1; room < 12; ++room) {
    const std::string text = stage::number_text_fitting(number, room);
    require(glyphs(text) <= static_cast<std::size_t>(std::max(room, 0)));
    require(text.empty() || stage::parse_number(text, read));
  }
  require(std::abs(number) > 1e30F || stage::parse_number(stage::number_text(number, 4), read));
  require(stage::parse_number(stage::number_text_telling(number), read));
  require(std::isinf(number) ? read == number
                             : std::abs(read - number) <= 0.006F * std::abs(number));
}

void check_typed(const std::string& text) {
  float number = 99.0F;
  if (!stage::parse_number(text, number)) {
    require(number == 99.0F);
    return;
  }
  require(!std::isnan(number));
  check_number(number);
}

// States. -----------------------------------------------------------------------------------------

/// Wide layers take too long for every input; safe shapes are all the same to the codec.
bool is_quick(const document::Configuration& configuration) {
  return configuration.example != lesson::ExampleId::anthony_hopkins &&
         configuration.parameters.embed_dim <= 32;
}

/// No sum leaves float32, whatever was typed: a NaN never appears by itself.
void check_numbers(const document::Computed& computed) {
  for (const document::ComputedAttention& attention : computed.attentions) {
    for (const model::TensorId id : attention.trace.present()) {
      for (const float number : attention.trace[id].values()) {
        const bool may_be_hidden = id == "mask" || id == "masked_scores";
        require(std::isfinite(number) || (may_be_hidden && number < 0.0F));
      }
    }
  }
}

/// The state that is told can be set again, and is the same.
void check_told(const document::Session& session) {
  const std::string told = document::state_json(session.document(), session.computed()).dump();
  const auto read = document::with_json(document::Document{}, told);
  require(read.has_value());
  document::Session again;
  require(again.replace(*read).has_value());
  require(again.document() == session.document());
  require(document::state_json(again.document(), again.computed()).dump() == told);
}

void check_state(const document::Session& start, std::string_view json) {
  const auto document = document::with_json(start.document(), json);
  if (!document) {
    fuzz::require_sentence(document.error().message);
    return;
  }
  if (!is_quick(document->configuration)) return;
  document::Session session = start;
  if (const auto done = session.replace(*document); !done) {
    fuzz::require_sentence(done.error().message);
    require(session.document() == start.document());  // nothing has changed
    return;
  }
  check_numbers(session.computed());
  check_told(session);
  // One step back is where it came from, whatever it was.
  const document::Configuration configuration = session.document().configuration;
  if (configuration == start.document().configuration) return;
  require(session.can_undo());
  session.undo();
  require(session.document().configuration == start.document().configuration);
  session.redo();
  require(session.document().configuration == configuration);
}

/// Where the state is set from: an example each.
const document::Session& start_of(std::uint8_t choice) {
  static const std::vector<document::Session> starts = [] {
    std::vector<document::Session> sessions;
    for (const lesson::ExampleId id :
         {lesson::ExampleId::you_are_welcome, lesson::ExampleId::pool_beats_badminton,
          lesson::ExampleId::your_sentence}) {
      sessions.emplace_back();
      require(sessions.back().perform(document::ChooseExample{id, 0}).has_value());
    }
    return sessions;
  }();
  return starts[choice % starts.size()];
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  const bool as_bytes = size > 0 && (data[0] == 'n' || seed % 4 == 0);
  const std::size_t mutated =
      as_bytes || max_size < 64 ? 0 : fuzz::mutate_state_text(data, size, max_size, seed);
  return mutated > 0 ? mutated : LLVMFuzzerMutate(data, size, max_size);
}

/// The first byte says what the others are: typed text, a float, or a state for one of the starts.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::vector<std::byte> bytes = fuzz::exact_copy(data + 1, size - 1);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (data[0] == 'n') {
    check_typed(std::string(text));
    float number = 0.0F;
    if (bytes.size() == sizeof number) {
      std::memcpy(&number, bytes.data(), sizeof number);
      check_number(number);
    }
    return 0;
  }
  check_state(start_of(data[0]), text);
  return 0;
}
