/** Frames of a table on its pages, and what moving one of their lines makes of them. Pure. */

import type {Frame} from '../api/shapes.js'

/** A line of a frame: a border of columns by its number, or one of the two across. */
export type Edge = number | 'top' | 'bottom'

const LEAST = 4 // points between two lines
const SAME = 6 // points: lines of two pages that are nearer are one

const round = (place: number): number => Math.round(place * 10) / 10

const between = (place: number, low = 0, high = Infinity): number => round(Math.min(Math.max(place, low + LEAST), high - LEAST))

/** Frames with new columns; the outer ones are the sides of the frame. */
const withColumns = (frame: Frame, columns: number[]): Frame =>
  ({...frame, columns, box: [columns[0]!, frame.box[1]!, columns.at(-1)!, frame.box[3]!]})

/** Move a line of a page; a border of columns moves on every page that has it. */
export function moved(frames: readonly Frame[], page: number, edge: Edge, by: number): Frame[] {
  const own = frames.find(frame => frame.page === page)
  return frames.map(frame => {
    if (!own) return frame
    if (typeof edge === 'string') {
      if (frame !== own) return frame
      const [left, top, right, bottom] = frame.box as [number, number, number, number]
      return {...frame, box: edge === 'top'
        ? [left, between(top + by, -LEAST, bottom), right, bottom] : [left, top, right, between(bottom + by, top)]}
    }
    const at = frame.columns[edge]!
    if (Math.abs(at - own.columns[edge]!) > SAME) return frame
    const place = between(at + by, frame.columns[edge - 1] ?? -LEAST, frame.columns[edge + 1])
    return withColumns(frame, frame.columns.with(edge, place))
  })
}

/** Take a border of columns away on every page; the outer two stay. */
export const framesWithout = (frames: readonly Frame[], edge: number): Frame[] => frames.map(frame =>
  edge > 0 && edge < frame.columns.length - 1 ? withColumns(frame, frame.columns.toSpliced(edge, 1)) : frame)

/** Put a border into the middle of the widest column of a page, on every page. */
export function framesWithLine(frames: readonly Frame[], page: number): Frame[] {
  const own = frames.find(frame => frame.page === page) ?? frames[0]!
  const widths = own.columns.slice(1).map((right, at) => right - own.columns[at]!)
  const at = widths.indexOf(Math.max(...widths))
  return frames.map(frame => withColumns(frame, frame.columns.toSpliced(at + 1, 0, round((frame.columns[at]! + frame.columns[at + 1]!) / 2))))
}
