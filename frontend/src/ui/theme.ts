/** Tokens. A host sets `--si-*`; everything it leaves alone is derived, in both colour schemes. */

import {css} from 'lit'

export const theme = css`
  :host {
    /* A page's "* { all: unset !important }" loses against these: important rules of a shadow win. */
    display: block !important;
    position: relative !important;
    visibility: visible !important;
    opacity: 1 !important;
    transform: none !important;
    font: 14px/1.45 var(--_font) !important;
    letter-spacing: normal !important;
    text-transform: none !important;
    text-align: start !important;
    white-space: normal !important;
    color: var(--_fg) !important;
    color-scheme: light;
    container: service-import / inline-size;

    --_font: var(--si-font, "Inter", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif);
    --_mono: var(--si-mono, ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace);
    --_bg: var(--si-bg, light-dark(#fff, #12161f));
    --_bg-2: var(--si-bg-2, light-dark(#f7f8fa, #181d28));
    --_bg-3: var(--si-bg-3, light-dark(#eef0f4, #212835));
    --_line: var(--si-line, light-dark(#dfe3ea, #2c3443));
    --_line-strong: var(--si-line-strong, light-dark(#c3cad6, #3d475a));
    --_control: var(--si-control, light-dark(#858e9e, #737e93));
    --_fg: var(--si-fg, light-dark(#161b26, #eef1f7));
    --_fg-2: var(--si-fg-2, light-dark(#475063, #bcc4d3));
    --_fg-3: var(--si-fg-3, light-dark(#5a6374, #98a2b5));
    --_accent: var(--si-accent, light-dark(#2457d6, #7ea3ff));
    --_on-accent: var(--si-on-accent, oklch(from var(--_accent) clamp(0, (0.66 - l) * 1000, 1) 0 0));
    /* A host's accent as a text must be readable on the background, whatever the host chose. */
    --_link: light-dark(oklch(from var(--_accent) min(l, 0.52) c h), oklch(from var(--_accent) max(l, 0.74) c h));
    --_accent-soft: var(--si-accent-soft, color-mix(in oklab, var(--_accent) 11%, var(--_bg)));
    --_ok: var(--si-ok, light-dark(#12704a, #6bd3a2));
    --_ok-soft: var(--si-ok-soft, light-dark(#e6f4ed, #123227));
    --_warn: var(--si-warn, light-dark(#8a5200, #f0bd6a));
    --_warn-soft: var(--si-warn-soft, light-dark(#fdf3e1, #36290f));
    --_err: var(--si-err, light-dark(#b3261e, #ff9b94));
    --_err-soft: var(--si-err-soft, light-dark(#fdeceb, #3c1a1a));
    --_radius: var(--si-radius, 10px);
    --_radius-s: var(--si-radius-s, 6px);
    --_row: var(--si-row, 34px);
    --_shadow: var(--si-shadow, 0 1px 2px rgb(16 24 40 / .06), 0 8px 24px rgb(16 24 40 / .06));
  }
  :host([hidden]) { display: none !important; }
  :host([theme='dark']) { color-scheme: dark; }
  :host([theme='auto']) { color-scheme: light dark; }
  *, ::before, ::after { box-sizing: border-box; }
  h2, h3, h4, p, ul, ol, dl, dd, figure { margin: 0; padding: 0; }
  h2, h3, h4 { font-size: inherit; font-weight: 620; text-wrap: balance; }
  ul, ol { list-style: none; }
  :focus { outline: none; }
  :focus-visible { outline: 2px solid var(--_accent); outline-offset: 2px; }
  @media (prefers-reduced-motion: reduce) {
    *, ::before, ::after { animation: none !important; transition: none !important; scroll-behavior: auto !important; }
  }
`
