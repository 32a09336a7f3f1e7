/** The editor's own icons, besides those that it shares with the widget. */

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit'

import {icon, type IconName} from '../../ui/icons.js'

const OWN = {
  plus: svg`<path d="M8 3v10M3 8h10"/>`,
  drag: svg`<path d="M6 3.5v.1M10 3.5v.1M6 8v.1M10 8v.1M6 12.5v.1M10 12.5v.1" stroke-width="2.2"/>`,
  down: svg`<path d="m4 6.5 4 4 4-4"/>`,
  raise: svg`<path d="m4 9.5 4-4 4 4"/>`,
  eye: svg`<path d="M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8z"/><circle cx="8" cy="8" r="1.9"/>`,
  copy: svg`<path d="M5.5 5.5h8v8h-8z"/><path d="M10.5 5.5v-3h-8v8h3"/>`,
  bin: svg`<path d="M3 4.5h10M6 4.5V2.8h4v1.7M4.2 4.5l.6 9h6.4l.6-9"/>`,
  back: svg`<path d="m10 3.5-4.5 4.5L10 12.5"/>`,
} satisfies Record<string, SVGTemplateResult>

export type Sign = keyof typeof OWN | IconName

export function sign(name: Sign | undefined): TemplateResult | typeof nothing {
  if (!name) return nothing
  if (!(name in OWN)) return icon(name as IconName)
  return html`<svg class="icon ${name === 'back' ? 'forward' : ''}" viewBox="0 0 16 16" aria-hidden="true">${OWN[name as keyof typeof OWN]}</svg>`
}
