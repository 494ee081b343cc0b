import { exact } from '../../format/time.ts';
import styles from './claims.module.css';

/** Claims that are times, in seconds since 1970. */
const TIMES = new Set(['exp', 'iat', 'nbf', 'auth_time']);

interface ClaimsShownProps {
  readonly of: Readonly<Record<string, unknown>>;
  readonly label: string;
}

/** Claims of a token. The signature may be invalid. */
export function ClaimsShown({ of, label }: ClaimsShownProps) {
  return (
    <dl className={styles.claims} aria-label={label}>
      {Object.entries(of).map(([name, value]) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd dir="auto" className="mono">
            {typeof value === 'string' ? value : JSON.stringify(value)}
            {TIMES.has(name) && isTime(value) && <span className="soft"> {exact(value * 1_000)}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Whether a number is in the range of dates. */
const isTime = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) < 8e12;
