import { useQuery } from '@tanstack/react-query';
import { Icon } from '../../components/icon/Icon.tsx';
import { sessionQuery } from '../../session/session.ts';
import styles from './health.module.css';

const DOCUMENTS = [
  { side: 'access', label: 'access API', address: '/v1/openapi.json', name: 'lockkeeper-access.json' },
  { side: 'workspaces', label: 'workspace API', address: '/api/v2/openapi.json', name: 'lockkeeper-workspaces.json' },
] as const;

/** Both APIs as documents, for whoever writes a client. */
export function Documents() {
  const { data: session } = useQuery(sessionQuery);
  const open = DOCUMENTS.filter(({ side }) => session?.offers[side]);
  return (
    <section>
      <h2>For clients</h2>
      <ul className={styles.documents}>
        {open.map(({ side, label, address, name }) => (
          <li key={side}>
            <a className="link" href={address} download={name}>
              <Icon name="download" /> OpenAPI of the {label}
            </a>
          </li>
        ))}
      </ul>
      <p className="soft">
        At the foot of each page stands the request that filled it, to be copied as <code>curl</code> or{' '}
        <code>lockkeeper</code>.
      </p>
    </section>
  );
}
