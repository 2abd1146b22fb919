// For the components that docs/embedding.md shows, one a build: FRAMEWORK=vue vite build. React needs no plugin.

import { svelte } from '@sveltejs/vite-plugin-svelte';
import vue from '@vitejs/plugin-vue';

const framework = process.env.FRAMEWORK;
const plugins = {
  react: [],
  vue: [vue({ template: { compilerOptions: { isCustomElement: (tag) => tag === 'attention-live' } } })],
  svelte: [svelte()],
};

export default {
  base: './',
  plugins: plugins[framework],
  esbuild: { jsx: 'automatic' },
  build: {
    outDir: `built/${framework}`,
    rollupOptions: { input: `${framework}.js`, output: { entryFileNames: 'page.js' } },
  },
};
