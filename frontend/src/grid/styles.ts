/** How the grid looks. Every colour and size comes from the tokens of the page. */

import {css} from 'lit'

const frame = css`
  :host {
    display: block; min-block-size: 160px; block-size: 100%; container-type: inline-size;
    color: var(--si-fg, #161b26); background: var(--si-bg, #fff);
    font: 13px/1.4 var(--si-font, system-ui, sans-serif);
  }
  * { box-sizing: border-box; }
  .frame { position: relative; block-size: 100%; overflow: clip; --grid-row: var(--si-row, 34px); }
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
  .nothing { position: absolute; inset-inline: 0; inset-block-start: calc(var(--grid-row) * 2); text-align: center; color: var(--si-fg-3, #5f6879); }
  @container (inline-size < 640px) { .frame { --grid-row: max(44px, var(--si-row, 34px)); } }
`

const rows = css`
  .row, .headers { position: absolute; inset-block-start: 0; inset-inline-start: 0; inline-size: var(--grid-columns); block-size: var(--grid-row); contain: layout style; }
  .headers { z-index: 2; }
  .cell, .header, .head {
    position: absolute; inset-block: 0; overflow: hidden; padding-inline: 10px;
    line-height: calc(var(--grid-row) - 1px); white-space: nowrap; text-overflow: ellipsis; outline: none;
    border-block-end: 1px solid var(--si-line, #dfe3ea); border-inline-end: 1px solid var(--si-line, #dfe3ea);
    background: var(--si-bg, #fff);
  }
  .head {
    z-index: 1; inset-inline-start: 0; inline-size: var(--grid-head); text-align: end;
    font-variant-numeric: tabular-nums; color: var(--si-fg-3, #5f6879); background: var(--si-bg-2, #f7f8fa);
  }
  .header { font-size: 12.5px; font-weight: 600; color: var(--si-fg-2, #475063); background: var(--si-bg-2, #f7f8fa); padding-inline-end: 14px; }
  .star { color: var(--si-err, #b3261e); margin-inline-start: 3px; }
  .numeric { text-align: end; font-variant-numeric: tabular-nums; }
  .error { background: var(--si-err-soft, #fdeceb); color: var(--si-err, #b3261e); font-weight: 550; }
  .warning { background: var(--si-warn-soft, #fdf3e1); color: var(--si-warn, #8a5200); }
  .cell.error::after, .cell.warning::after {
    content: ''; position: absolute; inset-block-start: 0; inset-inline-end: 0; inline-size: 8px; block-size: 8px;
    background: currentColor; clip-path: polygon(0 0, 100% 0, 100% 100%);
  }
  .frame:dir(rtl) .cell::after { clip-path: polygon(0 0, 100% 0, 0 100%); }
  .changed::before {
    content: ''; position: absolute; inset-block: 0; inset-inline-start: 0; inline-size: 3px; background: var(--si-accent, #2457d6);
  }
  .excluded .cell { color: var(--si-fg-3, #5f6879); text-decoration: line-through; background: var(--si-bg-2, #f7f8fa); }
  .loading::after {
    content: ''; position: absolute; inset-inline: 10px 30%; inset-block: calc(50% - 4px) auto; block-size: 8px;
    border-radius: 4px; background: var(--si-bg-3, #eef0f4);
  }
  .selected { background: var(--si-accent-soft, #eaf0fe); }
  .active { z-index: 1; }
  .active { outline: 2px solid var(--si-line-strong, #c3cad6); outline-offset: -2px; }
  .pane:focus-within .active { outline-color: var(--si-accent, #2457d6); }
  .handle { position: absolute; inset-block: 0; inset-inline-end: 0; inline-size: 9px; cursor: col-resize; touch-action: none; }
  .handle:hover { background: var(--si-line-strong, #c3cad6); }
  .grip { position: absolute; z-index: 3; inline-size: 44px; block-size: 44px; margin: -22px; touch-action: none; }
  .grip::after {
    content: ''; position: absolute; inset: 14px; border-radius: 50%;
    background: var(--si-accent, #2457d6); border: 2px solid var(--si-bg, #fff);
  }
  .grip[hidden] { display: none; }
`

const layers = css`
  .bubble, .popover {
    position: absolute; z-index: 4; background: var(--si-bg, #fff); color: var(--si-fg, #161b26);
    border: 1px solid var(--si-line-strong, #c3cad6); border-radius: 8px;
    box-shadow: var(--si-shadow, 0 8px 24px rgb(16 24 40 / .12));
  }
  .bubble { max-inline-size: min(320px, 90%); padding: 8px 12px; white-space: normal; }
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
  p.error { color: var(--si-err, #b3261e); background: none; font-weight: 400; }
  p.warning { color: var(--si-warn, #8a5200); background: none; }
  textarea {
    display: block; inline-size: 100%; font: inherit; color: inherit; background: var(--si-bg, #fff); resize: none; margin: 0;
    border: 1px solid var(--si-control, #858e9e); border-radius: 6px; padding: 5px 10px; overflow: auto;
  }
  textarea:focus { outline: 2px solid var(--si-accent, #2457d6); outline-offset: -1px; }
  .inline textarea { border-color: transparent; border-radius: 0; min-block-size: var(--grid-row); padding-inline: 9px; box-shadow: var(--si-shadow, none); }
  textarea[aria-invalid='true'] { border-color: var(--si-err, #b3261e); }
  .muted { color: var(--si-fg-3, #5f6879); font-size: 12.5px; }
  button {
    font: inherit; font-weight: 550; min-block-size: 28px; padding-inline: 10px; border-radius: 6px; color: inherit;
    border: 1px solid var(--si-line-strong, #c3cad6); background: var(--si-bg, #fff); cursor: pointer;
  }
  button.primary { background: var(--si-accent, #2457d6); border-color: var(--si-accent, #2457d6); color: var(--si-on-accent, #fff); }
  button:focus-visible { outline: 2px solid var(--si-accent, #2457d6); outline-offset: 2px; }
  .buttons { display: flex; flex-wrap: wrap; gap: 8px; }
  .popover .leave { margin-inline-start: auto; border-color: transparent; color: var(--si-accent, #2457d6); padding-inline: 4px; }
  svg { inline-size: 16px; block-size: 16px; fill: none; stroke: currentColor; stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; vertical-align: middle; }
  .frame:dir(rtl) .steps svg { transform: scaleX(-1); }
  .steps .back svg { transform: scaleX(-1); }
  .frame:dir(rtl) .steps .back svg { transform: none; }
`

const sheet = css`
  .sheet {
    position: absolute; z-index: 5; inset-inline: 0; inset-block-end: 0; display: grid; gap: 10px; padding: 20px 16px 16px;
    max-block-size: calc(100% - 2 * var(--grid-row)); overflow: auto; font-size: 14px;
    background: var(--si-bg, #fff); border-block-start: 1px solid var(--si-line-strong, #c3cad6);
    border-start-start-radius: 16px; border-start-end-radius: 16px; box-shadow: 0 -8px 24px rgb(16 24 40 / .12);
    animation: rise .16s ease-out;
  }
  .sheet::before { content: ''; position: absolute; inset-block-start: 8px; inset-inline: calc(50% - 18px); block-size: 4px; border-radius: 2px; background: var(--si-line-strong, #c3cad6); }
  @keyframes rise { from { transform: translateY(40px); opacity: 0; } }
  @media (prefers-reduced-motion: reduce) { .sheet { animation: none; } }
  .sheet .heading { display: flex; gap: 10px; align-items: start; justify-content: space-between; }
  .sheet strong { font-size: 15px; }
  .sheet button { min-block-size: 44px; min-inline-size: 44px; flex: 1 1 40%; }
  .sheet .primary { flex-basis: 100%; }
  .sheet .close { flex: none; border-color: transparent; }
  .sheet textarea { min-block-size: 44px; padding-block: 11px; font-size: 16px; }
  .sheet .steps { display: flex; align-items: center; justify-content: space-between; border-block-start: 1px solid var(--si-line, #dfe3ea); padding-block-start: 12px; }
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
