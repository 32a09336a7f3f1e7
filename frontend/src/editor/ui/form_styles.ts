/** The list of fields, and the form of one. */

import {css} from 'lit'

export const formStyles = css`
  .columns { display: grid; grid-template-columns: 388px minmax(0, 1fr); flex: 1; min-block-size: 560px; }
  .fields { position: sticky; inset-block-start: 0; align-self: start; max-block-size: 100dvh; display: flex; flex-direction: column; min-inline-size: 0; }
  .fields-head { display: flex; gap: 8px; padding: 12px; align-items: center; }
  .fields-head .button { min-block-size: 30px; }
  .fields-scroll { overflow-y: auto; flex: 1; }
  .entry-head { padding: 10px 12px 6px; font-size: 12.5px; color: var(--_fg-2); background: var(--_bg-2); border-block-start: 1px solid var(--_line); }
  .pad { padding: 12px; }
  .field-row { display: flex; align-items: stretch; border-block-start: 1px solid var(--_line); content-visibility: auto; contain-intrinsic-block-size: auto 56px; }
  .field-row:hover { background: var(--_bg-2); }
  .field-row.selected { background: var(--_accent-soft); box-shadow: inset 3px 0 0 var(--_accent); }
  .field-row.selected:dir(rtl) { box-shadow: inset -3px 0 0 var(--_accent); }
  .field-row.over { border-block-start: 2px solid var(--_accent); }
  .field-row.lifted { outline: 2px solid var(--_accent); outline-offset: -2px; background: var(--_bg); }
  .field-row.faded .name { text-decoration: line-through; }
  .handle { border: 0; background: none; color: var(--_fg-3); padding: 0 2px 0 10px; cursor: grab; display: grid; place-items: center; }
  .handle:focus-visible, .field-main:focus-visible { outline-offset: -2px; }
  .field-main { font: inherit; color: inherit; display: flex; gap: 10px; align-items: center; flex: 1; min-inline-size: 0; padding: 8px 12px 8px 8px; border: 0; background: none; text-align: start; cursor: pointer; }
  .field-main:first-child { padding-inline-start: 14px; }
  .field-main .grow { display: grid; }
  .field-main .name { font-weight: 600; }
  .tags { display: flex; gap: 6px; }

  .detail { border-inline-start: 1px solid var(--_line); padding: 20px 24px; display: flex; flex-direction: column; gap: 20px; min-inline-size: 0; }
  .detail-head { display: flex; align-items: center; gap: 10px; margin-block-end: -6px; }
  .detail-head .picker { inline-size: 150px; }
  .position { display: flex; align-items: center; gap: 6px; } .position .input { inline-size: 64px; min-block-size: 28px; padding: 2px 6px; }
  .only-narrow { display: none; }
  .two { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 14px; }
  .three { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 14px; align-items: start; }
  .control { min-inline-size: 0; }
  .label-row { display: flex; gap: 6px; align-items: baseline; } .label-row .icon { inline-size: 13px; block-size: 13px; }
  .hint { font-size: 12px; color: var(--_fg-3); margin-block-start: 4px; overflow-wrap: anywhere; } .hint.err { color: var(--_err); }
  textarea.input { resize: vertical; padding-block: 8px; }
  .input[readonly], .select:disabled { background: var(--_bg-2); color: var(--_fg-2); opacity: 1; }
  .input[aria-invalid='true'], .select[aria-invalid='true'], .chips.invalid { border-color: var(--_err); box-shadow: 0 0 0 3px var(--_err-soft); }
  .said { display: grid; gap: 2px; margin-block-start: 5px; font-size: 12.5px; }
  .said li { display: flex; gap: 6px; align-items: flex-start; } .said .icon { inline-size: 13px; block-size: 13px; margin-block-start: 3px; }
  .toggles { display: flex; flex-wrap: wrap; gap: 10px 22px; } .toggles.low { align-self: end; padding-block-end: 6px; }
  .toggle label { display: inline-flex; gap: 8px; align-items: center; font-size: 13.5px; cursor: pointer; }
  .switch { appearance: none; inline-size: 32px; block-size: 18px; margin: 0; border-radius: 99px; background: var(--_control); position: relative; flex: none; cursor: pointer; transition: background .12s; }
  .switch::after { content: ""; position: absolute; inset-block: 2px; inset-inline-start: 2px; inline-size: 14px; border-radius: 50%; background: var(--_bg); transition: inset-inline-start .12s; }
  .switch:checked { background: var(--_accent); } .switch:checked::after { inset-inline-start: 16px; }
  .switch:disabled { opacity: .55; cursor: default; }

  .part { display: flex; flex-direction: column; gap: 10px; min-inline-size: 0; }
  .part-head { display: flex; align-items: center; justify-content: space-between; gap: 8px; min-block-size: 28px; }
  .part-head h3 { display: flex; gap: 8px; align-items: baseline; }
  .cards { display: grid; gap: 10px; }
  .rule { padding: 8px; display: flex; flex-direction: column; gap: 8px; }
  .rule > .two, .details .rule .three { padding: 4px; }
  .rule-line { display: flex; gap: 8px; align-items: flex-start; }
  .rule .input, .rule .select { min-block-size: 30px; font-size: 13px; }
  .kind { inline-size: 190px; flex: none; } .severity { inline-size: 104px; flex: none; } .short { inline-size: 122px; flex: none; }
  .sentence { display: flex; flex-wrap: wrap; gap: 6px 8px; align-items: center; font-size: 13px; min-block-size: 30px; }
  .sentence > .control, .sentence > .picker { flex: 1 1 90px; }
  .condition { display: flex; gap: 8px; align-items: center; flex: 1 1 100%; } .condition > .picker { flex: 0 1 170px; } .condition > .control { flex: 1; }
  .ratio, .unit-row { display: inline-flex; gap: 6px; align-items: center; font-size: 13px; white-space: nowrap; }
  .ratio .input { inline-size: 68px; } .unit-row { inline-size: 100%; } .ratio .unit-row { inline-size: auto; }
  .hit { display: inline-flex; gap: 5px; align-items: center; font-size: 12.5px; min-block-size: 30px; }
  .tester { display: flex; gap: 8px; align-items: center; } .tester label { white-space: nowrap; } .tester .input { flex: 1; }
  .verdict { display: inline-flex; gap: 5px; align-items: center; font-size: 12.5px; white-space: nowrap; }
  .chips { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; border: 1px solid var(--_control); border-radius: var(--_radius-s); padding: 4px 6px; min-block-size: 34px; }
  .rule .chips { min-block-size: 30px; padding-block: 3px; }
  .chips:focus-within { outline: 2px solid var(--_accent); outline-offset: 1px; }
  .chip { display: inline-flex; align-items: center; gap: 4px; padding: 0 4px 0 8px; min-block-size: 22px; border-radius: 99px; font-size: 12px; font-weight: 550; background: var(--_bg-3); color: var(--_fg-2); max-inline-size: 100%; }
  .chip bdi { overflow: hidden; text-overflow: ellipsis; }
  .chip button { border: 0; background: none; color: inherit; padding: 2px; display: grid; cursor: pointer; border-radius: 50%; } .chip .icon { inline-size: 11px; block-size: 11px; }
  .chip-input { font: inherit; font-size: 13px; flex: 1 1 110px; min-inline-size: 60px; border: 0; background: none; color: var(--_fg); outline: none; padding: 2px; }
  .chip-input option { background: var(--_bg); color: var(--_fg); }
  .chip-input::placeholder { color: var(--_fg-3); opacity: 1; }
  .options td { padding: 3px 4px; border: 0; min-inline-size: 110px; } .options th { padding: 0 8px; white-space: nowrap; } .options .narrow { min-inline-size: 0; inline-size: 1%; }
  .options .input, .options .select { min-block-size: 30px; font-size: 13px; } .options .picker { inline-size: 120px; }
  .sample td, .sample th { padding-block: 6px; } .sample tbody th { background: none; color: inherit; } .sample .picker { min-inline-size: 150px; } .sample .input { min-inline-size: 110px; min-block-size: 30px; }
  .sample input[type='checkbox'], .check input { accent-color: var(--_accent); inline-size: 17px; block-size: 17px; }

  .code { display: grid; grid-template-columns: auto minmax(0, 1fr); border: 1px solid var(--_control); border-radius: var(--_radius-s); max-block-size: 70vh; overflow: auto; background: var(--_bg-2); }
  .code:focus-within { outline: 2px solid var(--_accent); outline-offset: 1px; }
  .code .lines, .code textarea { font-family: var(--_mono); font-size: 12.5px; line-height: 1.5; padding: 10px; margin: 0; }
  .lines { color: var(--_fg-3); text-align: end; user-select: none; }
  .code textarea { border: 0; outline: none; resize: none; color: var(--_fg); background: var(--_bg); white-space: pre; overflow-y: hidden; inline-size: 100%; tab-size: 2; }
  .found { padding: 6px 10px; font-size: 13px; } .found li { display: flex; gap: 8px; align-items: center; flex-wrap: wrap; } .found .grow { color: var(--_fg); flex-basis: 50%; }

  @container service-import (inline-size < 1000px) { .columns { grid-template-columns: 300px minmax(0, 1fr); } .columns .two, .columns .three { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } .rule-line { flex-wrap: wrap; } .rule-line > .sentence { order: 3; flex-basis: 100%; } .kind { flex: 1; } }
  @container service-import (inline-size < 760px) {
    .columns { grid-template-columns: minmax(0, 1fr); min-block-size: 0; } .fields { position: static; max-block-size: none; } .detail { border: 0; }
    .columns.has-selection .fields, .columns:not(.has-selection) .detail { display: none; }
    .only-narrow { display: inline-flex; } .detail-head { flex-wrap: wrap; gap: 6px; } .detail-head .button { padding-inline: 8px; } .detail-head h2 { order: -1; flex-basis: 100%; white-space: normal; } .detail { padding: 14px; }
    .two, .three, .columns .two, .columns .three { grid-template-columns: minmax(0, 1fr); }
    .tester { flex-wrap: wrap; }
  }
  @container service-import (inline-size < 640px) { .rule .input, .rule .select { min-block-size: 44px; font-size: 16px; } .chip { min-block-size: 32px; } .chip button { padding: 8px; } .switch { inline-size: 44px; block-size: 26px; } .switch::after { inline-size: 22px; } .switch:checked::after { inset-inline-start: 20px; } .toggle label { min-block-size: 44px; } .handle { min-inline-size: 36px; } }
  @media (forced-colors: active) { .switch { border: 1px solid CanvasText; } .field-row.selected { outline: 2px solid Highlight; outline-offset: -2px; } .switch:checked { forced-color-adjust: none; background: Highlight; } .chip { border: 1px solid CanvasText; } }
`
