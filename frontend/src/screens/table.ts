/** Which table of the file, and which row names the columns. */

import {css, html, nothing, type TemplateResult} from 'lit'

import {loaded} from '../api/problem.js'
import type {LeftOut, Question, Reading, Table, Tables} from '../api/shapes.js'
import {mayBeHeader, mayReadAgain} from '../flow/moves.js'
import {watch} from '../flow/step_times.js'
import {decisionOf} from '../flow/steps.js'
import {keepFocus} from '../ui/focus.js'
import {icon} from '../ui/icons.js'
import {button, notice, select, tag, title} from '../ui/pieces.js'
import {candidateText, questionText} from '../ui/question_text.js'
import type {PageFrames} from './page_frames.js'
import {Screen} from './screen.js'
import type {TablePlan} from './table_plan.js'
import {wordsIn} from './words/words.js'

const SHOWN_ROWS = 9
const MOST_REMARKS = 3
const NAMED_PARTS = 3
const ENCODINGS = ['utf-8', 'cp1252', 'iso-8859-1', 'iso-8859-15', 'cp1250', 'cp1251', 'cp437', 'mac_roman', 'utf-16', 'shift_jis', 'gb18030', 'big5', 'euc_kr']
const DELIMITERS = [',', ';', '\t', '|', ':']

interface Line {
  row: number
  cells: (string | null)[]
  kind: 'before' | 'header' | 'data'
}

export class TableScreen extends Screen {
  static override styles = css`
    .tables { display: grid; grid-template-columns: 216px minmax(0, 1fr); flex: 1; }
    .tables.single { grid-template-columns: minmax(0, 1fr); }
    .tables nav { border-inline-end: 1px solid var(--_line); padding: 18px 12px; background: var(--_bg-2); display: flex; flex-direction: column; gap: 4px; }
    .tables nav p { font-size: 12.5px; color: var(--_fg-2); padding: 0 8px 6px; }
    .option { font: inherit; font-size: 13.5px; text-align: start; display: flex; gap: 10px; padding: 9px 10px; border: 1.5px solid transparent; border-radius: 8px; background: none; color: inherit; align-items: flex-start; cursor: pointer; }
    .option:hover { background: var(--_bg-3); }
    .option[aria-pressed='true'] { background: var(--_bg); border-color: var(--_accent); }
    .reading { padding: 18px 20px; display: flex; flex-direction: column; gap: 14px; min-inline-size: 0; }
    .reading .choices { display: flex; gap: 12px; align-items: end; flex-wrap: wrap; }
    .reading .choices > label { inline-size: 160px; }
    .plan { padding: 12px 14px; display: grid; gap: 8px; }
    .sheet { overflow: auto; }
    .sheet table { font-size: 12.5px; }
    .sheet td { padding: 0 8px; white-space: nowrap; max-inline-size: 220px; overflow: hidden; text-overflow: ellipsis; }
    .sheet td:first-child { position: sticky; inset-inline-start: 0; background: inherit; }
    .sheet tr { background: var(--_bg); }
    .sheet tr.before { color: var(--_fg-3); background: var(--_bg-2); }
    .sheet tr.names { background: var(--_accent-soft); font-weight: 620; }
    .sheet .choice { display: inline-flex; align-items: center; gap: 9px; min-inline-size: 64px; min-block-size: 28px; cursor: pointer; color: var(--_fg-3); }
    @container service-import (inline-size < 760px) {
      .tables { grid-template-columns: minmax(0, 1fr); }
      .tables nav { border-inline-end: 0; border-block-end: 1px solid var(--_line); padding: 12px; }
    }
  `
  override readonly isFlush = true
  #tables: Tables | null = null
  #left: LeftOut | null = null
  #shown = 0
  #header: number | null = null
  #beside: PageFrames | null = null
  #plan: TablePlan | null = null

  override async enter(): Promise<void> {
    watch(this.flow)
    await this.flow.attempt(async () => {
      const [tables, left] = await Promise.all([
        this.flow.engine.tables(this.flow.recordId), this.flow.engine.leftOut(this.flow.recordId),
      ])
      this.#tables = tables
      this.#left = left
      this.#shown = tables.chosen
      this.#header = null
      await this.#openBeside()
      await this.#openPlan()
    })
  }

  /** Of a file with several tables, a person chooses what each becomes. */
  async #openPlan(): Promise<void> {
    if (!this.#mayRead || (this.#tables?.tables.length ?? 0) < 2) return void (this.#plan = null)
    const {TablePlan} = await loaded(import('./table_plan.js'))
    this.#plan ??= new TablePlan(this.flow, (table, at) => this.#name(table, at), reading => void this.#read(reading))
  }

  /** Where the file has pages, those of the table in use can be compared with its rows. */
  async #openBeside(): Promise<void> {
    if (!this.#table?.frames?.length) return
    const [{PageFrames}, {page}] = await Promise.all([loaded(import('./page_frames.js')), wordsIn(this.flow.page.language)])
    this.#beside ??= new PageFrames(this.flow, page, () => this.update(), reading => this.#read(reading))
    await this.#beside.enter(this.#table, this.#shown)
  }

  override updated(): void {
    keepFocus(this.stage.renderRoot, this.flow.isBusy)
    void this.#beside?.paint(this.stage.renderRoot)
  }

  get #mayRead(): boolean {
    return mayReadAgain(this.#left, this.flow.may('exclude'))
  }

  /** Whether the row that names the columns is chosen among the rows shown: then it is asked there alone. */
  get #mayChoose(): boolean {
    return this.#mayRead && this.#shown === this.#tables?.chosen && this.#table?.page === null
  }

  get #questions(): Question[] {
    return this.flow.questions.filter(question => decisionOf(question) === 'table')
  }

  get #table(): Table | undefined {
    return this.#tables?.tables[this.#shown]
  }

  override render(): TemplateResult {
    const tables = this.#tables?.tables ?? []
    if (!this.#table) return html`<div class="reading"><progress class="progress" aria-label=${this.say('starting')}></progress></div>`
    return html`<div class="tables ${tables.length > 1 ? '' : 'single'}">
      ${tables.length > 1 ? html`<nav aria-label=${this.say('tables_found', {n: tables.length})}>
        <p class="strong">${this.say('tables_found', {n: tables.length})}</p>${tables.map((table, at) => this.#option(table, at))}</nav>` : nothing}
      <div class="reading">
        ${this.#plan?.render(this.#tables!)}
        ${this.#questions.filter(({kind}) => kind !== 'header_row' || !this.#mayChoose).map(question => this.#asked(question))}
        <div class="row wrap">${title(this.say('ask_header_row'), this.say('header_hint'))}
          ${this.#mayChoose && this.#questions.some(({kind}) => kind === 'header_row') ? tag(this.say('question'), 'warn', 'question') : nothing}</div>
        ${this.#choices(this.#table)}
        ${this.#shown === this.#tables?.chosen ? this.#beside?.render(this.#shown, this.flow.may('exclude')) : nothing}
        <div class="card sheet" tabindex="0" role="region" aria-label=${this.say('first_rows')}>${this.#preview(this.#table)}</div>
        <p class="small muted">${this.#shownOf(this.#table)}</p>
        ${this.#told().map(message => notice('warn', message))}
      </div></div>`
  }

  override footer(): TemplateResult {
    const isOther = this.#shown !== this.#tables?.chosen
    const header = this.#header
    const act = isOther
      ? this.#mayRead ? button(this.say('use_table'), () => this.#use({table: this.#shown}), {kind: 'primary', disabled: this.flow.isBusy}) : nothing
      : header !== null
        ? button(this.say('use_header', {row: header + 1}), () => this.#use({table: this.#shown, headerRows: [header]}), {kind: 'primary', disabled: this.flow.isBusy})
        : button(this.say('continue'), () => void this.#confirm(), {kind: 'primary', disabled: this.flow.isBusy || !this.#tables})
    return html`${button(this.say('other_file'), () => this.flow.startOver(), {kind: 'quiet'})}<span class="grow"></span>
      ${isOther || !this.#mayRead ? nothing : button(this.say('no_header'), () => void this.#read({table: this.#shown, headerRows: []}), {kind: 'quiet'})}${act}`
  }

  /** What the reader remarked, each sentence once. */
  #told(): string[] {
    const all = (this.#tables?.issues ?? []).flatMap(issue => issue.message ? [issue.message] : [])
    return [...new Set(all)].slice(0, MOST_REMARKS)
  }

  #name(table: Table, at: number): string {
    const parts = table.stacked ?? []
    if (parts.length && parts.length <= NAMED_PARTS) return parts.map(part => this.#name(this.#tables!.tables[part]!, part)).join(' + ')
    if (table.sheet) return table.member ? `${table.member}: ${table.sheet}` : table.sheet
    if (table.page !== null) return this.say('page', {page: table.page})
    return table.member ?? this.say('table_number', {number: at + 1})
  }

  #option(table: Table, at: number): TemplateResult {
    const isNotes = table.columns.length < 2
    return html`<button type="button" class="option" aria-pressed=${at === this.#shown} @click=${() => { this.#shown = at; this.#header = null; this.update() }}>
      ${icon('grid')}<span class="grow"><bdi class="strong">${this.#name(table, at)}</bdi><br>
      <span class="small muted">${this.say('table_size', {rows: table.rowCount ?? 0, columns: table.columns.length})}${isNotes ? html`, ${this.say('looks_like_notes')}` : nothing}</span></span>
    </button>`
  }

  #asked(question: Question): TemplateResult {
    return notice('warn', html`<strong>${questionText(question, this.flow)}</strong>
      <div class="row wrap trouble-actions">${(this.#mayRead ? question.candidates : []).map(candidate => button(
        candidateText(question, candidate.value, candidate.label, this.flow),
        () => void this.flow.answer(question, candidate.value),
        {small: true, pressed: JSON.stringify(candidate.value) === JSON.stringify(question.default), label: candidate.effect || candidate.label},
      ))}</div>`, 'question')
  }

  #choices(table: Table): TemplateResult | typeof nothing {
    if (!this.#mayRead || (table.encoding === null && table.delimiter === null)) return nothing
    const encodings = [...new Set([table.encoding ?? 'utf-8', ...ENCODINGS])].map(value => ({value, text: value}))
    const names: Record<string, string> = {'\t': this.say('tab'), ' ': this.say('blank')}
    const delimiters = [...new Set([table.delimiter ?? ',', ...DELIMITERS])].map(value => ({value, text: names[value] ?? value}))
    return html`<div class="choices">
      <label><span class="label">${this.say('encoding')}</span>${select(encodings, table.encoding ?? 'utf-8', value => void this.#read({encoding: value}), this.say('encoding'))}</label>
      ${table.delimiter === null ? nothing : html`<label><span class="label">${this.say('separator')}</span>${select(delimiters, table.delimiter, value => void this.#read({delimiter: value}), this.say('separator'))}</label>`}
    </div>`
  }

  /** The physical rows of the table's beginning, as far as their numbers are known. */
  #lines(table: Table): Line[] {
    const isChosen = this.#shown === this.#tables?.chosen
    const left = isChosen ? (this.#left?.items ?? []).filter(row => row.step === null) : []
    const last = table.headerRows.at(-1) ?? -1
    const before = left.filter(row => row.sourceRow < last && !table.headerRows.includes(row.sourceRow))
      .map(row => ({row: row.sourceRow, cells: [row.text], kind: 'before' as const}))
    const gone = new Set(left.map(row => row.sourceRow))
    let row = last
    const data = table.preview.slice(0, SHOWN_ROWS).map(cells => {
      do row += 1; while (gone.has(row))
      return {row, cells, kind: 'data' as const}
    })
    const header = last < 0 ? [] : [{row: last, cells: table.columns, kind: 'header' as const}]
    return [...before, ...header, ...data]
  }

  #preview(table: Table): TemplateResult {
    const chosen = this.#header ?? table.headerRows.at(-1) ?? -1
    return html`<table><tbody>${this.#lines(table).map(line => html`
      <tr class=${line.row === chosen ? 'names' : line.row < chosen ? 'before' : ''}>
        <td class="number">${this.#mayChoose && mayBeHeader(line.row, table, this.flow.may('exclude'))
          ? html`<label class="choice"><input type="radio" name="header" .checked=${line.row === chosen} @change=${() => { this.#header = line.kind === 'header' ? null : line.row; this.update() }}>${line.row + 1}
            ${line.kind === 'header' ? tag(this.say('suggested'), 'accent') : nothing}</label>`
          : line.row + 1}</td>
        ${line.kind === 'before' ? html`<td colspan=${table.columns.length}><bdi>${line.cells[0]}</bdi></td>` : line.cells.map(cell => html`<td><bdi>${cell ?? ''}</bdi></td>`)}
      </tr>`)}</tbody></table>`
  }

  #shownOf(table: Table): string {
    const skipped = Object.values(table.skipped).reduce((sum, count) => sum + count, 0)
    const shown = this.say('showing_first', {shown: Math.min(SHOWN_ROWS, table.preview.length), n: table.rowCount ?? 0})
    return skipped ? `${shown} ${this.say('rows_not_data', {n: skipped})}` : shown
  }

  /** Read otherwise, and go on. */
  #use(reading: Reading): void {
    this.flow.at = 'parsing'
    void this.#read(reading)
  }

  async #read(reading: Reading): Promise<void> {
    const {engine, recordId} = this.flow
    const shown = 'tables' in reading || 'join' in reading ? {} : {table: this.#shown}
    if (!(await this.flow.change(() => engine.read(recordId, {...shown, ...reading})))) return
    await this.enter()
  }

  /** What is shown is right: the questions about it are answered by that. */
  async #confirm(): Promise<void> {
    const isSaid = await this.flow.attempt(async () => {
      for (const {id} of this.#questions) await this.flow.engine.dismiss(id, this.flow.recordId)
    })
    if (isSaid) await this.flow.confirm('table')
  }
}
