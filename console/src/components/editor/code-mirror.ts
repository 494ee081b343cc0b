import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from '@codemirror/commands';
import { Annotation, type Range, RangeSet, StateEffect, StateField, type Text } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  GutterMarker,
  gutter,
  gutterLineClass,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view';
import { look } from './look.ts';
import type { Mark, MarkKind, Shown } from './marks.ts';
import { signOf } from './signs.ts';
import { closing, newLine, typesOver } from './typing.ts';

/** Syntax of a policy in HCL and JSON: comments, strings and keywords. */
const WORDS = new MatchDecorator({
  regexp:
    /(?:#|\/\/).*|"(?:[^"\\]|\\.)*"(\s*:)?|\b(?:path|capabilities|(?:allowed|denied|required)_parameters|(?:min|max)_wrapping_ttl|expiration)\b/g,
  decoration: ([text = '', colon]) =>
    Decoration.mark({
      class: /^(#|\/\/)/.test(text) ? 'tok-c' : text.startsWith('"') && colon === undefined ? 'tok-s' : 'tok-k',
    }),
});

const colours = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = WORDS.createDeco(view);
    }
    update(update: ViewUpdate) {
      this.decorations = WORDS.updateDeco(update, this.decorations);
    }
  },
  { decorations: ({ decorations }) => decorations },
);

class Sign extends GutterMarker {
  readonly kind: MarkKind;
  readonly label: string;
  constructor({ kind, label }: Mark) {
    super();
    this.kind = kind;
    this.label = label;
  }
  override eq(other: Sign): boolean {
    return other.kind === this.kind && other.label === this.label;
  }
  override toDOM(): Node {
    return signOf(this.kind, this.label);
  }
}

/** Colours the line number like its line, and marks changed lines. */
class Wash extends GutterMarker {
  override readonly elementClass: string;
  constructor(kind: MarkKind | 'changed') {
    super();
    this.elementClass = `cm-is-${kind}`;
  }
  override eq(other: Wash): boolean {
    return other.elementClass === this.elementClass;
  }
}

class Note extends WidgetType {
  readonly text: string;
  readonly kind: MarkKind;
  constructor(text: string, kind: MarkKind) {
    super();
    this.text = text;
    this.kind = kind;
  }
  override eq(other: Note): boolean {
    return other.text === this.text && other.kind === this.kind;
  }
  override toDOM(): HTMLElement {
    const note = document.createElement('div');
    note.className = `cm-note cm-note-${this.kind}`;
    note.textContent = this.text;
    return note;
  }
}

/** Marks an edit made by the page, which must not be reported back to it. */
const byPage = Annotation.define<boolean>();
const show = StateEffect.define<Shown>();
/** Decorations move with the text until the page sends new ones. */
const lines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, { changes, effects, state }) {
    const shown = effects.findLast((effect) => effect.is(show));
    return shown ? linesOf(shown.value as Shown, state.doc) : value.map(changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});
const washes = StateField.define<RangeSet<Wash>>({
  create: () => RangeSet.empty,
  update(value, { changes, effects, state }) {
    const shown = effects.findLast((effect) => effect.is(show));
    return shown ? washesOf(shown.value as Shown, state.doc) : value.map(changes);
  },
  provide: (field) => gutterLineClass.from(field),
});
const signs = StateField.define<RangeSet<Sign>>({
  create: () => RangeSet.empty,
  update(value, { changes, effects, state }) {
    const shown = effects.findLast((effect) => effect.is(show));
    return shown ? signsOf(shown.value as Shown, state.doc) : value.map(changes);
  },
});

function linesOf({ marks }: Shown, text: Text): DecorationSet {
  const found: Range<Decoration>[] = [];
  const add = (line: number, className: string) => {
    if (line >= 1 && line <= text.lines) found.push(Decoration.line({ class: className }).range(text.line(line).from));
  };
  for (const { kind, line, to = line, note } of marks) {
    for (let at = line; at <= Math.min(to, text.lines); at++) add(at, `cm-is-${kind}`);
    if (note !== undefined && line >= 1 && line <= text.lines) {
      const widget = Decoration.widget({ widget: new Note(note, kind), block: true, side: 1 });
      found.push(widget.range(text.line(line).to));
    }
  }
  return Decoration.set(found, true);
}

function washesOf({ marks, changed }: Shown, text: Text): RangeSet<Wash> {
  const found: Range<Wash>[] = [];
  const add = (line: number, kind: MarkKind | 'changed') => {
    if (line >= 1 && line <= text.lines) found.push(new Wash(kind).range(text.line(line).from));
  };
  for (const line of changed) add(line, 'changed');
  for (const { kind, line, to = line } of marks)
    for (let at = line; at <= Math.min(to, text.lines); at++) add(at, kind);
  return RangeSet.of(found, true);
}

function signsOf({ marks }: Shown, text: Text): RangeSet<Sign> {
  const there = marks.filter(({ line }) => line >= 1 && line <= text.lines);
  return RangeSet.of(
    there.map((mark) => new Sign(mark).range(text.line(mark.line).from)),
    true,
  );
}

export interface Asked {
  readonly text: string;
  readonly label: string;
  /** Whether the text is read-only. */
  readonly isFixed: boolean;
  readonly onText: (text: string) => void;
  readonly onSave: () => void;
  readonly onAsk: () => void;
}

/** Handle of a mounted editor. */
export interface Mounted {
  readonly show: (shown: Shown) => void;
  /** Replaces the text if it differs. */
  readonly put: (text: string) => void;
  readonly goTo: (line: number) => void;
  readonly end: () => void;
}

/** @param root shadow root, because the page's CSP allows constructed style sheets only there */
export function mount(root: ShadowRoot, asked: Asked): Mounted {
  const does = (run: () => void) => () => {
    run();
    return true;
  };
  const view = new EditorView({
    root,
    parent: root,
    doc: asked.text,
    extensions: [
      gutter({ class: 'cm-signs', renderEmptyElements: true, markers: (one) => one.state.field(signs) }),
      lineNumbers(),
      highlightActiveLineGutter(),
      drawSelection(),
      // Shows invisible and bidirectional control characters, which could otherwise hide a rule.
      highlightSpecialChars(),
      // Long lines wrap: the editor never scrolls sideways.
      EditorView.lineWrapping,
      history(),
      keymap.of([
        { key: 'Mod-s', run: does(asked.onSave), preventDefault: true },
        { key: 'Mod-e', run: does(asked.onAsk), preventDefault: true },
        { key: 'Mod-]', run: indentMore },
        { key: 'Mod-[', run: indentLess },
        newLine,
        ...defaultKeymap,
        ...historyKeymap,
      ]),
      typesOver,
      closing,
      colours,
      lines,
      washes,
      signs,
      look,
      EditorView.editable.of(!asked.isFixed),
      EditorView.contentAttributes.of({
        'aria-label': asked.label,
        spellcheck: 'false',
        ...(asked.isFixed && { tabindex: '0', 'aria-readonly': 'true' }),
      }),
      EditorView.updateListener.of(({ docChanged, state, transactions }) => {
        if (docChanged && !transactions.some((one) => one.annotation(byPage))) asked.onText(state.doc.toString());
      }),
    ],
  });
  return {
    show: (shown) => view.dispatch({ effects: show.of(shown) }),
    put: (text) => {
      const { doc } = view.state;
      if (doc.toString() === text) return;
      view.dispatch({ changes: { from: 0, to: doc.length, insert: text }, annotations: byPage.of(true) });
    },
    goTo: (line) => {
      if (line < 1 || line > view.state.doc.lines) return;
      const { from } = view.state.doc.line(line);
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
      view.focus();
    },
    end: () => view.destroy(),
  };
}
