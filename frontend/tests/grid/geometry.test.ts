import {describe, expect, test} from 'vitest'
import fc from 'fast-check'
import {ColumnTrack, naturalWidth, revealing, rowSpan, Spacer, SPACER_CAP} from '../../src/grid/geometry.js'

const MILLION = 34 * 1_000_000
const VIEW = 600

function spacer(content = MILLION, view = VIEW): Spacer {
  const made = new Spacer()
  made.resize(content, view)
  return made
}

describe('the spacer', () => {
  test('is as high as a few rows, and never higher than Firefox can take', () => {
    expect(spacer(34 * 100).height).toBe(3400)
    expect(spacer().height).toBe(SPACER_CAP)
  })

  test('moves a million rows by exactly the pixels of a wheel', () => {
    const it = spacer()
    let scrollTop = it.moveTo(17_000_000)
    for (let tick = 0; tick < 50; tick += 1) {
      scrollTop += 240
      it.scrolled(scrollTop)
    }
    expect(it.virtualTop).toBe(17_000_000 + 50 * 240)
  })

  test('leads a drag of the thumb to the proportional place', () => {
    const it = spacer()
    it.scrolled((SPACER_CAP - VIEW) / 2)
    expect(it.virtualTop).toBeCloseTo((MILLION - VIEW) / 2, 3)
  })

  test('reaches the first and the last pixel', () => {
    const it = spacer()
    it.scrolled(SPACER_CAP - VIEW)
    expect(it.virtualTop).toBe(MILLION - VIEW)
    it.scrolled(0)
    expect(it.virtualTop).toBe(0)
  })

  test('sets the scroller right when a scroll ends, and the rows stay', () => {
    const it = spacer()
    const from = it.moveTo(10_000_000)
    for (let tick = 1; tick <= 100; tick += 1) it.scrolled(from + tick * 1000)
    const {virtualTop} = it
    const scrollTop = it.recentred()
    expect(scrollTop).toBeCloseTo(it.toScroll(virtualTop), 6)
    expect(it.virtualTop).toBe(virtualTop)
    expect(it.recentred()).toBeNull()
  })

  test('keeps the rows that are shown when the view becomes smaller', () => {
    const it = spacer()
    it.moveTo(12_345_678)
    it.resize(MILLION, 300)
    expect(it.virtualTop).toBe(12_345_678)
  })

  test('comes back to where it began from every place', () => {
    const it = spacer()
    fc.assert(
      fc.property(fc.double({min: 0, max: MILLION - VIEW, noNaN: true}), top => {
        expect(it.toVirtual(it.toScroll(top))).toBeCloseTo(top, 3)
      }),
    )
  })

  test('never runs backwards along the scroll bar', () => {
    const it = spacer()
    const place = fc.double({min: 0, max: SPACER_CAP - VIEW, noNaN: true})
    fc.assert(
      fc.property(place, place, (a, b) => {
        expect(it.toVirtual(Math.min(a, b))).toBeLessThanOrEqual(it.toVirtual(Math.max(a, b)))
      }),
    )
  })
})

describe('columns', () => {
  const track = new ColumnTrack([100, 50, 200])

  test.each([
    [0, 0],
    [99, 0],
    [100, 1],
    [149.5, 1],
    [150, 2],
    [9999, 2],
    [-5, 0],
  ])('at %d px stands column %d', (x, col) => {
    expect(track.at(x)).toBe(col)
  })

  test('are shown when a view touches them', () => {
    expect(track.span(120, 151)).toEqual({first: 1, last: 2})
    expect(track.span(0, 100)).toEqual({first: 0, last: 0})
    expect(new ColumnTrack([]).span(0, 500)).toEqual({first: 0, last: -1})
  })

  test('are as wide as most of their texts, within reason', () => {
    const usual = Array.from({length: 99}, () => 'ten chars.')
    const withOneLong = naturalWidth('Name', [...usual, 'x'.repeat(400)])
    expect(withOneLong).toBe(naturalWidth('Name', usual))
    expect(naturalWidth('', ['x'.repeat(400)])).toBe(300)
  })
})

test('the rows of a view end where the rows end', () => {
  expect(rowSpan(0, 340, 34, 1000)).toEqual({first: 0, last: 11})
  expect(rowSpan(0, 340, 34, 3)).toEqual({first: 0, last: 2})
  expect(rowSpan(0, 340, 34, 0)).toEqual({first: 0, last: -1})
})

test.each([
  [100, 50, 110, 120, 100], // inside: nothing moves
  [100, 50, 90, 100, 90], // before: its start becomes the first
  [100, 50, 160, 170, 120], // behind: its end becomes the last
  [100, 50, 90, 200, 90], // larger than the view: its start
])('a view at %d of %d px shows %d to %d from %d', (at, size, start, end, expected) => {
  expect(revealing(at, size, start, end)).toBe(expected)
})
