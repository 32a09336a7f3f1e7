import {fileURLToPath} from 'node:url'
import {defineConfig} from 'vite'

const pages = ['grid', 'editor'].map(name => fileURLToPath(new URL(`${name}.html`, import.meta.url)))

/** Pages that tests and benchmarks open in a browser; `--outDir` says where they are built. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  build: {target: 'es2022', emptyOutDir: true, modulePreload: false, rolldownOptions: {input: pages}},
})
