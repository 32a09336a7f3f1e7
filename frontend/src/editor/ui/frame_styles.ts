/** The frame, the list of catalogs, the header and the tabs of one. */

import {css} from 'lit'

export const frameStyles = css`
  .frame { display: flex; flex-direction: column; background: var(--_bg); border: 1px solid var(--_line); border-radius: var(--_radius); box-shadow: var(--_shadow); min-block-size: 420px; }
  .header { display: flex; flex-wrap: wrap; align-items: center; gap: 10px 12px; padding: 14px 20px; border-block-end: 1px solid var(--_line); }
  h1 { margin: 0; font-size: 17px; font-weight: 650; outline: none; overflow-wrap: anywhere; }
  h2 { font-size: 16px; } h3 { font-size: 14px; } h4 { font-size: 13.5px; }
  .titles { display: grid; }
  code { font-family: var(--_mono); font-size: 12px; color: var(--_fg-3); overflow-wrap: anywhere; }
  .body { flex: 1; padding: 20px; display: flex; flex-direction: column; gap: 18px; min-inline-size: 0; }
  .strip { padding: 10px 20px 0; }
  .empty { align-items: center; justify-content: center; text-align: center; gap: 10px; min-block-size: 260px; }
  .loading { display: grid; gap: 8px; max-inline-size: 280px; margin: 24px auto; text-align: center; }
  .centred { justify-content: center; }
  .tight { gap: 2px; }
  .faded { color: var(--_fg-3); }
  .err, .button.err { color: var(--_err); } .warn { color: var(--_warn); } .ok { color: var(--_ok); }
  .notice.err, .notice.warn, .notice.ok { color: var(--_fg); }
  .notice ul { list-style: disc; padding-inline-start: 18px; margin-block-start: 4px; }
  .scroll { overflow-x: auto; position: relative; }
  .scroll:focus-visible { outline-offset: -2px; }
  .toolbar { display: flex; flex-wrap: wrap; gap: 10px; padding: 12px 20px; }
  .search { position: relative; display: block; min-inline-size: 120px; }
  .search > .icon { position: absolute; inset-inline-start: 10px; inset-block-start: calc(50% - 8px); pointer-events: none; }
  .search .input { padding-inline-start: 34px; min-block-size: 30px; }
  .toolbar .search { inline-size: 240px; }

  .as-link { font: inherit; font-weight: 620; padding: 0; border: 0; background: none; color: inherit; cursor: pointer; text-align: start; }
  .as-link:hover { color: var(--_link); text-decoration: underline; }
  .catalogs th, .catalogs td { padding-block: 8px; white-space: nowrap; }
  .catalogs thead th { padding-block: 6px; }
  .catalogs tbody th { background: none; color: inherit; font-weight: inherit; }
  .catalogs tbody th code, .below { display: block; font-size: 12px; color: var(--_fg-3); max-inline-size: 22ch; font-weight: 400; }
  .catalogs th:first-child, .catalogs td:first-child { padding-inline-start: 20px; }
  .catalogs tbody tr:hover { background: var(--_bg-2); }
  .catalogs tbody tr:last-child > * { border-block-end: 0; }
  .end { text-align: end; }
  .retiring td { background: var(--_bg-2); border-inline-start: 3px solid var(--_err); white-space: normal; padding: 10px 20px; }

  .new-menu { position: relative; }
  .menu { position: absolute; z-index: 3; inset-inline-end: 0; inset-block-start: calc(100% + 6px); min-inline-size: 270px; padding: 6px; background: var(--_bg); border: 1px solid var(--_line-strong); border-radius: 8px; box-shadow: var(--_shadow); }
  .menu button { font: inherit; color: inherit; display: flex; gap: 10px; align-items: flex-start; inline-size: 100%; padding: 7px 10px; border: 0; border-radius: 6px; background: none; text-align: start; cursor: pointer; }
  .menu button:hover, .menu button:focus-visible { background: var(--_accent-soft); }
  .menu button > span { display: grid; }
  .menu .icon { margin-block-start: 2px; }

  .tabs { display: flex; gap: 4px; padding: 0 20px; border-block-end: 1px solid var(--_line); overflow-x: auto; }
  .tabs button { font: inherit; font-size: 13.5px; display: inline-flex; gap: 5px; align-items: center; padding: 10px 12px; border: 0; border-block-end: 2px solid transparent; margin-block-end: -1px; background: none; color: var(--_fg-2); white-space: nowrap; cursor: pointer; }
  .tabs button:hover { color: var(--_fg); }
  .tabs button[aria-selected='true'] { color: var(--_link); border-color: var(--_accent); font-weight: 600; }
  .tabs button:focus-visible { outline-offset: -2px; }
  .panel { display: flex; flex-direction: column; flex: 1; min-inline-size: 0; }

  .conflict { display: grid; gap: 10px; padding: 12px 20px; background: var(--_warn-soft); border-block-end: 1px solid var(--_line); }
  .conflict > .row > .icon { color: var(--_warn); }
  .conflict table { background: var(--_bg); } .conflict td, .conflict th { padding-block: 6px; vertical-align: top; }
  .conflict td { overflow-wrap: anywhere; max-inline-size: 360px; }

  .review { display: grid; grid-template-columns: minmax(0, 1fr) 300px; flex: 1; }
  .review-main { padding: 20px; display: flex; flex-direction: column; gap: 14px; min-inline-size: 0; }
  .versions { padding: 20px 18px; border-inline-start: 1px solid var(--_line); display: flex; flex-direction: column; gap: 10px; align-items: flex-start; }
  .versions ul { inline-size: 100%; } .versions li { padding: 8px 10px; margin-inline: -10px; border-radius: 8px; }
  .versions li.selected { background: var(--_accent-soft); } .versions p { overflow-wrap: anywhere; }
  .changes { display: flex; flex-direction: column; gap: 10px; }
  .change { display: flex; gap: 16px; align-items: flex-start; padding: 12px 16px; }
  .change > .tag:first-child { min-inline-size: 76px; justify-content: center; }
  .change p { overflow-wrap: anywhere; }
  del { background: var(--_err-soft); color: var(--_err); padding: 0 4px; border-radius: 3px; }
  ins { background: var(--_ok-soft); color: var(--_ok); padding: 0 4px; border-radius: 3px; text-decoration: none; }
  .impact { list-style: disc; padding-inline-start: 18px; display: grid; gap: 4px; font-size: 13px; }
  pre.shown { margin: 0; font-family: var(--_mono); font-size: 12px; max-block-size: 480px; overflow: auto; padding: 12px; border: 1px solid var(--_line); border-radius: var(--_radius-s); background: var(--_bg-2); }
  .dropzone { display: grid; justify-items: center; gap: 6px; padding: 36px 20px; border: 1.5px dashed var(--_control); border-radius: var(--_radius); background: var(--_bg-2); cursor: pointer; text-align: center; }
  .dropzone:hover, .dropzone:focus-within { border-color: var(--_accent); background: var(--_accent-soft); }
  .dropzone:has(:focus-visible) { outline: 2px solid var(--_accent); outline-offset: 2px; }
  label.button:has(:focus-visible) { outline: 2px solid var(--_accent); outline-offset: 2px; }
  .dropzone .progress { max-inline-size: 240px; }
  .contract { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 400px); border-block-end: 1px solid var(--_line); }
  .seen { padding: 20px; background: var(--_bg-2); border-inline-start: 1px solid var(--_line); display: flex; flex-direction: column; gap: 10px; min-inline-size: 0; }
  .seen dl > div { display: grid; grid-template-columns: 110px minmax(0, 1fr); gap: 10px; padding: 7px 0; border-block-start: 1px solid var(--_line); font-size: 13px; } .seen dl { margin-block-start: 10px; } .seen dt { color: var(--_fg-3); } .seen dd { overflow-wrap: anywhere; }
  fieldset { border: 0; margin: 0; padding: 0; min-inline-size: 0; } legend { padding: 0; }
  .tested th, .tested td { padding-block: 6px; vertical-align: top; } .tested tbody th { background: none; color: inherit; } .tested tr:last-child > * { border-block-end: 0; } .tested .below { max-inline-size: 36ch; } .tested .asked { background: var(--_warn-soft); }
  meter { inline-size: 110px; block-size: 8px; accent-color: var(--_accent); } meter::-webkit-meter-bar { background: var(--_bg-3); border: 0; border-radius: 99px; } meter::-webkit-meter-optimum-value { background: var(--_accent); border-radius: 99px; }
  .versions > .row { inline-size: 100%; } .kept { padding: 10px 12px; display: grid; gap: 5px; inline-size: 100%; } .kept.fails { border-color: var(--_err); } .kept ul { list-style: disc; padding-inline-start: 16px; }
  @container service-import (inline-size < 860px) {
    .contract { grid-template-columns: minmax(0, 1fr); } .seen { border-inline-start: 0; border-block-start: 1px solid var(--_line); }
    .review { grid-template-columns: minmax(0, 1fr); } .header > .button:last-child { margin-inline-start: auto; }
    .catalogs tr > :nth-child(7) { display: none; }
    .versions { border-inline-start: 0; border-block-start: 1px solid var(--_line); }
  }
  @container service-import (inline-size < 640px) {
    .header, .body, .toolbar, .review-main, .versions { padding-inline: 14px; }
    .header > div.grow { flex-basis: 40%; } .header > span.grow { display: none; } .header .button { min-block-size: 40px; padding-inline: 10px; }
    .header .saving { flex: 1 1 30%; }
    .toolbar .search { inline-size: 100%; }
    .segments { overflow-x: auto; max-inline-size: 100%; }
    .change { flex-wrap: wrap; gap: 8px 12px; } .change > .grow { order: 3; flex-basis: 100%; }
    .tabs { padding-inline: 6px; } .catalogs tr > :nth-child(n + 5):not(:last-child), .catalogs tr > :nth-child(3) { display: none; } .catalogs :is(th, td) { padding-inline: 6px; }
    .as-link, .tabs button, .segments button { min-block-size: 44px; }
  }
`
