import { exact } from '../../format/time.ts';
import styles from './claims.module.css';

/** Times of a token: seconds since 1970. */
const TIMES = new Set(['exp', 'iat', 'nbf', 'auth_time']);

interface ClaimsShownProps {
  readonly of: Readonly<Record<string, unknown>>;
  readonly label: string;
}

/** What a token says of itself, whoever has signed it. */
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

/** What a date can be made of. */
const isTime = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) < 8e12;
