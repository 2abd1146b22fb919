// GLFW for web.cpp: the calls that it makes. Emscripten's own GLFW has windows in the plural, full screen, pointer lock
// and joysticks too, and listeners for keys of the whole page: a third of all JavaScript around the program.
mergeInto(LibraryManager.library, {
  // Without such lines the functions would still bring along what Emscripten's own of that name need.
  glfwInit__deps: [],
  glfwInit: function() { return 1; },

  // There is one window, the page's canvas, and it is its context. The page opened that before (web/program/boot.mjs).
  glfwCreateWindow__deps: ['$GL'],
  glfwCreateWindow: function(width, height, title, monitor, share) {
    return GL.createContext(Module['canvas'], { majorVersion: 2 });
  },
  glfwMakeContextCurrent__deps: ['$GL'],
  glfwMakeContextCurrent: function(window) { GL.makeContextCurrent(window); },

  glfwGetTime__deps: [],
  glfwGetTime: function() { return performance.now() / 1000; },
});
