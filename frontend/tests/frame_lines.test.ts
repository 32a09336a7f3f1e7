import {describe, expect, it} from 'vitest'

import {framesWithLine, framesWithout, moved} from '../src/screens/frame_lines.js'

const frame = (page: number, columns: number[]) => ({page, box: [columns[0]!, 100, columns.at(-1)!, 500], columns})
const FRAMES = [frame(1, [50, 120, 300, 400]), frame(2, [50, 123, 300, 400]), frame(3, [50, 200, 300, 400])]
const columnsOf = (frames: {columns: number[]}[]): number[][] => frames.map(({columns}) => columns)

describe('a column line', () => {
  it('moves on every page that has it', () => {
    expect(columnsOf(moved(FRAMES, 1, 1, 20))).toEqual([[50, 140, 300, 400], [50, 143, 300, 400], [50, 200, 300, 400]])
  })

  it('stays between its neighbours', () => {
    expect(moved(FRAMES, 1, 1, 900)[0]!.columns).toEqual([50, 296, 300, 400])
    expect(moved(FRAMES, 1, 1, -900)[0]!.columns).toEqual([50, 54, 300, 400])
  })

  it('is the side of the frame where it is the first or the last', () => {
    expect(moved(FRAMES, 1, 0, -10)[0]!.box).toEqual([40, 100, 400, 500])
    expect(moved(FRAMES, 1, 3, 10)[0]!.box).toEqual([50, 100, 410, 500])
    expect(moved(FRAMES, 1, 0, -900)[0]!.box[0]).toBe(0)
  })

  it('goes from every page, and the outer two stay', () => {
    expect(columnsOf(framesWithout(FRAMES, 1))).toEqual([[50, 300, 400], [50, 300, 400], [50, 300, 400]])
    expect(framesWithout(FRAMES, 0)).toEqual(FRAMES)
    expect(framesWithout(FRAMES, 3)).toEqual(FRAMES)
  })

  it('comes into the widest column, on every page', () => {
    expect(columnsOf(framesWithLine(FRAMES, 1))).toEqual([[50, 120, 210, 300, 400], [50, 123, 211.5, 300, 400], [50, 200, 250, 300, 400]])
  })
})

describe('the top and the bottom', () => {
  it('move on their page alone, and never cross', () => {
    const [first, second] = moved(FRAMES, 1, 'top', 30)
    expect([first!.box, second]).toEqual([[50, 130, 400, 500], FRAMES[1]])
    expect(moved(FRAMES, 1, 'bottom', -900)[0]!.box).toEqual([50, 100, 400, 104])
  })

  it('of a page without a frame move nothing', () => {
    expect(moved(FRAMES, 9, 'top', 30)).toEqual(FRAMES)
  })
})
