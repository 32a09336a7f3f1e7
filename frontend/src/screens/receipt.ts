/** The receipt of an import: what came in, what was skipped and why, which system has it, and until when it can be undone. */

import {css, html, type TemplateResult} from 'lit'

import type {Changeset, Delivery} from '../api/outcomes.js'
import type {ImportRecord, LeftOut, Proposal, Shape} from '../api/shapes.js'
import type {Flow} from '../flow/flow.js'
import {directionOf, type Say} from '../messages/catalogue.js'
import {sayOr} from '../messages/words.js'
import {save} from '../ui/download.js'
import type {Format} from '../ui/format.js'
import {button} from '../ui/pieces.js'
import {receiverName} from '../ui/receiver_name.js'
import {wordsIn, type ReceiptWords} from './words/words.js'

type Event = Shape<'EventOut'>

export interface Facts {
  record: ImportRecord
  changeset: Changeset | null
  deliveries: Delivery[]
  /** How many rows of the file were skipped, by reason. */
  skipped: LeftOut['counts']
  proposal: Proposal | null
  history: Event[]
  isBrowser: boolean
}

/** One part of a receipt: its title, and what it says line by line. */
export interface Part {
  title: string
  lines: [name: string, value: string][]
}

export interface Saying {
  words: ReceiptWords
  say: Say
  format: Format
}

const filled = (sentence: string, values: Record<string, string>): string => sentence.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')

/** A receipt in words: the same on the screen and in the file. */
export function partsOf(facts: Facts, saying: Saying): Part[] {
  const {words} = saying
  return [
    {title: words.came_in, lines: cameIn(facts, saying)},
    {title: words.skipped, lines: wasSkipped(facts, saying)},
    {title: words.who_has, lines: whoHas(facts, saying)},
    {title: words.undo, lines: wayBack(facts, saying)},
    {title: words.reference, lines: [['', facts.record.recordId]]},
  ]
}

function at(moment: string, {format}: Saying): string {
  return `${format.date(new Date(moment))}, ${format.time(new Date(moment))}`
}

/** The lines that count something. */
function counted(lines: [string, number | undefined][], {format}: Saying): [string, string][] {
  return lines.flatMap(([name, n]): [string, string][] => n ? [[name, format.number(n)]] : [])
}

function cameIn({record, changeset, history}: Facts, saying: Saying): [string, string][] {
  const {words, format} = saying
  const {counts, filename, size, createdAt} = record
  return [
    [words.file, `${filename}, ${format.bytes(size)}`],
    [words.uploaded, at(createdAt, saying)],
    ...counted([[words.in_file, counts.sourceRows]], saying),
    ...changeset ? [[words.applied, at(changeset.occurredAt, saying)] as [string, string]] : [],
    [words.imported, format.number(counts.imported ?? 0)],
    ...counted([
      [words.changes, history.filter(({what}) => what === 'changed').length],
      [words.answers, history.filter(({what, about}) => what === 'answered' && about['state'] === 'answered').length],
    ], saying),
  ]
}

function wasSkipped({record: {counts}, skipped, proposal, deliveries}: Facts, saying: Saying): [string, string][] {
  const {words, say, format} = saying
  const mapping = proposal?.mapping ?? {}
  const read = JSON.stringify(proposal?.recipe?.steps ?? [])
  const columns = (proposal?.columns ?? []).map(({column}) => column).filter(column => !(column in mapping) && !read.includes(JSON.stringify(column)))
  const refused = deliveries.flatMap(({results}) => results ?? []).filter(({status}) => status === 'error').length
  const lines = counted([
    ...Object.entries(skipped).map(([reason, n]): [string, number] => [sayOr(say, `reason_${reason}`, reason), n]),
    [words.with_errors, counts.failed], [words.removed, counts.excluded], [words.refused, refused],
  ], saying)
  if (columns.length) lines.push([words.columns, format.list(columns)])
  return lines.length ? lines : [['', words.nothing_skipped]]
}

function whoHas({record, changeset, deliveries, isBrowser}: Facts, saying: Saying): [string, string][] {
  const {words, say, format} = saying
  const rows = (n: number): string => say('rows', {n})
  if (isBrowser) return [[words.the_page, rows(record.counts.imported ?? 0)]]
  if (!deliveries.length) return [['', words.nowhere]]
  const registrations = new Map(record.deliveries.map(({id, webhookId}) => [id, webhookId])) // a page does not see that of a delivery
  return deliveries.map(({id, state, rowCount, settledAt, dueAt}) => {
    const next = dueAt && !settledAt ? say('tried_again', {time: format.time(new Date(dueAt))}) : ''
    const said = [sayOr(say, `delivery_${state}`, state), rows(rowCount), settledAt ? at(settledAt, saying) : next]
    return [receiverName(changeset?.receivers ?? [], registrations.get(id) ?? '', say), said.filter(Boolean).join(' · ')]
  })
}

function wayBack({record, changeset, isBrowser}: Facts, saying: Saying): [string, string][] {
  const {words, say, format} = saying
  if (['reverting', 'reverted'].includes(record.state) || changeset?.state === 'reverted') return [['', words.undone]]
  if (isBrowser) return [['', say('revert_browser')]]
  const receivers = changeset?.receivers ?? []
  const [until] = receivers.flatMap(({until}) => until ?? []).sort()
  const kept = receivers.filter(({told}) => !told).map(({label}) => label).filter(Boolean)
  const lines: [string, string][] = [['', until ? filled(words.until, {date: format.date(new Date(until))}) : words.never]]
  return until && kept.length ? [...lines, ['', filled(words.by_hand, {names: format.list(kept)})]] : lines
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`)

/** The receipt as a document of its own, without a script or an address. */
export function documentOf(title: string, parts: readonly Part[], locale: string): string {
  const lines = (part: Part): string => part.lines.map(([name, value]) => `<tr><th>${escaped(name)}<td>${escaped(value)}`).join('\n')
  return `<!doctype html>
<html lang="${escaped(locale)}" dir="${directionOf(locale)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:42em;margin:2em auto;padding:0 1em;color:#181c25}h2{font-size:1.1em;margin:1.6em 0 .3em}table{border-collapse:collapse;width:100%}th,td{text-align:start;vertical-align:top;padding:.3em 0;border-bottom:1px solid #ddd;font-weight:400;overflow-wrap:anywhere}th{width:45%;color:#555}th:empty{width:0}</style>
<h1>${escaped(title)}</h1>
${parts.map(part => `<h2>${escaped(part.title)}</h2>\n<table>\n${lines(part)}\n</table>`).join('\n')}
`
}

export class Receipt {
  readonly #flow: Flow
  #words: ReceiptWords | null = null
  #parts: Part[] = []
  #dialog: HTMLDialogElement | null = null

  constructor(flow: Flow) {
    this.#flow = flow
  }

  get #title(): string { return filled(this.#words!.title, {catalog: this.#flow.catalog?.title ?? ''}) }

  /** Read what the receipt says; what is no longer kept, or not for this page, is left out. */
  async open(changeset: Changeset | null, isBrowser: boolean): Promise<void> {
    const {engine, recordId, page} = this.#flow
    const record = this.#flow.record!
    const kept = async <T>(call: Promise<T>): Promise<T | null> => record.purgedAt ? null : call.catch(() => null)
    await this.#flow.attempt(async () => {
      const [{receipt: words}, left, proposal, history, deliveries] = await Promise.all([
        wordsIn(page.language), kept(engine.leftOut(recordId)), kept(engine.proposal(recordId)), this.#history(),
        Promise.all(record.deliveries.map(({id}) => engine.delivery(id, recordId))),
      ])
      const facts = {record, changeset, deliveries, proposal, history, isBrowser, skipped: left?.counts ?? {}}
      this.#words = words
      this.#parts = partsOf(facts, {words, say: page.say, format: page.format})
    })
    page.requestUpdate()
  }

  async #history(): Promise<Event[]> {
    const {engine, recordId} = this.#flow
    const events: Event[] = []
    for (let cursor: string | null = '0'; cursor !== null;) {
      const page: {items: Event[]; next: string | null} = await engine.transport.json(`imports/${recordId}/history?limit=500&cursor=${cursor}`)
      events.push(...page.items)
      cursor = page.next
    }
    return events
  }

  #close(): void {
    this.#dialog?.close() // which gives the focus back
    this.#parts = []
    this.#flow.page.requestUpdate()
  }

  #save(): void {
    const {page, record} = this.#flow
    const text = documentOf(this.#title, this.#parts, page.language)
    save(new Blob([text], {type: 'text/html'}), `${record!.filename.replace(/\.[^.]+$/, '')}-receipt.html`)
  }

  /** Save what the tenant signed: without data, to be verified anywhere. */
  async #saveSigned(): Promise<void> {
    const {engine, recordId} = this.#flow
    await this.#flow.attempt(async () => save(await (await engine.transport.send(`imports/${recordId}/receipt`)).blob(), `receipt-${recordId}.json`))
  }

  /** Called after each update: a dialog is opened by a call, not by its markup. */
  updated(root: ParentNode): void {
    const sheet = styles.styleSheet
    if (root instanceof ShadowRoot && sheet && !root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
    this.#dialog = root.querySelector<HTMLDialogElement>('dialog.receipt')
    if (this.#dialog && !this.#dialog.open) this.#dialog.showModal()
  }

  render(): TemplateResult | string {
    if (!this.#parts.length) return ''
    const {say} = this.#flow.page
    const cancel = (event: {preventDefault(): void}): void => { event.preventDefault(); this.#close() }
    return html`<dialog class="receipt" part="dialog" aria-labelledby="receipt-title" @cancel=${cancel}>
      <h2 id="receipt-title">${this.#title}</h2>
      ${this.#parts.map(({title, lines}) => html`<section><h3>${title}</h3>
        ${lines.map(([name, value]) => html`<p>${name ? html`<span class="muted">${name}</span>` : ''}<bdi>${value}</bdi></p>`)}</section>`)}
      <div class="row wrap">${button(this.#words!.save, () => this.#save(), {icon: 'download'})}${button(this.#words!.signed, () => void this.#saveSigned(), {icon: 'download'})}${button(say('close'), () => this.#close(), {kind: 'primary', autofocus: true})}</div>
    </dialog>`
  }
}

const styles = css`
  dialog.receipt[open] { display: grid; gap: 16px; grid-template-columns: minmax(0, 1fr); inline-size: min(620px, 100vw - 24px); max-block-size: calc(100dvh - 24px); overflow: auto; }
  .receipt h3 { font-size: 14px; margin-block-end: 4px; }
  .receipt p { display: flex; flex-wrap: wrap; gap: 2px 12px; padding-block: 5px; border-block-end: 1px solid var(--_line); font-size: 13.5px; overflow-wrap: anywhere; }
  .receipt p > .muted { flex: 0 0 220px; }
  .receipt p > bdi { flex: 1 1 200px; }
  .receipt .row { justify-content: flex-end; position: sticky; inset-block-end: -20px; margin-block: -8px -20px; padding-block: 8px 20px; background: var(--_bg); }
`
