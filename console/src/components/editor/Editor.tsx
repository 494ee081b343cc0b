import { useEffect, useRef, useState } from 'react';
import type { Mounted } from './code-mirror.ts';
import styles from './editor.module.css';
import type { Shown } from './marks.ts';

interface EditorProps {
  readonly label: string;
  readonly text: string;
  /** Whether the text is read-only. */
  readonly isFixed?: boolean;
  readonly shown: Shown;
  /** Line to scroll to, when it changes. */
  readonly at?: number | undefined;
  readonly onText: (text: string) => void;
  /** Called for Mod-S and Mod-E, which also have buttons. */
  readonly onSave: () => void;
  readonly onAsk: () => void;
}

/** @limit texts of an editor that the page has not rendered yet, texts -> the oldest are dropped */
const MOST_TOLD = 50;

/** Policy editor with annotated lines. Loaded when a page first shows it. */
export function Editor({ label, text, isFixed = false, shown, at, ...on }: EditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef({ ...on, text, shown });
  latest.current = { ...on, text, shown };
  const [editor, setEditor] = useState<Mounted>();
  /** Texts that the page has received but not rendered yet. The user may type on in the meantime. */
  const told = useRef<string[]>([]);

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    let mounted: Mounted | undefined;
    let isGone = false;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    void import('./code-mirror.ts').then(({ mount }) => {
      if (isGone) return;
      mounted = mount(root, {
        text: latest.current.text,
        label,
        isFixed,
        onText: (next) => {
          told.current = [...told.current.slice(-MOST_TOLD), next];
          latest.current.onText(next);
        },
        onSave: () => latest.current.onSave(),
        onAsk: () => latest.current.onAsk(),
      });
      mounted.show(latest.current.shown);
      setEditor(mounted);
    });
    return () => {
      isGone = true;
      mounted?.end();
      setEditor(undefined);
    };
  }, [label, isFixed]);

  useEffect(() => {
    const at = told.current.indexOf(text);
    told.current = told.current.slice(at + 1);
    // The text did not come from this editor: the page has loaded another text or restored an earlier one.
    if (at < 0) editor?.put(text);
  }, [editor, text]);
  useEffect(() => editor?.show(shown), [editor, shown]);
  useEffect(() => {
    if (at !== undefined) editor?.goTo(at);
  }, [editor, at]);

  return (
    <div className={styles.editor} aria-busy={editor === undefined}>
      {/* Key events end here: the page sees only the host of the shadow root and would take typed letters for shortcuts. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the interactive element is inside */}
      <div ref={host} className={styles.host} onKeyDown={(event) => event.nativeEvent.stopPropagation()} />
      {editor === undefined && <pre className={styles.waiting}>{text}</pre>}
    </div>
  );
}
