/** The code a host copies, with the settings of the moment in it. Settings in, text out. */

export const FRAMEWORKS = [['html', 'HTML'], ['react', 'React'], ['vue', 'Vue'], ['angular', 'Angular'], ['server', 'Your server']]

const script = origin => `${origin}/elements/service-import.js`

function attributes({origin, applyMode, catalogKey, locale, theme, showAllSteps}) {
  return [
    ['api-base-url', origin],
    ['catalog-key', catalogKey],
    ['apply-mode', applyMode === 'browser' ? applyMode : ''],
    ['locale', locale === 'en' ? '' : locale],
    ['theme', theme],
    ['show-all-steps', showAllSteps ? null : ''],
  ].filter(([, value]) => value !== '').map(([name, value]) => (value === null ? name : `${name}="${value}"`))
}

function indented(settings, spaces) {
  return attributes(settings).join(`\n${' '.repeat(spaces)}`)
}

function style({tokens}) {
  if (!tokens.length) return ''
  return `\n<style>\n  service-import {\n${tokens.map(([name, value]) => `    ${name}: ${value};`).join('\n')}\n  }\n</style>\n`
}

const FETCH_KEY = `async () => {
    const answer = await fetch('/import-session', {method: 'POST'})
    return (await answer.json()).token
  }`

const results = ({applyMode}, target) =>
  applyMode === 'browser' ? `\n  ${target}.onResults = ({rows}) => save(rows)` : ''

export const CODE = {
  html: settings => `<script type="module" src="${script(settings.origin)}"></script>
${style(settings)}
<service-import ${indented(settings, 16)}></service-import>

<script type="module">
  const widget = document.querySelector('service-import')
  widget.fetchKey = ${FETCH_KEY}${results(settings, 'widget')}
  widget.addEventListener('import-applied', event => console.log(event.detail.rowCount))
</script>`,
  react: settings => `import {useEffect, useRef} from 'react'
// in index.html: <script type="module" src="${script(settings.origin)}"></script>

export function Import() {
  const ref = useRef(null)
  useEffect(() => {
    const widget = ref.current
    const applied = event => console.log(event.detail.rowCount)
    widget.addEventListener('import-applied', applied)
    return () => widget.removeEventListener('import-applied', applied)
  }, [])
  return <service-import ref={ref} fetchKey={fetchKey}
                         ${indented(settings, 25)} />
}

const fetchKey = ${FETCH_KEY}`,
  vue: settings => `<!-- vite.config.js: vue({template: {compilerOptions: {isCustomElement: tag => tag === 'service-import'}}}) -->
<!-- in index.html: <script type="module" src="${script(settings.origin)}"></script> -->
<script setup>
const fetchKey = ${FETCH_KEY}
</script>

<template>
  <service-import ${indented(settings, 18)}
                  :fetchKey.prop="fetchKey" @import-applied="event => done(event.detail)" />
</template>`,
  angular: settings => `// in index.html: <script type="module" src="${script(settings.origin)}"></script>
import {Component, CUSTOM_ELEMENTS_SCHEMA} from '@angular/core'

@Component({
  selector: 'app-import',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: \`<service-import ${indented(settings, 29)}
                             [fetchKey]="fetchKey" (import-applied)="done($event)" />\`,
})
export class ImportComponent {
  fetchKey = ${FETCH_KEY}
  done(event: CustomEvent) { console.log(event.detail.rowCount) }
}`,
  server: ({origin, catalogKey, applyMode}) => `# What /import-session of your server does, behind your login:
curl -H "Authorization: Bearer $LICENSE_KEY" -H 'Content-Type: application/json' \\
     ${origin}/api/import/v1/sessions \\
     -d '{"scope": "customer-4711", "catalogKey": "${catalogKey || 'orders'}", "applyMode": "${applyMode}",
          "meta": {"customer": 4711}, "origin": "https://app.example.com"}'
# 201 {"token": "imp_ses_...", "expiresAt": "..."}: hand the token to the page.`,
}
