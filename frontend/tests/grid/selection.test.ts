import {describe, expect, test} from 'vitest'
import fc from 'fast-check'
import {cellsIn, contains, HEADER, inside, moved, Selection, type Move} from '../../src/grid/selection.js'

const BOUNDS = {rows: 100, cols: 5, page: 10}

describe('a move', () => {
  test.each<[Move, number, number]>([
    ['up', 49, 2],
    ['down', 51, 2],
    ['back', 50, 1],
    ['forth', 50, 3],
    ['pageUp', 40, 2],
    ['pageDown', 60, 2],
    ['rowStart', 50, 0],
    ['rowEnd', 50, 4],
    ['top', 0, 2],
    ['bottom', 99, 2],
    ['first', 0, 0],
    ['last', 99, 4],
  ])('%s leads to row %d, column %d', (move, row, col) => {
    expect(moved({row: 50, col: 2}, move, BOUNDS)).toEqual({row, col})
  })

  test('up from the first row leads into the header, and a page up does not', () => {
    expect(moved({row: 0, col: 1}, 'up', BOUNDS).row).toBe(HEADER)
    expect(moved({row: 3, col: 1}, 'pageUp', BOUNDS).row).toBe(0)
  })

  test('never leaves the cells', () => {
    const moves: Move[] = ['up', 'down', 'back', 'forth', 'pageUp', 'pageDown', 'first', 'last', 'top', 'bottom']
    const bounds = fc.record({rows: fc.nat(5), cols: fc.integer({min: 1, max: 5}), page: fc.integer({min: 1, max: 9})})
    fc.assert(
      fc.property(bounds, fc.array(fc.constantFrom(...moves)), (limits, path) => {
        let cell = inside({row: 0, col: 0}, limits)
        for (const move of path) cell = moved(cell, move, limits)
        expect(cell).toEqual(inside(cell, limits))
      }),
    )
  })
})

describe('a selection', () => {
  test('is drawn from its anchor in every direction', () => {
    const selection = new Selection()
    selection.to({row: 5, col: 3}, false)
    selection.to({row: 2, col: 1}, true)
    expect(selection.range).toEqual({top: 2, bottom: 5, start: 1, end: 3})
    selection.to({row: 8, col: 4}, true)
    expect(selection.range).toEqual({top: 5, bottom: 8, start: 3, end: 4})
    expect(cellsIn(selection.range)).toBe(8)
  })

  test('never takes the header in', () => {
    const selection = new Selection()
    selection.to({row: 0, col: 1}, false)
    selection.to({row: HEADER, col: 1}, true)
    expect(contains(selection.range, HEADER, 1)).toBe(false)
    expect(selection.active).toEqual({row: 0, col: 1})
  })

  test('of a rectangle keeps the focus in one of its corners', () => {
    const selection = new Selection()
    const range = {top: 2, bottom: 9, start: 0, end: 4}
    selection.spanning(range, {row: 9, col: 0})
    expect(selection.range).toEqual(range)
    expect(selection.active).toEqual({row: 9, col: 0})
  })
})
