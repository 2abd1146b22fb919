// `vite build` makes the scripts of the browser, `vite build --ssr server.js` the program of the server. The package is
// put into the server's bundle as well, as frameworks on top of Vite do.
export default {
  base: './',
  ssr: { noExternal: ['attention-live'] },
  build: {
    rollupOptions: { input: 'client.js', output: { entryFileNames: '[name].js' } },
  },
};
