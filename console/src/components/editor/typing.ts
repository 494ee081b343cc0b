import { EditorView, type KeyBinding } from '@codemirror/view';

const STEP = '  ';

/** A new line is as far in as the one before, and one step further where that one opens a block. */
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

/** What closes a block goes one step back. */
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
 * What is typed over a selection is put there by us: the browser would write styles into the text to keep how it looked, which the
 * policy of the page refuses.
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
