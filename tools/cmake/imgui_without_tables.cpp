// Replaces imgui_tables.cpp in a program without tables and columns: the functions that the rest of
// Dear ImGui calls, which have nothing to do if there is no table. ImGui has no setting for that, and
// a linker cannot remove them.
#include "imgui.h"
#include "imgui_internal.h"

namespace ImGui {

void EndTable() {}
void TableEndRow(ImGuiTable*) {}
void TableEndCell(ImGuiTable*) {}
void TablePushColumnChannel(int) {}
void TablePopColumnChannel() {}
void TablePushBackgroundChannel() {}
void TablePopBackgroundChannel() {}
void TableGcCompactSettings() {}
void TableGcCompactTransientBuffers(ImGuiTable*) {}
void TableGcCompactTransientBuffers(ImGuiTableTempData*) {}
void TableSettingsAddSettingsHandler() {}
void EndColumns() {}
void PushColumnsBackground() {}
void PopColumnsBackground() {}

}  // namespace ImGui
