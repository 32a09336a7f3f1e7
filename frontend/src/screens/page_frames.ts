/** A page of the file next to its rows: a person moves the frame or a column line, and has the rows read again. */

import {css, html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit'

import type {Frame, Reading, ShownPage, Table} from '../api/shapes.js'
import type {Flow} from '../flow/flow.js'
import {button} from '../ui/pieces.js'
import {framesWithLine, framesWithout, moved, type Edge} from './frame_lines.js'
import type {PageWords} from './words/words.js'

const STEPS: Record<string, number> = {ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1}
const FAR = 10 // points with Shift
/** The page that is open in a flow: reading again shows other screens in between. */
const open = new WeakMap<Flow, number>()

export class PageFrames {
  readonly #flow: Flow
  readonly #words: PageWords
  readonly #update: () => void
  readonly #read: (reading: Reading) => Promise<void>
  #frames: Frame[] = []
  #isChanged = false
  #page = 1
  #shown: ShownPage | null = null
  #painted = ''

  constructor(flow: Flow, words: PageWords, update: () => void, read: (reading: Reading) => Promise<void>) {
    this.#flow = flow
    this.#words = words
    this.#update = update
    this.#read = read
  }

  /** A table was read: show its page again if one was open. */
  async enter(table: Table, number: number): Promise<void> {
    this.#frames = table.frames ?? []
    const page = open.get(this.#flow)
    if (page !== undefined) await this.#turn(number, page)
  }

  async #toggle(number: number): Promise<void> {
    if (!this.#shown) return this.#turn(number, this.#frames[0]?.page ?? 1)
    open.delete(this.#flow)
    this.#shown = null
    this.#update()
  }

  async #turn(number: number, page: number): Promise<void> {
    open.set(this.#flow, page)
    this.#page = page
    await this.#flow.attempt(async () => { this.#shown = await this.#flow.engine.page(this.#flow.recordId, number, page) })
    this.#update()
  }

  /** Put the styles of the page into the root that shows it. */
  adopt(root: ParentNode): void {
    const sheet = styles.styleSheet
    if (root instanceof ShadowRoot && sheet && !root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
  }

  /** Draw the picture; a page's policy may refuse images from data, but not a canvas. */
  async paint(root: ParentNode): Promise<void> {
    this.adopt(root)
    const canvas = root.querySelector<HTMLCanvasElement>('.paper canvas')
    const shown = this.#shown
    if (!canvas || !shown || (this.#painted === shown.image && canvas.width > 1)) return
    this.#painted = shown.image
    const bytes = Uint8Array.from(atob(shown.image), sign => sign.charCodeAt(0))
    const picture = await createImageBitmap(new Blob([bytes], {type: 'image/png'}))
    canvas.width = picture.width
    canvas.height = picture.height
    canvas.getContext('2d')!.drawImage(picture, 0, 0)
  }

  render(number: number, mayChange: boolean): TemplateResult {
    return html`<div>${button(this.#words.compare, () => void this.#toggle(number), {small: true, pressed: this.#shown !== null})}</div>${this.#beside(number, mayChange)}`
  }

  #beside(number: number, mayChange: boolean): TemplateResult | typeof nothing {
    const shown = this.#shown
    if (!shown) return nothing
    const {isBusy, page: {say}} = this.#flow
    const words = this.#words
    const turn = (step: number, label: string, text: string): TemplateResult =>
      button(text, () => void this.#turn(number, this.#page + step), {small: true, label, disabled: isBusy || this.#page + step < 1 || this.#page + step > shown.pages})
    return html`<section class="beside" aria-label=${words.compare}>
      <div class="row wrap">
        ${shown.pages > 1 ? html`${turn(-1, say('page', {page: this.#page - 1}), '‹')}<span>${say('page', {page: this.#page})}</span>${turn(1, say('page', {page: this.#page + 1}), '›')}` : nothing}
        <span class="grow small muted">${mayChange ? words.hint : nothing}</span>
        ${mayChange ? html`${button(words.add, () => this.#change(framesWithLine(this.#frames, this.#page)), {small: true, disabled: isBusy || !this.#own})}
          ${button(words.read, () => void this.#read({table: number, frames: this.#frames}), {small: true, disabled: isBusy || !this.#isChanged})}` : nothing}
      </div>
      <div class="paper"><canvas width="1" height="1"></canvas>${this.#lines(shown, mayChange)}</div>
      <div class="card sheet" tabindex="0" role="region" aria-label=${words.rows}><table><tbody>${shown.rows.map(row => html`<tr>
        <td class="number">${row.row + 1}</td>${row.cells.map(cell => html`<td><bdi>${cell ?? ''}</bdi></td>`)}</tr>`)}</tbody></table></div>
    </section>`
  }

  get #own(): Frame | undefined { return this.#frames.find(frame => frame.page === this.#page) }

  #lines(shown: ShownPage, mayChange: boolean): SVGTemplateResult {
    const box = ([x, y, right, bottom]: number[], kind: string, text = ''): SVGTemplateResult =>
      svg`<rect class=${kind} x=${x!} y=${y!} width=${right! - x!} height=${bottom! - y!}><title>${text}</title></rect>`
    const [frame, words] = [this.#own, this.#words]
    const edges: [Edge, string][] = frame ? [
      ...frame.columns.map((_, at): [Edge, string] => [at, words.line.replace('{number}', String(at))]),
      ['top', words.top], ['bottom', words.bottom],
    ] : []
    return svg`<svg viewBox="0 0 ${shown.width} ${shown.height}" preserveAspectRatio="none">
      ${shown.leftOut.map(left => box(left.box, 'left', left.text))}${shown.rows.map(row => box(row.box, 'took'))}
      ${frame ? edges.map(([edge, label]) => this.#line(frame, edge, label, mayChange)) : nothing}
    </svg>`
  }

  #line({box, columns}: Frame, edge: Edge, label: string, mayChange: boolean): SVGTemplateResult {
    const [left, top, right, bottom] = box as [number, number, number, number]
    const isAcross = typeof edge === 'string'
    const at = isAcross ? (edge === 'top' ? top : bottom) : columns[edge]!
    const [x1, y1, x2, y2] = isAcross ? [left, at, right, at] : [at, top, at, bottom]
    const drawn = (kind: string): SVGTemplateResult => svg`<line class=${kind} x1=${x1} y1=${y1} x2=${x2} y2=${y2}></line>`
    if (!mayChange) return drawn('edge')
    return svg`<g class=${isAcross ? 'grip across' : 'grip'} tabindex="0" role="slider" aria-label=${label} aria-valuenow=${Math.round(at)}
      aria-orientation=${isAcross ? 'vertical' : 'horizontal'}
      @keydown=${(event: KeyboardEvent) => this.#pressed(event, edge)}
      @pointerdown=${(event: PointerEvent) => { (event.currentTarget as Element).setPointerCapture(event.pointerId) }}
      @pointermove=${(event: PointerEvent) => this.#dragged(event, edge)}>${drawn('hit')}${drawn('edge')}</g>`
  }

  #pressed(event: KeyboardEvent, edge: Edge): void {
    const step = STEPS[event.key]
    if (event.key === 'Delete' && typeof edge === 'number') this.#change(framesWithout(this.#frames, edge))
    else if (step) this.#change(moved(this.#frames, this.#page, edge, step * (event.shiftKey ? FAR : 1)))
    else return
    event.preventDefault()
  }

  #dragged(event: PointerEvent, edge: Edge): void {
    const grip = event.currentTarget as SVGGElement
    const frame = this.#own
    if (!frame || !grip.hasPointerCapture(event.pointerId)) return
    const {left, top, width, height} = grip.ownerSVGElement!.getBoundingClientRect()
    const place = typeof edge === 'string' ? (event.clientY - top) / height * this.#shown!.height : (event.clientX - left) / width * this.#shown!.width
    const now = typeof edge === 'string' ? frame.box[edge === 'top' ? 1 : 3]! : frame.columns[edge]!
    this.#change(moved(this.#frames, this.#page, edge, place - now))
  }

  #change(frames: Frame[]): void {
    this.#frames = frames
    this.#isChanged = true
    this.#update()
  }
}

const styles = css`
  .beside { display: flex; flex-direction: column; gap: 10px; }
  .paper { position: relative; border: 1px solid var(--_line); max-block-size: 70vh; overflow: auto; }
  .paper canvas { display: block; inline-size: 100%; block-size: auto; background: #fff; }
  .paper svg { position: absolute; inset: 0; inline-size: 100%; block-size: auto; }
  .took { fill: #1a7f3726; } .left { fill: #b3400033; }
  .edge { stroke: #0b57d0; stroke-width: 1; vector-effect: non-scaling-stroke; }
  .hit { stroke: transparent; stroke-width: 10; }
  .grip { cursor: ew-resize; touch-action: none; outline: none; } .grip.across { cursor: ns-resize; }
  .grip:focus-visible .edge, .grip:hover .edge { stroke-width: 3; }
`
