import { useQuery } from '@tanstack/react-query';
import { Icon } from '../../components/icon/Icon.tsx';
import { sessionQuery } from '../../session/session.ts';
import styles from './health.module.css';
import * as texts from './texts.ts';

const DOCUMENTS = [
  { side: 'access', label: texts.accessApi, address: '/v1/openapi.json', name: 'lockkeeper-access.json' },
  {
    side: 'workspaces',
    label: texts.workspaceApi,
    address: '/api/v2/openapi.json',
    name: 'lockkeeper-workspaces.json',
  },
] as const;

/** Links to the OpenAPI documents of both APIs, for developers of clients. */
export function Documents() {
  const { data: session } = useQuery(sessionQuery);
  const open = DOCUMENTS.filter(({ side }) => session?.offers[side]);
  return (
    <section>
      <h2>{texts.apiDocuments}</h2>
      <ul className={styles.documents}>
        {open.map(({ side, label, address, name }) => (
          <li key={side}>
            <a className="link" href={address} download={name}>
              <Icon name="download" /> {texts.openapiDocumentOfThe(label)}
            </a>
          </li>
        ))}
      </ul>
      <p className="soft">{texts.requestLineHint}</p>
    </section>
  );
}
