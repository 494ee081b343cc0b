import { useEffect, useRef, useState } from 'react';
import type { Mounted } from './code-mirror.ts';
import styles from './editor.module.css';
import type { Shown } from './marks.ts';

interface EditorProps {
  readonly label: string;
  readonly text: string;
  /** It is looked at, not changed. */
  readonly isFixed?: boolean;
  readonly shown: Shown;
  /** A line to go to, when it is another than before. */
  readonly at?: number | undefined;
  readonly onText: (text: string) => void;
  /** Mod-S and Mod-E: what the buttons beside it do. */
  readonly onSave: () => void;
  readonly onAsk: () => void;
}

/** @limit texts of an editor that the page has not caught up with, texts -> the oldest are forgotten */
const MOST_TOLD = 50;

/** The text of a policy, with what is known of its lines. It is loaded when a page shows one. */
export function Editor({ label, text, isFixed = false, shown, at, ...on }: EditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef({ ...on, text, shown });
  latest.current = { ...on, text, shown };
  const [editor, setEditor] = useState<Mounted>();
  /** Texts that the page was told of and has not shown yet: somebody may type on meanwhile. */
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
    // What it did not come up with itself: another text, or the one before.
    if (at < 0) editor?.put(text);
  }, [editor, text]);
  useEffect(() => editor?.show(shown), [editor, shown]);
  useEffect(() => {
    if (at !== undefined) editor?.goTo(at);
  }, [editor, at]);

  return (
    <div className={styles.editor} aria-busy={editor === undefined}>
      {/* Keys that are typed here are none of the page's, which sees no more of this than its host. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: what can be operated is inside */}
      <div ref={host} className={styles.host} onKeyDown={(event) => event.nativeEvent.stopPropagation()} />
      {editor === undefined && <pre className={styles.waiting}>{text}</pre>}
    </div>
  );
}
