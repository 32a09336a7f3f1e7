/** The columns, the sentences and the tokens of the grid. */

import {css} from 'lit'

import type {Flow} from '../flow/flow.js'
import type {GridColumn, GridLabels} from '../grid/types.js'
import type {MessageKey, Say} from '../messages/catalogue.js'

export const gridTokens = css`
  si-review-grid {
    /* The grid has the tokens by their public names, as they are after derivation. */
    --si-font: var(--_font);
    --si-mono: var(--_mono);
    --si-bg: var(--_bg);
    --si-bg-2: var(--_bg-2);
    --si-bg-3: var(--_bg-3);
    --si-line: var(--_line);
    --si-line-strong: var(--_line-strong);
    --si-control: var(--_control);
    --si-fg: var(--_fg);
    --si-fg-2: var(--_fg-2);
    --si-fg-3: var(--_fg-3);
    --si-accent: var(--_accent);
    --si-on-accent: var(--_on-accent);
    --si-accent-soft: var(--_accent-soft);
    --si-ok: var(--_ok);
    --si-ok-soft: var(--_ok-soft);
    --si-warn: var(--_warn);
    --si-warn-soft: var(--_warn-soft);
    --si-err: var(--_err);
    --si-err-soft: var(--_err-soft);
    --si-radius: var(--_radius);
    --si-radius-s: var(--_radius-s);
    --si-row: var(--_row);
    --si-shadow: var(--_shadow);
  }
`

const NUMERIC = /^(int|float|percentage|currency_eur|currency_usd)$/

/** One column per field that a person sees: those that are fed first, in the order of the catalog. */
export function gridColumns(flow: Flow): GridColumn[] {
  const canEdit = flow.may('fix')
  return flow.fields.filter(field => !field.hidden).map(field => ({
    key: field.path,
    label: field.label,
    type: field.columnType,
    required: field.required ?? false,
    readOnly: !canEdit,
    numeric: NUMERIC.test(field.columnType),
    ...(field.example ? {example: field.example} : {}),
  }))
}

const KEYS = [
  'grid', 'row', 'rowNumber', 'loading', 'rowsLoaded', 'required', 'excluded', 'edit', 'save', 'saveNext', 'cancel', 'clear',
  'leaveOut', 'close', 'example', 'previousError', 'nextError', 'errorOf', 'noErrors', 'noRows', 'error', 'warning', 'selected',
  'copied', 'pasted', 'notPasted', 'tooLarge', 'clipboardRefused', 'columnWidth',
] as const satisfies readonly (keyof GridLabels)[]

const made = new WeakMap<Say, GridLabels>()

/** The sentences, one object per language: a new one would be a change to the grid. */
export function gridLabels(say: Say): GridLabels {
  const known = made.get(say)
  if (known) return known
  const labels = Object.fromEntries(KEYS.map(key => [key, say(`grid_${key}` satisfies MessageKey)])) as unknown as GridLabels
  made.set(say, labels)
  return labels
}
