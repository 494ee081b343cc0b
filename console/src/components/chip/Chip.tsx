import type { ReactNode } from 'react';
import { Icon } from '../icon/Icon.tsx';
import styles from './chip.module.css';
import * as texts from './texts.ts';

/** An active filter with its value and a button that removes it. */
export function FilterChip({ name, value, onRemove }: { name: string; value: string; onRemove: () => void }) {
  return (
    <span className={styles.chip}>
      <span>
        {name} <b>{value}</b>
      </span>
      <button type="button" aria-label={texts.removeFilter(name)} onClick={onRemove}>
        <Icon name="x" />
      </button>
    </span>
  );
}

/** A filter with the number of matching entries. */
export function CountChip({
  label,
  count,
  on,
  onToggle,
}: {
  label: string;
  /** Null if the server does not count the entries. */
  count?: string | null | undefined;
  on: boolean;
  onToggle: () => void;
}) {
  return (
    <button type="button" className={`${styles.chip} ${styles.press}`} aria-pressed={on} onClick={onToggle}>
      {label} {count !== null && <b>{count ?? '…'}</b>}
    </button>
  );
}

/** Classes of a chip that adds a filter. */
export const ADD_CHIP = `${styles.chip} ${styles.press} ${styles.add}`;

export function Chips({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <div className={styles.chips} {...(label && { role: 'group', 'aria-label': label })}>
      {children}
    </div>
  );
}

export function Tags({ names, most = Number.POSITIVE_INFINITY }: { names: readonly string[]; most?: number }) {
  const more = names.length - most;
  return (
    <span className={styles.tags}>
      {names.slice(0, most).map((name) => (
        <span className={styles.tag} key={name}>
          {name}
        </span>
      ))}
      {more > 0 && <span className="soft">+{more}</span>}
    </span>
  );
}
