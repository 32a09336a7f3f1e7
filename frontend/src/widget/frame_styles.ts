/** The frame around every step: header, steps, body, footer. */

import {css} from 'lit'

export const frameStyles = css`
  .frame { display: flex; flex-direction: column; background: var(--_bg); border: 1px solid var(--_line); border-radius: var(--_radius); box-shadow: var(--_shadow); overflow: clip; min-block-size: 420px; }
  .header { display: flex; align-items: center; gap: 20px; padding: 14px 20px; border-block-end: 1px solid var(--_line); }
  .header h1 { margin: 0; font-weight: 650; font-size: 15px; }
  .header .about { color: var(--_fg-3); font-size: 12.5px; }
  .steps { display: flex; gap: 4px; margin-inline-start: auto; counter-reset: step; }
  .step { counter-increment: step; display: flex; }
  .step > * { font: inherit; font-size: 13px; display: flex; align-items: center; gap: 8px; padding: 4px 10px 4px 6px; border: 0; border-radius: 99px; color: var(--_fg-3); background: none; }
  .step > *:dir(rtl) { padding: 4px 6px 4px 10px; }
  .step button { cursor: pointer; }
  .step button:hover { background: var(--_bg-3); color: var(--_fg); }
  .step .mark { inline-size: 20px; block-size: 20px; border-radius: 50%; display: grid; place-items: center; font-size: 11.5px; font-weight: 600; background: var(--_bg-3); color: var(--_fg-2); }
  .step .mark::before { content: counter(step); }
  .step.done .mark { background: var(--_ok-soft); color: var(--_ok); }
  .step.done .mark::before { content: none; }
  .step .mark .icon { inline-size: 12px; block-size: 12px; stroke-width: 2.2; }
  .step[aria-current] > * { background: var(--_accent-soft); color: var(--_link); font-weight: 600; }
  .step[aria-current] .mark { background: var(--_accent); color: var(--_on-accent); }
  .compact { display: none; }
  .body { flex: 1; padding: 24px 20px; display: flex; flex-direction: column; gap: 18px; min-inline-size: 0; }
  .body.flush { padding: 0; gap: 0; }
  .body.flush > .notice { border-radius: 0; }
  .body.busy { cursor: progress; }
  .wrong { padding: 20px; }
  .trouble-actions { margin-block-start: 8px; }
  .trouble-actions .button { white-space: normal; line-height: 1.25; }
  .footer { display: flex; flex-wrap: wrap; align-items: center; gap: 10px; padding: 12px 20px; border-block-start: 1px solid var(--_line); background: var(--_bg-2); min-block-size: 59px; z-index: 4; }
  .footer > .grow:not(:empty) { flex-basis: 240px; }
  .footer > .button { white-space: normal; line-height: 1.25; }
  /* The way on is in sight wherever the page is scrolled to, unless the window is so low that it would cover the step. */
  @media (min-height: 500px) { .footer:has(button) { position: sticky; inset-block-end: 0; } .body :is(button, input, select, summary, [tabindex]) { scroll-margin-block-end: 84px; } }
  .step-title { font-size: 15px; outline: none; }
  .notice .step-title { font-size: inherit; }
  dialog.modal { padding: 0; inline-size: min(1180px, calc(100vw - 24px)); max-inline-size: none; max-block-size: calc(100dvh - 24px); overflow: auto; border: 0; container: service-import / inline-size; }
  dialog.ask { display: none; }
  dialog.ask[open] { display: grid; grid-template-columns: minmax(0, 1fr); gap: 14px; }
  dialog.ask .button { white-space: normal; line-height: 1.25; }
  dialog.ask .row { justify-content: flex-end; flex-wrap: wrap; }
  @container service-import (inline-size < 860px) { .step:not([aria-current]) .name { position: absolute; inline-size: 1px; overflow: hidden; clip-path: inset(50%); } .step > * { padding: 4px !important; } .step[aria-current] > * { padding-inline: 6px 10px !important; } }
  @container service-import (inline-size < 960px) { .footer > .grow:not(:empty) { flex: 1 0 100%; order: -1; } .footer > .button.quiet:first-child { margin-inline-end: auto; } }
  @container service-import (inline-size < 640px) {
    .header { flex-wrap: wrap; gap: 10px; padding: 12px 16px; }
    .header .about { max-inline-size: 80vw; }
    .steps { inline-size: 100%; margin: 0; gap: 3px; }
    .step { flex: 1; }
    .step > * { inline-size: 100%; block-size: 4px; padding: 0 !important; border-radius: 99px; background: var(--_bg-3) !important; overflow: hidden; text-indent: -999px; }
    .step .mark { display: none; }
    .step .name { position: absolute; inline-size: 1px; overflow: hidden; clip-path: inset(50%); }
    .step.done > * { background: var(--_ok) !important; }
    .step[aria-current] > * { background: var(--_accent) !important; }
    .compact { display: flex; justify-content: space-between; inline-size: 100%; font-size: 13px; color: var(--_fg-3); }
    .compact strong { color: var(--_link); }
    .body { padding: 16px; }
    .footer { padding: 12px 16px; }
    .footer > .button { flex: 1 1 40%; }
    .footer > .button.primary { flex-basis: 100%; order: -1; }
    .footer > .grow { order: -2; }
    .footer > .grow:empty { display: none; }
  }
  @media (forced-colors: active) { .step[aria-current] .mark, .step.done .mark { border: 1px solid CanvasText; } }
`
