export default {
  base: './',
  build: { rollupOptions: { input: ['react.html', 'vue.html'] } },
};
