// The functions of GLFW that web.cpp calls. Emscripten's own GLFW also supports several windows, full screen, pointer lock
// and joysticks, and listens to the keys of the whole page; it was a third of the program's JavaScript.
mergeInto(LibraryManager.library, {
  // Without these lines Emscripten would include the dependencies of its own functions of the same names.
  glfwInit__deps: [],
  glfwInit: function() { return 1; },

  // The only window is the page's canvas. The page created its GL context before (web/program/boot.mjs).
  glfwCreateWindow__deps: ['$GL'],
  glfwCreateWindow: function(width, height, title, monitor, share) {
    return GL.createContext(Module['canvas'], { majorVersion: 2 });
  },
  glfwMakeContextCurrent__deps: ['$GL'],
  glfwMakeContextCurrent: function(window) { GL.makeContextCurrent(window); },

  glfwGetTime__deps: [],
  glfwGetTime: function() { return performance.now() / 1000; },
});
