import {describe, expect, test} from 'vitest'
import {commandOf, type Command, type Key} from '../../src/grid/keyboard.js'

const NO_KEY = {shiftKey: false, ctrlKey: false, metaKey: false, altKey: false}
const BODY = {isRtl: false, isHeader: false}

/** "Ctrl+Shift+ArrowUp" as a key. */
function key(name: string, more: Partial<Key> = {}): Key {
  const parts = name.split('+')
  return {
    ...NO_KEY,
    key: parts.at(-1) || '+',
    shiftKey: parts.includes('Shift'),
    ctrlKey: parts.includes('Ctrl'),
    metaKey: parts.includes('Cmd'),
    altKey: parts.includes('Alt'),
    ...more,
  }
}

function move(name: string, extend = false): Command {
  return {kind: 'move', move: name, extend} as Command
}

describe('a key', () => {
  test.each<[string, Command]>([
    ['ArrowUp', move('up')],
    ['ArrowLeft', move('back')],
    ['Shift+ArrowRight', move('forth', true)],
    ['Ctrl+ArrowDown', move('bottom')],
    ['Cmd+ArrowUp', move('top')],
    ['Ctrl+Shift+End', move('last', true)],
    ['Ctrl+Home', move('first')],
    ['Home', move('rowStart')],
    ['PageDown', move('pageDown')],
    ['Shift+PageUp', move('pageUp', true)],
    ['Enter', {kind: 'edit'}],
    ['F2', {kind: 'edit'}],
    ['Escape', {kind: 'collapse'}],
    ['Delete', {kind: 'clear'}],
    ['Backspace', {kind: 'clear'}],
    ['Ctrl+z', {kind: 'undo'}],
    ['Cmd+Shift+Z', {kind: 'redo'}],
    ['Ctrl+y', {kind: 'redo'}],
    ['Ctrl+f', {kind: 'find'}],
    ['Ctrl+d', {kind: 'fillDown'}],
    ['Ctrl+a', {kind: 'selectAll'}],
    ['Shift+ ', {kind: 'selectRow'}],
    ['Ctrl+ ', {kind: 'selectColumn'}],
    ['F8', {kind: 'error', direction: 1}],
    ['Shift+F8', {kind: 'error', direction: -1}],
    ['a', {kind: 'type'}],
    ['Shift+A', {kind: 'type'}],
    ['+', {kind: 'type'}],
    ['Alt+å', {kind: 'type'}],
    ['Process', {kind: 'type'}],
  ])('%s is a command', (name, command) => {
    expect(commandOf(key(name), BODY)).toEqual(command)
  })

  test.each(['Tab', 'Shift+Tab', 'Ctrl+c', 'Ctrl+v', 'Ctrl+x', 'Ctrl+r', 'Alt+f', 'Alt+ArrowLeft', 'Shift', 'F5'])(
    '%s is left to the browser',
    name => {
      expect(commandOf(key(name), BODY)).toBeNull()
    },
  )

  test('of a German keyboard writes @ with AltGr', () => {
    const event = key('Ctrl+Alt+@', {getModifierState: name => name === 'AltGraph'})
    expect(commandOf(event, BODY)).toEqual({kind: 'type'})
  })

  test('points the other way where lines run from right to left', () => {
    expect(commandOf(key('ArrowLeft'), {...BODY, isRtl: true})).toEqual(move('forth'))
    expect(commandOf(key('Ctrl+ArrowRight'), {...BODY, isRtl: true})).toEqual(move('rowStart'))
    expect(commandOf(key('Home'), {...BODY, isRtl: true})).toEqual(move('rowStart'))
  })

  test('with Shift makes a column wider in the header, towards its end', () => {
    expect(commandOf(key('Shift+ArrowRight'), {isRtl: false, isHeader: true})).toEqual({kind: 'resize', by: 16})
    expect(commandOf(key('Shift+ArrowRight'), {isRtl: true, isHeader: true})).toEqual({kind: 'resize', by: -16})
  })
})
