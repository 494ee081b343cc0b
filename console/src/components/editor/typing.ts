import { EditorView, type KeyBinding } from '@codemirror/view';

const STEP = '  ';

/** Enter keeps the indentation of the current line, and adds one step after an opening bracket. */
export const newLine: KeyBinding = {
  key: 'Enter',
  run: (view) => {
    const { state } = view;
    if (state.readOnly) return false;
    const { from, to } = state.selection.main;
    const before = state.doc.lineAt(from).text.slice(0, from - state.doc.lineAt(from).from);
    const [indent = ''] = /^\s*/.exec(before) ?? [];
    const insert = `\n${indent}${/[{[(]\s*$/.test(before) ? STEP : ''}`;
    const selection = { anchor: from + insert.length };
    view.dispatch({ changes: { from, to, insert }, selection, userEvent: 'input', scrollIntoView: true });
    return true;
  },
};

/** A closing bracket at the start of a line reduces the indentation by one step. */
export const closing = EditorView.inputHandler.of((view, from, to, text) => {
  const line = view.state.doc.lineAt(from);
  const before = line.text.slice(0, from - line.from);
  if (!/^[}\])]$/.test(text) || !/^\s+$/.test(before) || !before.endsWith(STEP)) return false;
  const start = from - STEP.length;
  view.dispatch({
    changes: { from: start, to, insert: text },
    selection: { anchor: start + 1 },
    userEvent: 'input.type',
  });
  return true;
});

/**
 * Replaces the selection in code when the user types over it. The browser would insert inline styles, which the page's
 * CSP
 * refuses.
 */
export const typesOver = EditorView.domEventHandlers({
  beforeinput({ inputType, data, isComposing }, view) {
    const { state } = view;
    if (inputType !== 'insertText' || data === null || isComposing || state.readOnly || state.selection.main.empty)
      return false;
    view.dispatch(state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
    return true;
  },
});
