/** The fields in their order: chosen by click or arrows, moved by drag or by keyboard. */

import {html, nothing, type TemplateResult} from 'lit'
import {guard} from 'lit/directives/guard.js'

import {fieldsOf, isRequired, list, nameOf, text, typeOf, type Field} from '../model/catalog.js'
import {moveField, stepField, type Place} from '../model/reorder.js'
import {pointer} from '../model/tree.js'
import type {Form} from '../ui/form.js'
import {sign} from '../ui/icons.js'
import {button, tag} from '../ui/pieces.js'

const idOf = (place: Place): string => `field-${place.entry}-${place.field}`
const same = (a: Place | null, b: Place | null): boolean => a?.entry === b?.entry && a?.field === b?.field

export class FieldsList {
  readonly #form: Form
  readonly #select: (place: Place) => void
  readonly #add: (entry: number) => void
  #wanted = ''
  #lifted: {from: Place} | null = null
  #dragged: Place | null = null
  #over: Place | null = null

  constructor(form: Form, select: (place: Place) => void, add: (entry: number) => void) {
    this.#form = form
    this.#select = select
    this.#add = add
  }

  render(selected: Place | null): TemplateResult {
    const {desk, draft} = this.#form
    const {say} = desk
    const entries = draft.document.entries
    const canMove = desk.mayEdit && !this.#wanted
    return html`<nav class="fields" aria-label=${say('fields')}>
      <div class="fields-head">
        <label class="search grow">${sign('search')}<input class="input" type="search" placeholder=${say('filter_fields')} aria-label=${say('filter_fields')}
          @input=${(event: Event) => { this.#wanted = (event.target as HTMLInputElement).value.toLowerCase(); desk.requestUpdate() }}></label>
        ${desk.mayEdit ? button(say('field'), () => this.#add(selected?.entry ?? entries.length - 1), {sign: 'plus', small: true, label: say('add_field'), class: 'add-field'}) : nothing}
      </div>
      <div class="fields-scroll">${entries.map((entry, e) => html`
        ${entries.length > 1 ? html`<h2 class="entry-head"><bdi>${text(entry['label']) || text(entry.id)}</bdi> <code>${text(entry.id)}</code></h2>` : nothing}
        <ol class="field-rows" aria-label=${text(entry['label']) || text(entry.id)}>${fieldsOf(entry).map((field, f) => {
          const place = {entry: e, field: f}
          const findings = draft.findings.under(pointer(['entries', e, 'fields', f]))
          const isSelected = same(selected, place)
          const isFirst = selected === null && e === 0 && f === 0
          const isLifted = this.#lifted !== null && isSelected
          const isOver = same(this.#over, place)
          return guard([field, isSelected, isFirst, isLifted, isOver, findings.length, canMove, this.#wanted, say, fieldsOf(entry).length, text(entry.id)],
            () => (this.#matches(field) ? this.#row(field, place, {isSelected, isReached: isSelected || isFirst, isLifted, isOver, canMove, count: fieldsOf(entry).length, entry: text(entry.id)}) : nothing))
        })}</ol>
        ${fieldsOf(entry).length ? nothing : html`<p class="muted small pad">${say('no_fields')}</p>`}`)}
      </div>
    </nav>`
  }

  #matches(field: Field): boolean {
    if (!this.#wanted) return true
    const names = list(field['alternativeMatches']).map(text)
    return [nameOf(field), text(field.key), typeOf(field), ...names].some(item => item.toLowerCase().includes(this.#wanted))
  }

  #row(field: Field, place: Place, is: {isSelected: boolean; isReached: boolean; isLifted: boolean; isOver: boolean; canMove: boolean; count: number; entry: string}): TemplateResult {
    const {desk, draft} = this.#form
    const {say} = desk
    const findings = draft.findings.under(pointer(['entries', place.entry, 'fields', place.field]))
    const errors = findings.filter(finding => finding.severity === 'error').length
    const separator = text(draft.document['keySeparator']) || '.'
    return html`<li class="field-row ${is.isSelected ? 'selected' : ''} ${is.isLifted ? 'lifted' : ''} ${is.isOver ? 'over' : ''} ${field['disabled'] === true ? 'faded' : ''}" draggable=${is.canMove ? 'true' : nothing}
      @dragstart=${(event: DragEvent) => this.#dragStart(event, place)} @dragover=${(event: DragEvent) => this.#dragOver(event, place)}
      @dragend=${() => this.#dragEnd()} @drop=${(event: DragEvent) => this.#drop(event, place)}>
      ${is.canMove ? html`<button type="button" class="handle" tabindex=${is.isReached ? 0 : -1} aria-pressed=${String(is.isLifted)}
        aria-label=${say('move_handle', {name: nameOf(field), place: place.field + 1, count: is.count})} title=${say('move_hint')}
        @click=${() => this.#lift(place)} @keydown=${(event: KeyboardEvent) => this.#handleKey(event, place)}>${sign('drag')}</button>` : nothing}
      <button type="button" class="field-main" id=${idOf(place)} tabindex=${is.isReached ? 0 : -1} aria-current=${is.isSelected ? 'true' : nothing}
        @click=${() => this.#choose(place)} @keydown=${(event: KeyboardEvent) => this.#mainKey(event, place)}>
        <span class="grow"><bdi class="clip name">${nameOf(field) || say('unnamed')}</bdi><code class="clip">${is.entry}${separator}${text(field.key)}</code></span>
        <span class="tags">${errors ? tag(errors, 'err', 'err') : findings.length ? tag(findings.length, 'warn', 'warn') : nothing}
          ${isRequired(field) ? tag(say('required'), 'accent') : nothing}${tag(field['reference'] ? say('reference') : typeOf(field))}</span>
      </button></li>`
  }

  #choose(place: Place): void {
    this.#lifted = null
    this.#select(place)
  }

  #mainKey(event: KeyboardEvent, place: Place): void {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (!step) return
    event.preventDefault()
    const shown = this.#shown()
    const next = shown[shown.findIndex(item => same(item, place)) + step]
    if (!next) return
    this.#choose(next)
    this.#form.desk.focus(`#${idOf(next)}`)
  }

  #shown(): Place[] {
    return this.#form.draft.document.entries.flatMap((entry, e) =>
      fieldsOf(entry).flatMap((field, f) => (this.#matches(field) ? [{entry: e, field: f}] : [])))
  }

  // By keyboard: Space lifts, arrows move, Space drops, Escape puts back

  #lift(place: Place): void {
    const {desk, draft} = this.#form
    const field = fieldsOf(draft.document.entries[place.entry])[place.field]!
    if (this.#lifted) {
      this.#lifted = null
      desk.announce(desk.say('dropped', {name: nameOf(field), place: place.field + 1}))
    } else {
      this.#select(place)
      this.#lifted = {from: place}
      desk.announce(desk.say('lifted', {name: nameOf(field), place: place.field + 1}))
    }
    desk.requestUpdate()
  }

  #handleKey(event: KeyboardEvent, place: Place): void {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (event.key === 'Escape' && this.#lifted) {
      event.preventDefault()
      event.stopPropagation()
      const {from} = this.#lifted
      this.#lifted = null
      this.#move(moveField(this.#form.draft.document, place, from), 'put_back')
    } else if (step) {
      event.preventDefault()
      if (this.#lifted) this.#move(stepField(this.#form.draft.document, place, step), 'moved_to')
    }
  }

  #move({catalog, place}: {catalog: Form['draft']['document']; place: Place}, say: 'moved_to' | 'put_back' | 'dropped'): void {
    const {desk, draft} = this.#form
    const fields = fieldsOf(catalog.entries[place.entry])
    draft.change(catalog, 'order')
    this.#select(place)
    desk.announce(desk.say(say, {name: nameOf(fields[place.field]!), place: place.field + 1, count: fields.length}))
    desk.focus(`.field-row.selected ${say === 'dropped' ? '.field-main' : '.handle'}`)
  }

  // By drag

  #dragStart(event: DragEvent, place: Place): void {
    this.#dragged = place
    event.dataTransfer?.setData('text/plain', '')
    if (event.dataTransfer) event.dataTransfer.effectAllowed = 'move'
  }

  #dragOver(event: DragEvent, place: Place): void {
    if (!this.#dragged) return
    event.preventDefault()
    if (same(this.#over, place)) return
    this.#over = place
    this.#form.desk.requestUpdate()
  }

  #dragEnd(): void {
    this.#dragged = this.#over = null
    this.#form.desk.requestUpdate()
  }

  #drop(event: DragEvent, place: Place): void {
    event.preventDefault()
    const from = this.#dragged
    this.#dragEnd()
    if (from && !same(from, place)) this.#move(moveField(this.#form.draft.document, from, place), 'dropped')
  }
}
