/** How the grid looks. Every colour and size comes from the tokens of `ui/theme.ts`, which it inherits. */

import {css} from 'lit'

const frame = css`
  :host {
    display: block; min-block-size: 160px; block-size: 100%; container-type: inline-size;
    color: var(--_fg); background: var(--_bg);
    font: 13px/1.4 var(--_font);
  }
  * { box-sizing: border-box; }
  .frame { position: relative; block-size: 100%; overflow: clip; --grid-row: var(--_row); }
  .scroller { block-size: 100%; overflow: auto; overscroll-behavior: contain; overflow-anchor: none; }
  .spacer { position: relative; }
  .pane {
    position: sticky; inset-block-start: 0; inset-inline-start: 0; overflow: clip;
    user-select: none; -webkit-user-select: none; cursor: default;
  }
  .probe { position: absolute; inline-size: 1px; block-size: var(--grid-row); visibility: hidden; }
  .hidden { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .body { position: absolute; inset-inline: 0; inset-block: var(--grid-row) 0; overflow: clip; }
  .layer { position: absolute; inset-inline: 0; inset-block: var(--grid-row) 0; overflow: clip; pointer-events: none; }
  .layer > * { pointer-events: auto; }
  .layer > .bubble { pointer-events: none; }
  .nothing { position: absolute; inset-inline: 0; inset-block-start: calc(var(--grid-row) * 2); text-align: center; color: var(--_fg-3); }
  @container (inline-size < 640px) { .frame { --grid-row: max(44px, var(--_row)); } }
`

const rows = css`
  .row, .headers { position: absolute; inset-block-start: 0; inset-inline-start: 0; inline-size: var(--grid-columns); block-size: var(--grid-row); contain: layout style; }
  .headers { z-index: 2; }
  .cell, .header, .head {
    position: absolute; inset-block: 0; overflow: hidden; padding-inline: 10px;
    line-height: calc(var(--grid-row) - 1px); white-space: nowrap; text-overflow: ellipsis; outline: none;
    border-block-end: 1px solid var(--_line); border-inline-end: 1px solid var(--_line);
    background: var(--_bg);
  }
  .head {
    z-index: 1; inset-inline-start: 0; inline-size: var(--grid-head); text-align: end;
    font-variant-numeric: tabular-nums; color: var(--_fg-3); background: var(--_bg-2);
  }
  .header { font-size: 12.5px; font-weight: 600; color: var(--_fg-2); background: var(--_bg-2); padding-inline-end: 14px; }
  .more { position: absolute; inset-block: 0; inset-inline-end: 9px; inline-size: 22px; text-align: center; cursor: pointer; background: inherit; opacity: 0; }
  .header:hover .more, .header:focus-visible .more, [aria-sort] .more { opacity: 1; }
  @media (hover: none) { .more { opacity: 1; } .header:has(.more:not([hidden])) { padding-inline-end: 32px; } }
  .star { color: var(--_err); margin-inline-start: 3px; }
  .numeric { text-align: end; font-variant-numeric: tabular-nums; }
  .error { background: var(--_err-soft); color: var(--_err); font-weight: 550; }
  .warning { background: var(--_warn-soft); color: var(--_warn); }
  .cell.error::after, .cell.warning::after {
    content: ''; position: absolute; inset-block-start: 0; inset-inline-end: 0; inline-size: 8px; block-size: 8px;
    background: currentColor; clip-path: polygon(0 0, 100% 0, 100% 100%);
  }
  .frame:dir(rtl) .cell::after { clip-path: polygon(0 0, 100% 0, 0 100%); }
  .changed::before {
    content: ''; position: absolute; inset-block: 0; inset-inline-start: 0; inline-size: 3px; background: var(--_accent);
  }
  .noted-warning { border-block-end: 2px dashed var(--_warn); }
  .noted-error { border-block-end: 2px dashed var(--_err); }
  .noted-proposed bdi { text-decoration: underline dotted 2px var(--_accent); text-underline-offset: 3px; }
  .excluded .cell { color: var(--_fg-3); text-decoration: line-through; background: var(--_bg-2); }
  .loading::after {
    content: ''; position: absolute; inset-inline: 10px 30%; inset-block: calc(50% - 4px) auto; block-size: 8px;
    border-radius: 4px; background: var(--_bg-3);
  }
  .selected { background: var(--_accent-soft); }
  .active { z-index: 1; }
  .active { outline: 2px solid var(--_line-strong); outline-offset: -2px; }
  .pane:focus-within .active { outline-color: var(--_accent); }
  .handle { position: absolute; inset-block: 0; inset-inline-end: 0; inline-size: 9px; cursor: col-resize; touch-action: none; }
  .handle:hover { background: var(--_line-strong); }
  .grip { position: absolute; z-index: 3; inline-size: 44px; block-size: 44px; margin: -22px; touch-action: none; }
  .grip::after {
    content: ''; position: absolute; inset: 14px; border-radius: 50%;
    background: var(--_accent); border: 2px solid var(--_bg);
  }
  .grip[hidden] { display: none; }
`

const layers = css`
  .bubble, .popover {
    position: absolute; z-index: 4; background: var(--_bg); color: var(--_fg);
    border: 1px solid var(--_line-strong); border-radius: 8px;
    box-shadow: var(--_shadow);
  }
  .bubble { max-inline-size: min(320px, 90%); padding: 8px 12px; white-space: normal; }
  .menu { position: fixed; margin: 0; padding: 4px; border: 1px solid var(--_line-strong); border-radius: 8px; background: var(--_bg); color: var(--_fg); box-shadow: var(--_shadow); }
  .menu:popover-open { display: grid; gap: 4px; }
  .bubble[hidden] { display: none; }
  .editor { user-select: text; -webkit-user-select: text; }
  .inline { position: absolute; z-index: 4; }
  .popover { inline-size: min(320px, calc(100% - 16px)); padding: 12px 14px; display: grid; gap: 9px; }
  .issues { display: grid; gap: 4px; }
  p { margin: 0; }
  .issues p { padding-inline-start: 22px; position: relative; }
  .issues p::before {
    content: '!'; position: absolute; inset-inline-start: 0; inset-block-start: 1px; inline-size: 15px; block-size: 15px;
    border: 1.5px solid; border-radius: 50%; font-size: 10px; line-height: 12px; font-weight: 700; text-align: center;
  }
  p.error { color: var(--_err); background: none; font-weight: 400; }
  p.warning { color: var(--_warn); background: none; }
  textarea {
    display: block; inline-size: 100%; font: inherit; color: inherit; background: var(--_bg); resize: none; margin: 0;
    border: 1px solid var(--_control); border-radius: 6px; padding: 5px 10px; overflow: auto;
  }
  .options { max-block-size: 168px; overflow: auto; border: 1px solid var(--_line); border-radius: 6px; }
  .options div { padding: 6px 10px; cursor: pointer; overflow-wrap: anywhere; }
  .options div:hover { background: var(--_bg-2); }
  .options [aria-selected=true] { background: var(--_accent-soft); outline: 2px solid var(--_accent); outline-offset: -2px; }
  .sheet .options div { padding-block: 12px; }
  textarea:focus { outline: 2px solid var(--_accent); outline-offset: -1px; }
  .inline textarea { border-color: transparent; border-radius: 0; min-block-size: var(--grid-row); padding-inline: 9px; box-shadow: var(--_shadow); }
  textarea[aria-invalid='true'] { border-color: var(--_err); }
  .muted { color: var(--_fg-3); font-size: 12.5px; }
  button {
    font: inherit; font-weight: 550; min-block-size: 28px; padding-inline: 10px; border-radius: 6px; color: inherit;
    border: 1px solid var(--_line-strong); background: var(--_bg); cursor: pointer;
  }
  button.primary { background: var(--_accent); border-color: var(--_accent); color: var(--_on-accent); }
  button:focus-visible { outline: 2px solid var(--_accent); outline-offset: 2px; }
  .buttons { display: flex; flex-wrap: wrap; gap: 8px; }
  .popover .leave { margin-inline-start: auto; border-color: transparent; color: var(--_accent); padding-inline: 4px; }
  svg { inline-size: 16px; block-size: 16px; fill: none; stroke: currentColor; stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; vertical-align: middle; }
  .frame:dir(rtl) .steps svg { transform: scaleX(-1); }
  .steps .back svg { transform: scaleX(-1); }
  .frame:dir(rtl) .steps .back svg { transform: none; }
`

const sheet = css`
  .sheet {
    position: absolute; z-index: 5; inset-inline: 0; inset-block-end: 0; display: grid; gap: 10px; padding: 20px 16px 16px;
    max-block-size: calc(100% - 2 * var(--grid-row)); overflow: auto; font-size: 14px;
    background: var(--_bg); border-block-start: 1px solid var(--_line-strong);
    border-start-start-radius: 16px; border-start-end-radius: 16px; box-shadow: 0 -8px 24px rgb(16 24 40 / .12);
    animation: rise .16s ease-out;
  }
  .sheet::before { content: ''; position: absolute; inset-block-start: 8px; inset-inline: calc(50% - 18px); block-size: 4px; border-radius: 2px; background: var(--_line-strong); }
  @keyframes rise { from { transform: translateY(40px); opacity: 0; } }
  @media (prefers-reduced-motion: reduce) { .sheet { animation: none; } }
  .sheet .heading { display: flex; gap: 10px; align-items: start; justify-content: space-between; }
  .sheet strong { font-size: 15px; }
  .sheet button { min-block-size: 44px; min-inline-size: 44px; flex: 1 1 40%; }
  .sheet .primary { flex-basis: 100%; }
  .sheet .close { flex: none; border-color: transparent; }
  .sheet textarea { min-block-size: 44px; padding-block: 11px; font-size: 16px; }
  .sheet .steps { display: flex; align-items: center; justify-content: space-between; border-block-start: 1px solid var(--_line); padding-block-start: 12px; }
  .sheet .steps button { flex: none; }
  @media (forced-colors: active) {
    .selected { outline: 1px dashed Highlight; outline-offset: -1px; }
    .active, .pane:focus-within .active { outline: 2px solid Highlight; }
    .cell.error::after, .cell.warning::after, .changed::before { forced-color-adjust: none; background: CanvasText; }
    .grip::after { forced-color-adjust: none; background: Highlight; }
    .loading::after { border: 1px solid GrayText; }
  }
`

export const styles = [frame, rows, layers, sheet]
