import { Icon } from '../../components/icon/Icon.tsx';
import styles from './health.module.css';
import * as texts from './texts.ts';

interface ReadyProps {
  readonly failing: readonly { readonly name: string; readonly reason?: string }[];
  readonly audit: { readonly detail: string } | undefined;
}

const MEANS: Readonly<Record<string, string>> = {
  accepting: texts.theServerIsAbout,
  audit: texts.noAuditDeviceAccepts,
  blobs: texts.theStorageForStates,
  workers: texts.aWorkerProcessOf,
};

/** Whether the node is ready for requests, and if not, why. */
export function Ready({ failing, audit }: ReadyProps) {
  if (failing.length === 0 && !audit) {
    return (
      <p className={styles.ready}>
        <Icon name="gate-open" is="good" />
        <strong>{texts.ready}</strong> <span className="soft">{texts.theDatabaseTheState}</span>
      </p>
    );
  }
  const reasons = audit && !failing.some(({ name }) => name === 'audit') ? [...failing, { name: 'audit' }] : failing;
  return (
    <div role="alert">
      <p className={styles.ready}>
        <Icon name="gate-shut" is="bad" />
        <strong>{texts.notReady}</strong> <span className="soft">{texts.doNotSendRequests}</span>
      </p>
      <ul className={styles.reasons}>
        {reasons.map(({ name, reason }) => (
          <li key={name}>
            <code>{name}</code> {MEANS[name] ?? (name.startsWith('database') ? texts.theDatabaseIsNotWritable : '')}{' '}
            {(reason || (name === 'audit' && audit?.detail)) && <code>{reason || audit?.detail}</code>}
          </li>
        ))}
      </ul>
    </div>
  );
}
