import { Fragment, type ReactNode } from 'react';
import styles from './canal.module.css';

/** Progress of a run in one stage. */
export type Level = 'passed' | 'here' | 'shut' | 'failed' | 'stopped' | 'ahead';

/** One stage, and the gate before the next. */
export interface Chamber {
  readonly id: string;
  readonly label: string;
  /** Shown below the label: time, duration, user. */
  readonly note?: ReactNode;
  readonly level: Level;
}

/**
 * Progress of a run, drawn as a canal with gates: water fills the finished stages. The list below says the same in
 * words.
 */
export function Canal({ label, chambers }: { readonly label: string; readonly chambers: readonly Chamber[] }) {
  return (
    <div className={styles.timeline}>
      <div className={styles.canal} aria-hidden="true">
        {chambers.map((chamber, at) => (
          <Fragment key={chamber.id}>
            {at > 0 && <Gate before={chambers[at - 1]?.level ?? 'ahead'} after={chamber.level} />}
            <span className={`${styles.chamber} ${styles[chamber.level]}`} />
          </Fragment>
        ))}
      </div>
      <ol className={styles.steps} aria-label={label}>
        {chambers.map(({ id, label: name, note, level }) => (
          <li key={id} className={styles[level]} {...(isNow(level) && { 'aria-current': 'step' })}>
            <strong>{name}</strong>
            <span>{note}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

const isNow = (level: Level): boolean => level === 'here' || ['shut', 'failed', 'stopped'].includes(level);

/** Gate between two stages: open if the run has passed it, shut if the run waits before it. */
function Gate({ before, after }: { readonly before: Level; readonly after: Level }) {
  const isPassed = before === 'passed' && after !== 'ahead' && after !== 'shut';
  const isShut = before === 'passed' && after === 'shut';
  const leaf = isPassed ? 'M4 3h15M4 37h15' : 'M17 1 8 20l9 19';
  return (
    <svg
      className={`${styles.gate} ${isPassed ? styles.passed : ''}`}
      viewBox="0 0 24 40"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {isShut && <path className={styles.press} d="M0 1h17L8 20l9 19H0Z" />}
      <path className={styles.bank} d="M0 .5h24M0 39.5h24" />
      <path className={`${styles.leaf} ${isPassed ? styles.open : ''} ${isShut ? styles.closed : ''}`} d={leaf} />
    </svg>
  );
}
