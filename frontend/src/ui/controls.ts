/** The controls that every step is made of. */

import {css} from 'lit'

export const controls = css`
  .muted { color: var(--_fg-3); }
  .small { font-size: 12.5px; }
  .mono { font-family: var(--_mono); font-size: 12.5px; }
  .strong { font-weight: 600; }
  .number { font-variant-numeric: tabular-nums; }
  .grow { flex: 1 1 0; min-inline-size: 0; }
  .row { display: flex; align-items: center; gap: 10px; }
  .wrap { flex-wrap: wrap; }
  .stack { display: flex; flex-direction: column; gap: 12px; }
  .clip { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-inline-size: 0; }
  .hidden-text { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .icon { inline-size: 16px; block-size: 16px; flex: none; fill: none; stroke: currentColor; stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; }
  .forward:dir(rtl) { transform: scaleX(-1); }

  .button {
    font: inherit; font-weight: 550; font-size: 13.5px; line-height: 1; color: var(--_fg); background: var(--_bg);
    display: inline-flex; align-items: center; justify-content: center; gap: 7px; min-block-size: 34px; padding: 6px 14px;
    border: 1px solid var(--_line-strong); border-radius: var(--_radius-s); cursor: pointer; white-space: nowrap;
    transition: background .12s, border-color .12s, filter .12s;
  }
  .button:hover { background: var(--_bg-2); border-color: var(--_control); }
  .button:active { background: var(--_bg-3); }
  .button.primary { background: var(--_accent); border-color: var(--_accent); color: var(--_on-accent); }
  .button.primary:hover { filter: brightness(.92); }
  .button.quiet { border-color: transparent; background: none; color: var(--_fg-2); }
  .button.quiet:hover { background: var(--_bg-3); color: var(--_fg); }
  .button.link { border-color: transparent; background: none; color: var(--_link); padding-inline: 4px; min-block-size: 28px; }
  .button.link:hover { text-decoration: underline; }
  .button.danger { border-color: var(--_err); color: var(--_err); }
  .button.small { min-block-size: 28px; padding: 4px 10px; font-size: 12.5px; }
  .button:disabled, .button[aria-disabled='true'] { opacity: .5; cursor: default; filter: none; }
  .button[aria-pressed='true'] { background: var(--_accent-soft); color: var(--_link); border-color: var(--_accent); }

  .tag {
    display: inline-flex; align-items: center; gap: 5px; min-block-size: 22px; padding: 0 8px; border-radius: 99px;
    font-size: 12px; font-weight: 550; background: var(--_bg-3); color: var(--_fg-2); white-space: nowrap;
  }
  .tag .icon { inline-size: 12px; block-size: 12px; }
  .tag.ok { background: var(--_ok-soft); color: var(--_ok); }
  .tag.warn { background: var(--_warn-soft); color: var(--_warn); }
  .tag.err { background: var(--_err-soft); color: var(--_err); }
  .tag.accent { background: var(--_accent-soft); color: var(--_link); }

  .input, .select, textarea.input {
    font: inherit; font-size: 13.5px; color: var(--_fg); background: var(--_bg); inline-size: 100%; min-block-size: 34px;
    border: 1px solid var(--_control); border-radius: var(--_radius-s); padding: 5px 10px;
  }
  .input::placeholder { color: var(--_fg-3); opacity: 1; }
  .select { padding-inline-end: 26px; appearance: none; text-overflow: ellipsis; }
  .picker { position: relative; display: block; min-inline-size: 0; }
  .picker::after {
    content: ""; position: absolute; inset-block-start: calc(50% - 6px); inset-inline-end: 12px; inline-size: 7px; block-size: 7px;
    border: solid var(--_fg-3); border-width: 0 1.5px 1.5px 0; transform: rotate(45deg); pointer-events: none;
  }
  .label { display: block; font-size: 12.5px; font-weight: 600; color: var(--_fg-2); margin-block-end: 5px; }
  .check { display: inline-flex; gap: 8px; align-items: center; font-size: 13px; color: var(--_fg-2); cursor: pointer; }
  .check input, .choice input { accent-color: var(--_accent); inline-size: 16px; block-size: 16px; margin: 0; flex: none; }

  .card { border: 1px solid var(--_line); border-radius: var(--_radius); background: var(--_bg); }
  .notice {
    display: flex; gap: 10px; align-items: center; padding: 11px 14px; border-radius: var(--_radius-s);
    background: var(--_accent-soft); font-size: 13px; border: 1px solid transparent;
  }
  .notice.warn { background: var(--_warn-soft); }
  .notice.err { background: var(--_err-soft); }
  .notice.ok { background: var(--_ok-soft); }
  .notice > .icon { align-self: flex-start; margin-block-start: 2px; }
  .notice.err > .icon { color: var(--_err); }
  .notice.warn > .icon { color: var(--_warn); }

  .progress { appearance: none; display: block; inline-size: 100%; block-size: 6px; border: 0; border-radius: 99px; background: var(--_bg-3); overflow: hidden; }
  .progress::-webkit-progress-bar { background: var(--_bg-3); border-radius: 99px; }
  .progress::-webkit-progress-value { background: var(--_accent); border-radius: 99px; transition: inline-size .2s; }
  .progress::-moz-progress-bar { background: var(--_accent); border-radius: 99px; }
  .progress:indeterminate { background: linear-gradient(90deg, var(--_bg-3) 30%, var(--_accent) 50%, var(--_bg-3) 70%) 0 / 200% 100%; animation: slide 1.4s linear infinite; }
  .progress:indeterminate::-webkit-progress-bar { background: none; }
  .progress:indeterminate::-moz-progress-bar { background: none; }
  @keyframes slide { from { background-position: 200% 0; } to { background-position: 0 0; } }

  .kbd { font-family: var(--_mono); font-size: 11.5px; border: 1px solid var(--_line-strong); border-block-end-width: 2px; border-radius: 4px; padding: 0 5px; color: var(--_fg-2); background: var(--_bg); }
  table { border-collapse: collapse; inline-size: 100%; font-size: 13px; }
  th, td { text-align: start; padding: 0 12px; block-size: var(--_row); border-block-end: 1px solid var(--_line); }
  th { font-weight: 600; color: var(--_fg-2); background: var(--_bg-2); }

  .segments { display: inline-flex; border: 1px solid var(--_line-strong); border-radius: var(--_radius-s); overflow: hidden; }
  .segments button {
    font: inherit; font-size: 13px; padding: 5px 12px; min-block-size: 30px; border: 0; background: none; color: var(--_fg-2);
    border-inline-start: 1px solid var(--_line); cursor: pointer; white-space: nowrap;
  }
  .segments button:first-child { border-inline-start: 0; }
  .segments button:hover { background: var(--_bg-2); }
  .segments button[aria-pressed='true'] { background: var(--_accent-soft); color: var(--_link); }
  .segments button:focus-visible { outline-offset: -2px; }

  dialog {
    font: inherit; color: var(--_fg); background: var(--_bg); border: 1px solid var(--_line-strong); border-radius: var(--_radius);
    box-shadow: var(--_shadow); padding: 20px; inline-size: min(440px, calc(100vw - 32px));
  }
  dialog::backdrop { background: rgb(10 14 24 / .45); }
  @media (forced-colors: active) {
    .tag, .notice, .button.primary, .segments button[aria-pressed='true'] { border: 1px solid CanvasText; }
    .button[aria-pressed='true'], .segments button[aria-pressed='true'] { forced-color-adjust: none; background: Highlight; color: HighlightText; }
  }
  @container service-import (inline-size < 640px) {
    .button { min-block-size: 44px; }
    .button.small { min-block-size: 40px; }
    .select, .input { min-block-size: 44px; font-size: 16px; }
  }
`
