import { useActiveShortcuts } from '../../keyboard/shortcuts.ts';
import { useCopy } from '../copy/copy.ts';
import { Icon } from '../icon/Icon.tsx';
import type { IconName } from '../icon/icons.tsx';
import { Keys } from './Keys.tsx';
import styles from './path-line.module.css';
import { curlOf, useCurrentPathLine } from './path-line.ts';
import * as texts from './texts.ts';

/** Bottom line of every page: the request behind the page, its command, and the page's shortcuts. */
export function PathLineBar() {
  const line = useCurrentPathLine();
  // Shortcuts of the page first, then the help key.
  const hints = useActiveShortcuts()
    .filter(({ hint }) => hint)
    .toSorted((a, b) => Number(a.keys === '?') - Number(b.keys === '?'));
  return (
    <footer className={styles.path}>
      {line && (
        <>
          <code>
            <b>{line.request.method}</b> {line.request.address}
          </code>
          <CopyCommand icon="copy" label="curl" text={curlOf(line.request, location.origin)} />
          {line.command && <CopyCommand icon="term" label="lockkeeper" text={line.command} />}
        </>
      )}
      {hints.length > 0 && (
        <ul className={styles.hints} aria-label={texts.keyboardShortcuts}>
          {hints.map(({ keys, label }) => (
            <li key={keys}>
              <Keys keys={keys} /> {label}
            </li>
          ))}
        </ul>
      )}
    </footer>
  );
}

function CopyCommand({ icon, label, text }: { icon: IconName; label: string; text: string }) {
  const { copied, copy } = useCopy();
  return (
    <button type="button" className={styles.copy} title={text} onClick={() => copy(text)}>
      <Icon name={copied ? 'check' : icon} />
      <span>
        <span className="sr">{texts.copyAs} </span>
        {label}
      </span>
    </button>
  );
}
