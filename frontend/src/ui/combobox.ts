/** A choice among many that is searched: an input with a listbox below it. One is open at a time. */

import {css, html, nothing, type TemplateResult} from 'lit'

import {icon} from './icons.js'
import type {Choice} from './pieces.js'

export const comboboxStyles = css`
  .choices {
    position: fixed; inset-block: var(--_top) auto; inset-inline: var(--_start) auto; inline-size: var(--_width); max-block-size: var(--_most); margin: 0; padding: 4px; overflow: auto;
    color: var(--_fg); background: var(--_bg); border: 1px solid var(--_line-strong); border-radius: var(--_radius-s); box-shadow: var(--_shadow); font-size: 13.5px;
  }
  .choices.above { inset-block: auto var(--_bottom); }
  .choices .of { padding: 8px 8px 4px; font-size: 12px; font-weight: 600; color: var(--_fg-3); }
  .choices [role=option] { display: flex; gap: 8px; align-items: center; min-block-size: 32px; padding: 4px 8px; border-radius: 4px; cursor: pointer; overflow-wrap: anywhere; }
  .choices [role=option].at { background: var(--_accent-soft); outline: 2px solid var(--_accent); outline-offset: -2px; }
  .choices [aria-selected=true] { font-weight: 600; }
  .choices [aria-disabled] { color: var(--_fg-3); cursor: default; }
  @container service-import (inline-size < 640px) { .choices [role=option] { min-block-size: 44px; } }
`

export interface Grouped extends Choice {
  group?: string
}

const SEARCHED_FROM = 12
const MOST_PX = 320
const PAGE = 8

/** Return whether a select with so many options is too long to scan. */
export const isLong = (count: number): boolean => count > SEARCHED_FROM

const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** The choices that contain every word of a search, accents and case aside. Pure. */
export function matching<T extends Choice>(choices: readonly T[], search: string): T[] {
  const words = folded(search).split(/\s+/)
  return choices.filter(choice => words.every(word => folded(`${choice.text} ${choice.value}`).includes(word)))
}

/** Which choices a search shows, and in which order. */
export type Find = (choices: readonly Grouped[], search: string) => Grouped[]

/** Where a key leads in a list, from end to end and round; null for a key that leads nowhere. Pure. */
export function led(key: string, at: number, count: number): number | null {
  const last = count - 1
  if (key === 'ArrowDown') return at >= last ? 0 : at + 1
  if (key === 'ArrowUp') return at <= 0 ? last : at - 1
  if (key === 'PageDown') return Math.min(last, at + PAGE)
  return key === 'PageUp' ? Math.max(0, at - PAGE) : null
}

export class Combobox {
  readonly #update: () => void
  #open: string | null = null
  /** What was typed since it opened; null before. */
  #search: string | null = null
  #at = 0

  constructor(update: () => void) {
    this.#update = update
  }

  render(id: string, choices: readonly Grouped[], value: string, change: (value: string) => void, label: string, none: string, find: Find = matching): TemplateResult {
    const isOpen = this.#open === id
    const chosen = choices.find(choice => choice.value === value)?.text ?? ''
    const found = isOpen ? find(choices, this.#search ?? '') : []
    const open = (): void => this.#show(id, Math.max(0, find(choices, '').findIndex(choice => choice.value === value)))
    const take = (choice: Grouped | undefined): void => {
      if (!choice) return
      this.#close()
      if (choice.value !== value) change(choice.value)
    }
    const press = (event: KeyboardEvent): void => {
      if (event.isComposing) return
      if (!isOpen) {
        if (event.key.length === 1) (event.target as HTMLInputElement).select() // a new search, not a longer one
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp' && event.key !== 'Enter') return
        event.preventDefault()
        return open()
      }
      const next = led(event.key, this.#at, found.length)
      if (next !== null) this.#at = next
      else if (event.key === 'Enter') take(found[this.#at])
      else if (event.key === 'Escape') this.#close()
      else return
      event.preventDefault()
      event.stopPropagation() // Escape closes the list, not the dialog around it
      this.#update()
    }
    const type = (event: Event): void => {
      this.#open = id
      this.#search = (event.target as HTMLInputElement).value
      this.#at = 0
      this.#update()
    }
    return html`<span class="picker"><input class="select" role="combobox" autocomplete="off" spellcheck="false"
      aria-label=${label} placeholder=${label} aria-haspopup="listbox" aria-autocomplete="list" aria-expanded=${isOpen} aria-controls=${isOpen ? `${id}-list` : nothing}
      aria-activedescendant=${isOpen && found.length ? `${id}-${this.#at}` : nothing}
      .value=${isOpen && this.#search !== null ? this.#search : chosen}
      @click=${(event: Event) => { if (!isOpen) open(); (event.target as HTMLInputElement).select() }}
      @focus=${(event: Event) => (event.target as HTMLInputElement).select()}
      @input=${type} @keydown=${press} @blur=${() => { if (isOpen) this.#close() }}
    >${isOpen ? this.#list(id, found, value, take, label, none) : nothing}</span>`
  }

  /** Called after each update: a popover is opened by a call, and placed by its input. */
  updated(root: ParentNode): void {
    const list = root.querySelector<HTMLElement>('.choices')
    if (!list) return
    if (!list.matches(':popover-open')) {
      list.showPopover()
      const place = (): void => list.isConnected ? placed(list) : removeEventListener('scroll', place, true)
      addEventListener('scroll', place, true)
    }
    placed(list)
    list.querySelector('.at')?.scrollIntoView({block: 'nearest'})
  }

  #list(id: string, found: readonly Grouped[], value: string, take: (choice: Grouped) => void, label: string, none: string): TemplateResult {
    const option = (choice: Grouped, at: number): TemplateResult => html`
      ${choice.group && choice.group !== found[at - 1]?.group ? html`<div class="of" role="presentation">${choice.group}</div>` : nothing}
      <div role="option" id="${id}-${at}" class=${at === this.#at ? 'at' : ''} aria-selected=${choice.value === value} aria-description=${choice.group ?? nothing}
        @click=${() => take(choice)}><span class="grow"><bdi>${choice.text}</bdi></span>${choice.value === value ? icon('check') : nothing}</div>`
    return html`<div class="choices" role="listbox" popover="manual" id="${id}-list" aria-label=${label} @mousedown=${(event: Event) => event.preventDefault()}>
      ${found.length ? found.map(option) : html`<div role="option" aria-selected="false" aria-disabled="true">${none}</div>`}</div>`
  }

  #show(id: string, at: number): void {
    this.#open = id
    this.#search = null
    this.#at = at
    this.#update()
  }

  #close(): void {
    this.#open = this.#search = null
    this.#update()
  }
}

/** Put a list below its input, or above where there is more space. */
function placed(list: HTMLElement): void {
  const {top, bottom, left, width} = list.parentElement!.getBoundingClientRect()
  const whole = visualViewport?.height ?? innerHeight
  const isAbove = whole - bottom < Math.min(MOST_PX, list.scrollHeight) && top > whole - bottom
  const start = getComputedStyle(list).direction === 'rtl' ? document.documentElement.clientWidth - left - width : left
  list.classList.toggle('above', isAbove)
  const sizes = {top: bottom + 2, bottom: innerHeight - top + 2, start, width, most: Math.min(MOST_PX, (isAbove ? top : whole - bottom) - 8)}
  for (const [name, size] of Object.entries(sizes)) list.style.setProperty(`--_${name}`, `${size}px`)
}
