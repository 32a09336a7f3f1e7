import {readFileSync} from 'node:fs'
import {defineConfig} from 'vite'

/** Comments of styles, and spaces that say nothing: `a > b { c: d; }` is `a>b{c:d}`, and `>=` stays. */
const CLOSER = [[/\/\*[^]*?\*\//g, ''], [/\s+/g, ' '], [/ ?([{};>`]) ?(?!=)/g, '$1'], [/([:,]) /g, '$1'], [/;}/g, '}']]

/** The minifier does not touch templates: comments of styles and indents are removed here. */
const lean = {
  name: 'lean-templates',
  transform(code, id) {
    if (!id.includes('/src/')) return null
    return code.replace(/\n\s+/g, '\n').replace(/css`[^`]*`/g, text => CLOSER.reduce((lean, [what, as]) => lean.replace(what, as), text))
  },
}

/** Lit's way with styles is for older browsers, too, which could not run this script: ours is shorter. */
const styled = {
  name: 'styles-that-are-adopted',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source === './css-tag.js' && importer?.includes('/@lit/') ? new URL('rules/css_tag.js', import.meta.url).pathname : null,
}

/** What tells a bundler that a call may be left out says nothing to a browser. */
const unmarked = {
  name: 'without-marks-for-bundlers',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) if (chunk.code) chunk.code = chunk.code.replaceAll(/\/\* @__PURE__ \*\/ ?/g, '')
  },
}

const objectIn = code => Function(`return ${code.slice(code.indexOf('= {') + 2)}`)()
const english = path => objectIn(readFileSync(new URL(`src/${path}.ts`, import.meta.url), 'utf8'))
const inEnglish = name => Object.keys(english(`messages/${name}`))
const asideWords = () => english('screens/words/en')
const inOrder = (parts, said) => Object.entries(parts).flatMap(([part, words]) => Object.keys(words).map(key => said[part][key]))

/** A language travels as its sentences alone, in the order of the English keys; `catalogue.ts` and `words.ts` find them by it. */
const packed = {
  name: 'packed-catalogues',
  transform(code, id) {
    const [, folder, language] = /src\/(messages|screens\/words)\/([a-z]{2})\.ts$/.exec(id) ?? []
    if (!language || language === 'en') return null
    const said = objectIn(code)
    const sentences = folder === 'messages' ? [...inEnglish('en'), ...inEnglish('en_steps')].map(key => said[key]) : inOrder(asideWords(), said)
    return `export const ${language} = ${JSON.stringify(sentences.join('\n'))}`
  },
}

/** Each element is built alone, so that none grows by what only another needs: `--mode` names it. */
const ELEMENTS = {
  'service-import': {source: 'src/widget/define.ts', chunks: 'chunks'},
  'service-catalog-editor': {source: 'src/editor/define.ts', chunks: 'chunks/editor'},
}

/** The entry has a stable name; everything it loads is named by its content, next to it. */
export default defineConfig(({mode}) => {
  const name = mode in ELEMENTS ? mode : 'service-import'
  const {source, chunks} = ELEMENTS[name]
  return {
    base: './',
    mode: 'production',
    plugins: [lean, packed, styled, unmarked],
    build: {
      target: 'es2022',
      outDir: '../static/elements',
      emptyOutDir: name === 'service-import',
      modulePreload: false,
      cssCodeSplit: false,
      lib: {entry: {[name]: source}, formats: ['es']}, // without it, every import gets a wrapper that preloads styles
      rolldownOptions: {
        preserveEntrySignatures: 'exports-only',
        output: {
          minify: true,
          entryFileNames: '[name].js',
          chunkFileNames: `${chunks}/[name]-[hash].js`,
          // What the first paint needs is one script next to the entry, which the later ones share.
          codeSplitting: {groups: [
            {name: 'shell', test: /widget\/service_import\.ts$/},
            {name: 'pages', test: /screens\/(page_frames|frame_lines)\.ts$/},
            {name: 'tables', test: /(screens\/(table_(plan|roles|words)|several_files)|api\/packing)\.ts$/},
            {name: 'editing', test: /(grid\/editing|screens\/typing)\.ts$/},
            {name: 'finishing', test: /\/(finishing|applying|looking_up|known_changes|undecided)\.ts$/},
            {name: 'common', test: /\/(grid_setup|question_text|wrong_file|moves|recalled|shown|results|leaving|under_way|working|failed|combobox|grid\/options|few|focus|api\/upload|messages\/en_steps|screens\/words\/words|screens\/proof|receiver_name)\.ts$/},
            // A group takes what it imports, unless one above has it: what others need, too, is not the receipt's.
            {name: 'receipt', test: /screens\/receipt\.ts$/},
            // Two parts of a good size are smaller than four small ones.
            {name: 'steps', test: /screens\/(asked_fields|columns|done|mapping|onward|recipe|row_list|table|taking_back|values)\.ts$/},
            {name: 'deleting', test: /review\/deleting\.ts$/},
            {name: 'duplicates', test: /src\/duplicates\//},
          ]},
        },
      },
    },
    // A slow machine must not fail a test: only what hangs is stopped.
    test: {include: ['tests/**/*.test.ts'], environment: 'node', testTimeout: 120_000},
  }
})
