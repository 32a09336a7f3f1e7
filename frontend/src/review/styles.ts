/** The review: toolbar, grid, rail. */

import {css} from 'lit'

import {changingStyles} from './changing.js'
import {findingStyles} from './finding.js'
import {leftOutStyles} from './left_out.js'
import {railStyles} from './rail.js'

export const reviewStyles = css`
  ${railStyles} ${findingStyles} ${changingStyles} ${leftOutStyles}
  .sides { display: flex; gap: 2px 12px; flex-wrap: wrap; margin-block: 4px; }
  .toolbar { display: flex; gap: 10px; align-items: center; padding: 12px 16px; border-block-end: 1px solid var(--_line); flex-wrap: wrap; }
  .toolbar .find { position: relative; inline-size: 200px; }
  .toolbar .find .icon { position: absolute; inset-block-start: 9px; inset-inline-start: 9px; color: var(--_fg-3); pointer-events: none; }
  .toolbar .find .input { padding-inline-start: 30px; min-block-size: 30px; text-overflow: ellipsis; }
  .review { display: grid; grid-template-columns: minmax(0, 1fr) 300px; block-size: clamp(360px, 62vh, 640px); min-block-size: 0; }
  .review.wide { grid-template-columns: minmax(0, 1fr); }
  /* What comes and goes is below the rows: it takes of their height, and nothing above it moves. */
  .rows { display: flex; flex-direction: column; min-inline-size: 0; min-block-size: 0; }
  .rows > si-review-grid { flex: 1; min-block-size: 80px; }
  .rows > * + * { border-block-start: 1px solid var(--_line); border-radius: 0; }
  .told { display: grid; font-size: 12.5px; border-block-end: 1px solid var(--_line); }
  .told > * { grid-area: 1 / 1; display: flex; gap: 4px 16px; flex-wrap: wrap; align-items: center; padding: 5px 16px; min-block-size: 39px; }
  .told > [inert] { visibility: hidden; }
  .viewed { background: var(--_accent-soft); }
  .facts { color: var(--_fg-3); }
  .facts .button { min-block-size: 24px; }
  .said { min-block-size: 28px; align-content: center; }
  .rail-opener { display: none; }
  .split { display: flex; position: relative; }
  .split > .button:not(.unfold) { flex: 1; white-space: normal; line-height: 1.25; }
  .split > .unfold { flex: none; border-start-start-radius: 0; border-end-start-radius: 0; border-inline-start-color: var(--_on-accent); padding-inline: 8px; }
  .split > .button:has(+ .unfold) { border-start-end-radius: 0; border-end-end-radius: 0; }
  .unfold .icon { transform: rotate(-90deg); }
  .folded { position: absolute; inset-block-end: calc(100% + 6px); inset-inline-end: 0; padding: 4px; box-shadow: var(--_shadow); }
  @container service-import (inline-size < 960px) {
    .review { grid-template-columns: minmax(0, 1fr); position: relative; }
    .review .rail { display: none; }
    .review.railed .rail { display: flex; position: absolute; inset-block: 0; inset-inline-end: 0; inline-size: min(340px, 100%); z-index: 3; box-shadow: var(--_shadow); }
    .rail-opener { display: inline-flex; }
  }
  @container service-import (inline-size < 640px) {
    .said { min-block-size: 40px; }
    .split { flex-basis: 100%; order: -1; }
    .toolbar { padding: 10px 12px; gap: 8px; }
    .toolbar .find { flex: 1 1 160px; }
    .toolbar .button.quiet { padding-inline: 9px; gap: 0; font-size: 0; }
    .toolbar > .grow { display: none; }
    .segments { flex-wrap: wrap; gap: 1px; background: var(--_line); }
    .toolbar .kbd, .answer .kbd { display: none; }
    .segments button { flex: 1 1 auto; padding-inline: 4px; min-block-size: 40px; font-size: 12.5px; border: 0; background: var(--_bg); }
  }
`
