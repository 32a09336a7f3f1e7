import {defineConfig} from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  logLevel: 'error',
  build: {
    target: 'es2022',
    minify: false,
    modulePreload: false,
    emptyOutDir: true,
    rolldownOptions: {
      input: ['react', 'vue', 'angular'].map(name => `${import.meta.dirname}/${name}.js`),
      output: {entryFileNames: '[name].js', chunkFileNames: '[name].js'},
    },
  },
})
