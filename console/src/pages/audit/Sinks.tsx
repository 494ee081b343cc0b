import { useQuery } from '@tanstack/react-query';
import { access } from '../../api/client.ts';
import { State } from '../../components/state/State.tsx';
import styles from './audit.module.css';
import * as texts from './texts.ts';

/** State of the audit devices. Hidden if the token may not read it. */
export function Sinks() {
  const sinks = useQuery({ ...access.query('GET /sys/audit', {}), staleTime: 60_000 });
  const entries = Object.entries(sinks.data?.data ?? {});
  if (entries.length === 0) return null;
  return (
    <ul className={styles.sinks} aria-label={texts.auditDevices}>
      {entries.map(([name, { description }]) => (
        <li key={name}>
          <State icon={description ? 'warn' : 'ok'} is={description ? 'bad' : 'good'}>
            <span>
              <span className="mono">{name.replace(/\/$/, '')}</span>{' '}
              <span className="soft">{description ? texts.notWriting(description) : texts.writing}</span>
            </span>
          </State>
        </li>
      ))}
    </ul>
  );
}
