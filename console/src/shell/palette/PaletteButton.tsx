import { lazy, Suspense, useEffect, useState } from 'react';
import { Icon } from '../../components/icon/Icon.tsx';
import { Keys } from '../../components/path-line/Keys.tsx';
import type { Session } from '../../session/session.ts';
import * as texts from '../texts.ts';
import styles from './palette-button.module.css';

/** Loads the palette when it is first needed: its code is as large as a page. */
const load = () => import('./Palette.tsx');
const Palette = lazy(() => load().then(({ Palette }) => ({ default: Palette })));

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
export const PALETTE_KEYS = isMac ? '⌘ K' : 'Ctrl K';

export interface PaletteProps {
  readonly session: Session;
  /** Organization whose workspaces and teams are searched. */
  readonly organization: string | undefined;
}

/** Opens the command palette, by click or with Ctrl-K. */
export function PaletteButton(props: PaletteProps) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(isMac ? event.metaKey : event.ctrlKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      // Only one dialog may be open at a time.
      if (!document.querySelector('dialog[open]')) setOpen(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button
        type="button"
        className={styles.find}
        aria-haspopup="dialog"
        aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
        onPointerEnter={load}
        onFocus={load}
        onClick={() => setOpen(true)}
      >
        <Icon name="search" />
        <span className={styles.words}>{texts.search}</span>
        <span className={styles.keys} aria-hidden="true">
          <Keys keys={PALETTE_KEYS} />
        </span>
      </button>
      {isOpen && (
        <Suspense>
          <Palette {...props} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
