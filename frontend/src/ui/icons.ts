/** Icons, drawn by strokes in the colour of their text. */

import {svg, html, nothing, type SVGTemplateResult, type TemplateResult} from 'lit'

const DRAWN = {
  up: svg`<path d="M8 11V3M4.8 6 8 2.8 11.2 6M2.5 10.5v2a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1v-2"/>`,
  file: svg`<path d="M4 1.8h5L12.5 5v9.2H4z"/><path d="M9 1.8V5h3.5"/>`,
  grid: svg`<path d="M2 3h12v10H2zM2 6.5h12M2 10h12M6 3v10"/>`,
  check: svg`<path d="m3 8.4 3.3 3.2L13 4.8"/>`,
  warn: svg`<path d="M8 2.2 14.3 13H1.7zM8 6.4v3.2M8 11.3v.2"/>`,
  err: svg`<circle cx="8" cy="8" r="6"/><path d="M8 4.9v3.6M8 10.8v.2"/>`,
  question: svg`<circle cx="8" cy="8" r="6"/><path d="M6.3 6.3a1.8 1.8 0 1 1 2.6 1.6c-.6.3-.9.6-.9 1.3M8 11.2v.1"/>`,
  arrow: svg`<path d="M2.5 8h11M9.5 4l4 4-4 4"/>`,
  close: svg`<path d="m4 4 8 8M12 4l-8 8"/>`,
  search: svg`<circle cx="7" cy="7" r="4.3"/><path d="m10.3 10.3 3.4 3.4"/>`,
  clipboard: svg`<path d="M5.5 3H3.5v10.5h9V3h-2"/><path d="M5.5 1.8h5v2.6h-5z"/>`,
  lock: svg`<path d="M3.5 7.5h9v6h-9zM5.2 7.5V5a2.8 2.8 0 0 1 5.6 0v2.5"/>`,
  next: svg`<path d="m6 3.5 4.5 4.5L6 12.5"/>`,
  undo: svg`<path d="M5.5 3 2.5 6l3 3M2.5 6h7a4 4 0 0 1 0 8H6"/>`,
  redo: svg`<path d="m10.5 3 3 3-3 3M13.5 6h-7a4 4 0 0 0 0 8H10"/>`,
  download: svg`<path d="M8 2.8v8M4.8 7.8 8 11l3.2-3.2M2.5 13.5h11"/>`,
  history: svg`<path d="M2.5 8a5.5 5.5 0 1 0 1.8-4M2.5 2.5v3h3M8 5v3.2l2.2 1.3"/>`,
  link: svg`<path d="M6.7 9.3a2.6 2.6 0 0 0 3.7 0l2.2-2.2a2.6 2.6 0 0 0-3.7-3.7l-.8.8M9.3 6.7a2.6 2.6 0 0 0-3.7 0L3.4 8.9a2.6 2.6 0 0 0 3.7 3.7l.8-.8"/>`,
} satisfies Record<string, SVGTemplateResult>

export type IconName = keyof typeof DRAWN

const MIRRORED = new Set<IconName>(['arrow', 'next', 'undo', 'redo'])

export function icon(name: IconName | undefined): TemplateResult | typeof nothing {
  if (!name) return nothing
  return html`<svg class="icon ${MIRRORED.has(name) ? 'forward' : ''}" viewBox="0 0 16 16" aria-hidden="true">${DRAWN[name]}</svg>`
}
