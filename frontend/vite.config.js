import {readFileSync} from 'node:fs'
import {defineConfig} from 'vite'

/** Comments of styles, and spaces that say nothing: `a > b { c: d; }` is `a>b{c:d}`, and `>=` stays. */
const CLOSER = [[/\/\*[^]*?\*\//g, ''], [/\s+/g, ' '], [/ ?([{};>`]) ?(?!=)/g, '$1'], [/([:,]) /g, '$1'], [/;}/g, '}']]

/** What stands in templates the minifier leaves as it is: comments of styles and indents go here. */
const lean = {
  name: 'lean-templates',
  transform(code, id) {
    if (!id.includes('/src/')) return null
    return code.replace(/\n\s+/g, '\n').replace(/css`[^`]*`/g, text => CLOSER.reduce((lean, [what, as]) => lean.replace(what, as), text))
  },
}

const objectIn = code => Function(`return ${code.slice(code.indexOf('= {') + 2)}`)()
const inEnglish = name => Object.keys(objectIn(readFileSync(new URL(`src/messages/${name}.ts`, import.meta.url), 'utf8')))

/** A language travels as its sentences alone, in the order of the English keys; `catalogue.ts` finds them by it. */
const packed = {
  name: 'packed-catalogues',
  transform(code, id) {
    const language = /src\/messages\/(de|es|fr)\.ts$/.exec(id)?.[1]
    if (!language) return null
    const said = objectIn(code)
    const sentences = [...inEnglish('en'), ...inEnglish('en_steps')].map(key => said[key])
    return `export const ${language} = ${JSON.stringify(sentences.join('\n'))}`
  },
}

/** Each element is built alone, so that none grows by what only another needs: `--mode` names it. */
const ELEMENTS = {
  'service-import': {source: 'src/widget/define.ts', chunks: 'chunks'},
  'service-catalog-editor': {source: 'src/editor/define.ts', chunks: 'chunks/editor'},
}

/** The entry has a stable name; everything it loads is named by its content, beside it. */
export default defineConfig(({mode}) => {
  const name = mode in ELEMENTS ? mode : 'service-import'
  const {source, chunks} = ELEMENTS[name]
  return {
    base: './',
    mode: 'production',
    plugins: [lean, packed],
    build: {
      target: 'es2022',
      outDir: '../static/elements',
      emptyOutDir: name === 'service-import',
      modulePreload: false,
      cssCodeSplit: false,
      rolldownOptions: {
        input: {[name]: source},
        preserveEntrySignatures: 'exports-only',
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: `${chunks}/[name]-[hash].js`,
          // What the first paint needs is one script beside the entry, which the later ones share.
          codeSplitting: {groups: [
            {name: 'shell', test: /widget\/service_import\.ts$/},
            {name: 'editing', test: /(grid\/editing|screens\/typing)\.ts$/},
            {name: 'common', test: /\/(finishing|grid_setup|question_text|wrong_file|moves|recalled|shown|results|leaving|under_way|working|failed|combobox|focus|api\/upload)\.ts$/},
          ]},
        },
      },
    },
    test: {include: ['tests/**/*.test.ts'], environment: 'node'},
  }
})
