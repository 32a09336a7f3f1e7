/** What a key means in the grid. Pure: the event comes in, a command goes out. */

import type {Move} from './selection.js'

export type Command =
  | {readonly kind: 'move'; readonly move: Move; readonly extend: boolean}
  | {readonly kind: 'error'; readonly direction: 1 | -1}
  | {readonly kind: 'resize'; readonly by: number}
  | {
      readonly kind:
        | 'edit'
        | 'type'
        | 'clear'
        | 'collapse'
        | 'undo'
        | 'redo'
        | 'find'
        | 'fillDown'
        | 'selectAll'
        | 'selectRow'
        | 'selectColumn'
    }

export type CommandKind = Command['kind']

/** The part of a KeyboardEvent that matters. */
export interface Key {
  readonly key: string
  readonly shiftKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly isComposing?: boolean
  getModifierState?(name: 'AltGraph'): boolean
}

export interface KeyboardState {
  readonly isRtl: boolean
  readonly isHeader: boolean
}

const RESIZE_STEP_PX = 16

const PLAIN: Readonly<Record<string, Move>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'back',
  ArrowRight: 'forth',
  PageUp: 'pageUp',
  PageDown: 'pageDown',
  Home: 'rowStart',
  End: 'rowEnd',
}

const CONTROLLED: Readonly<Record<string, Move>> = {
  ArrowUp: 'top',
  ArrowDown: 'bottom',
  ArrowLeft: 'rowStart',
  ArrowRight: 'rowEnd',
  Home: 'first',
  End: 'last',
}

const MIRRORED: Readonly<Record<string, string>> = {ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft'}

const CHORDS: Readonly<Record<string, CommandKind>> = {
  z: 'undo',
  y: 'redo',
  f: 'find',
  d: 'fillDown',
  a: 'selectAll',
  ' ': 'selectColumn',
}

const SINGLES: Readonly<Record<string, CommandKind>> = {
  Enter: 'edit',
  F2: 'edit',
  Delete: 'clear',
  Backspace: 'clear',
  Escape: 'collapse',
}

/** The command of a key, or null when the key is not the grid's: Tab leaves, and so does Ctrl+C to `copy`. */
export function commandOf(event: Key, state: KeyboardState): Command | null {
  if (isTyped(event)) return shiftedSpace(event) ?? {kind: 'type'}
  const key = (state.isRtl && MIRRORED[event.key]) || event.key
  const isControlled = event.ctrlKey || event.metaKey
  if (event.altKey) return null
  if (key === 'F8') return {kind: 'error', direction: event.shiftKey ? -1 : 1}
  if (state.isHeader && event.shiftKey && !isControlled) {
    if (key === 'ArrowRight') return {kind: 'resize', by: RESIZE_STEP_PX}
    if (key === 'ArrowLeft') return {kind: 'resize', by: -RESIZE_STEP_PX}
  }
  const move = (isControlled ? CONTROLLED : PLAIN)[key]
  if (move) return {kind: 'move', move, extend: event.shiftKey}
  return isControlled ? chord(event) : single(event)
}

function shiftedSpace(event: Key): Command | null {
  return event.key === ' ' && event.shiftKey ? {kind: 'selectRow'} : null
}

function chord(event: Key): Command | null {
  const letter = event.key.toLowerCase()
  if (letter === 'z' && event.shiftKey) return {kind: 'redo'}
  const kind = event.shiftKey ? undefined : CHORDS[letter]
  return kind ? ({kind} as Command) : null
}

function single(event: Key): Command | null {
  const kind = SINGLES[event.key]
  return kind ? ({kind} as Command) : null
}

/** Return whether the key writes a character, or starts to compose one. */
function isTyped(event: Key): boolean {
  if (event.isComposing || event.key === 'Process' || event.key === 'Dead') return true
  if ([...event.key].length !== 1 || event.metaKey) return false
  if (event.getModifierState?.('AltGraph')) return true
  // Option writes "å" on a Mac; Alt+a stays the browser's own.
  return !event.ctrlKey && (!event.altKey || event.key > '\u007f')
}
