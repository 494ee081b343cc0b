import type { ReactNode } from 'react';
import { Icon } from '../icon/Icon.tsx';
import styles from './chip.module.css';

/** A filter that is on: what it filters by, and a cross that takes it away. */
export function FilterChip({ name, value, onRemove }: { name: string; value: string; onRemove: () => void }) {
  return (
    <span className={styles.chip}>
      <span>
        {name} <b>{value}</b>
      </span>
      <button type="button" aria-label={`Remove filter: ${name}`} onClick={onRemove}>
        <Icon name="x" />
      </button>
    </span>
  );
}

/** How many there are, and a filter for them. */
export function CountChip({
  label,
  count,
  on,
  onToggle,
}: {
  label: string;
  /** Null where nobody counts them. */
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

/** The classes of a chip that adds a filter. */
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
