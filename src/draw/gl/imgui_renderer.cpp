#include "draw/gl/imgui_renderer.hpp"

#include <algorithm>
#include <cstddef>

#include "draw_shaders.hpp"
#include "imgui.h"

namespace draw {

namespace {

const void* buffer_offset(std::size_t offset) { return reinterpret_cast<const void*>(offset); }

GLuint name_of(ImTextureID id) { return static_cast<GLuint>(id); }

void attribute(GLuint location, GLint count, GLenum type, std::size_t offset) {
  glEnableVertexAttribArray(location);
  const GLboolean normalised = type == GL_UNSIGNED_BYTE ? GL_TRUE : GL_FALSE;
  glVertexAttribPointer(location, count, type, normalised, sizeof(ImDrawVert),
                        buffer_offset(offset));
}

/// ImGui's 16-bit indices count from a first vertex of their own. WebGL has no draw call with such
/// an offset, so the attributes have to begin there.
void point_to(unsigned int first_vertex) {
  const std::size_t start = first_vertex * sizeof(ImDrawVert);
  attribute(0, 2, GL_FLOAT, start + offsetof(ImDrawVert, pos));
  attribute(1, 2, GL_FLOAT, start + offsetof(ImDrawVert, uv));
  attribute(2, 4, GL_UNSIGNED_BYTE, start + offsetof(ImDrawVert, col));
}

void send(ImTextureData& texture, const ImTextureRect& part) {
  glPixelStorei(GL_UNPACK_ROW_LENGTH, texture.Width);
  glTexSubImage2D(GL_TEXTURE_2D, 0, part.x, part.y, part.w, part.h, GL_RGBA, GL_UNSIGNED_BYTE,
                  texture.GetPixelsAt(part.x, part.y));
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

void create(ImTextureData& texture) {
  // ImGui draws smooth lines with parts of this texture and needs interpolation between texels.
  const GLuint name = new_texture(GL_LINEAR);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, texture.Width, texture.Height, 0, GL_RGBA,
               GL_UNSIGNED_BYTE, texture.GetPixels());
  texture.SetTexID(name);
  texture.SetStatus(ImTextureStatus_OK);
}

void destroy(ImTextureData& texture) {
  const GLuint name = name_of(texture.TexID);
  glDeleteTextures(1, &name);
  texture.SetTexID(ImTextureID_Invalid);
  texture.SetStatus(ImTextureStatus_Destroyed);
}

/// Carries out what ImGui requests for a texture.
void update(ImTextureData& texture) {
  if (texture.Status == ImTextureStatus_WantCreate) {
    create(texture);
  } else if (texture.Status == ImTextureStatus_WantUpdates) {
    glBindTexture(GL_TEXTURE_2D, name_of(texture.TexID));
    send(texture, texture.UpdateRect);
    texture.SetStatus(ImTextureStatus_OK);
  } else if (texture.Status == ImTextureStatus_WantDestroy && texture.UnusedFrames > 0) {
    destroy(texture);
  }
}

}  // namespace

ImGuiRenderer::ImGuiRenderer() {
  ImGui::GetIO().BackendRendererName = "attention-live";
  ImGui::GetIO().BackendFlags |=
      ImGuiBackendFlags_RendererHasTextures | ImGuiBackendFlags_RendererHasVtxOffset;
}

void ImGuiRenderer::prepare() {
  GLint largest = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
  platform.Renderer_TextureMaxWidth = platform.Renderer_TextureMaxHeight = largest;
  program_ = Program::start(shaders::imgui_vert(), shaders::imgui_frag());
  glGenVertexArrays(1, &vertex_array_);
  glGenBuffers(1, &vertices_);
  glGenBuffers(1, &indices_);
  glBindVertexArray(vertex_array_);
  glBindBuffer(GL_ARRAY_BUFFER, vertices_);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_);
  point_to(0);
  first_vertex_ = 0;
  glBindVertexArray(0);
}

base::Result<void> ImGuiRenderer::ready() {
  auto linked = program_.ready();
  if (linked) viewport_ = program_.uniform("u_viewport");
  return linked;
}

void ImGuiRenderer::forget() {
  program_.forget();
  vertex_array_ = vertices_ = indices_ = 0;
  for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
    if (texture->RefCount != 1) continue;
    texture->SetTexID(ImTextureID_Invalid);
    texture->SetStatus(ImTextureStatus_Destroyed);
  }
}

void ImGuiRenderer::begin(const ImDrawData& data) const {
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glEnable(GL_SCISSOR_TEST);
  glUseProgram(program_.id());
  glUniform2f(viewport_, data.DisplaySize.x, data.DisplaySize.y);
  glActiveTexture(GL_TEXTURE0);
  glBindVertexArray(vertex_array_);
  glBindBuffer(GL_ARRAY_BUFFER, vertices_);  // a vertex array records only the index buffer
}

bool ImGuiRenderer::changes_textures(const ImDrawData& data) {
  return data.Textures != nullptr &&
         std::any_of(data.Textures->begin(), data.Textures->end(),
                     [](const ImTextureData* each) { return each->Status != ImTextureStatus_OK; });
}

void ImGuiRenderer::note(const ImDrawData& data, FrameBytes& all) {
  all.add(data.DisplaySize);
  all.add(data.FramebufferScale);
  for (const ImDrawList* list : data.CmdLists) {
    all.add(list->VtxBuffer.Data, static_cast<std::size_t>(list->VtxBuffer.size_in_bytes()));
    all.add(list->IdxBuffer.Data, static_cast<std::size_t>(list->IdxBuffer.size_in_bytes()));
    for (const ImDrawCmd& command : list->CmdBuffer) {
      all.add(command.ClipRect);
      all.add(command.GetTexID());
      all.add(command.VtxOffset);
      all.add(command.IdxOffset);
      all.add(command.ElemCount);
      all.add(command.UserCallback);
    }
  }
}

void ImGuiRenderer::draw(const ImDrawData& data) {
  const float ratio = data.FramebufferScale.x;
  const int height = static_cast<int>(data.DisplaySize.y * ratio);
  if (data.Textures != nullptr) {
    for (ImTextureData* texture : *data.Textures) update(*texture);
  }
  begin(data);
  GLuint bound = 0;  // 0 names no texture
  for (const ImDrawList* list : data.CmdLists) {
    glBufferData(GL_ARRAY_BUFFER, list->VtxBuffer.size_in_bytes(), list->VtxBuffer.Data,
                 GL_STREAM_DRAW);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, list->IdxBuffer.size_in_bytes(), list->IdxBuffer.Data,
                 GL_STREAM_DRAW);
    for (const ImDrawCmd& command : list->CmdBuffer) {
      if (command.UserCallback == ImDrawCallback_ResetRenderState) {
        begin(data);
        continue;
      }
      if (command.UserCallback != nullptr) {
        command.UserCallback(list, &command);
        bound = 0;
        continue;
      }
      const ImVec4& clip = command.ClipRect;
      const int width = static_cast<int>((clip.z - clip.x) * ratio);
      const int rows = static_cast<int>((clip.w - clip.y) * ratio);
      if (width <= 0 || rows <= 0) continue;
      glScissor(static_cast<int>(clip.x * ratio),
                static_cast<int>(static_cast<float>(height) - clip.w * ratio), width, rows);
      const GLuint texture = name_of(command.GetTexID());
      if (bound != texture) glBindTexture(GL_TEXTURE_2D, texture);
      bound = texture;
      if (command.VtxOffset != first_vertex_) {
        first_vertex_ = command.VtxOffset;
        point_to(first_vertex_);
      }
      glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(command.ElemCount), GL_UNSIGNED_SHORT,
                     buffer_offset(command.IdxOffset * sizeof(ImDrawIdx)));
    }
  }
  glBindVertexArray(0);
  glDisable(GL_SCISSOR_TEST);
}

}  // namespace draw
