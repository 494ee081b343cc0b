import { EditorView } from '@codemirror/view';

/** Editor theme. Uses the page's design tokens, which also apply inside the shadow root. */
export const look = EditorView.theme({
  '&': { backgroundColor: 'var(--surface)', color: 'var(--ink)', fontSize: 'var(--text-13)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px', fontFeatureSettings: '"zero"' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 24px 0 0' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--soft)', border: '0', fontSize: 'var(--text-12)' },
  '.cm-gutter.cm-signs': { width: '20px' },
  '.cm-signs .cm-gutterElement': { display: 'grid', placeItems: 'center' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '40px', padding: '0 12px 0 0', lineHeight: '20px' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--ink)' },
  '.cm-cursor': { borderInlineStartColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--water)',
  },
  '.cm-sign': { width: '12px', height: '12px', fill: 'none', stroke: 'currentColor', strokeWidth: '1.5' },
  '.cm-sign-grants': { color: 'var(--good)' },
  '.cm-sign-denies, .cm-sign-fault': { color: 'var(--bad)' },
  '.cm-sign-warning': { color: 'var(--attention)' },
  '.cm-sign-overridden': { color: 'var(--ink)' },
  '.cm-is-grants, .cm-gutterElement.cm-is-grants': { backgroundColor: 'var(--good-wash)' },
  '.cm-is-denies, .cm-is-fault': { backgroundColor: 'var(--bad-wash)' },
  // The focus ring is inset, so that it stays visible.
  '.cm-signs .cm-is-changed': { boxShadow: 'inset 3px 0 0 var(--surface), inset 5px 0 0 var(--good)' },
  '.cm-note': { fontFamily: 'var(--sans)', fontSize: 'var(--text-12)', lineHeight: '20px', whiteSpace: 'normal' },
  '.cm-note-fault': { color: 'var(--bad)' },
  '.cm-note-warning': { color: 'var(--attention)' },
  '.cm-specialChar': { color: 'var(--bad)' },
  '.tok-k': { color: 'var(--accent)' },
  '.tok-s': { color: 'var(--good)' },
  '.tok-c': { color: 'var(--soft)' },
});
