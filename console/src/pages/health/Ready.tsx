import { Icon } from '../../components/icon/Icon.tsx';
import styles from './health.module.css';

interface ReadyProps {
  readonly failing: readonly { readonly name: string; readonly reason?: string }[];
  readonly audit: { readonly detail: string } | undefined;
}

const MEANS: Readonly<Record<string, string>> = {
  accepting: 'The server is about to stop, and should be asked nothing more.',
  audit: 'No sink takes a line, so nearly every request is refused.',
  blobs: 'States cannot be written where they are kept.',
  workers: 'A process of this server does not work.',
};

/** Whether requests should be sent here, and if not, why. */
export function Ready({ failing, audit }: ReadyProps) {
  if (failing.length === 0 && !audit) {
    return (
      <p className={styles.ready}>
        <Icon name="gate-open" is="good" />
        <strong>Ready.</strong> <span className="soft">Database, states and audit record can be written.</span>
      </p>
    );
  }
  const reasons = audit && !failing.some(({ name }) => name === 'audit') ? [...failing, { name: 'audit' }] : failing;
  return (
    <div role="alert">
      <p className={styles.ready}>
        <Icon name="gate-shut" is="bad" />
        <strong>Not ready.</strong> <span className="soft">Requests should not be sent here.</span>
      </p>
      <ul className={styles.reasons}>
        {reasons.map(({ name, reason }) => (
          <li key={name}>
            <code>{name}</code> {MEANS[name] ?? (name.startsWith('database') ? 'The database cannot be written.' : '')}{' '}
            {(reason || (name === 'audit' && audit?.detail)) && <code>{reason || audit?.detail}</code>}
          </li>
        ))}
      </ul>
    </div>
  );
}
