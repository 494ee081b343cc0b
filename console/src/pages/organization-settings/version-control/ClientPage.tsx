import { Link, useNavigate } from '@tanstack/react-router';
import { workspaces } from '../../../api/client.ts';
import { buttonClass } from '../../../components/button/Button.tsx';
import { Destroy } from '../../../components/destroy/Destroy.tsx';
import { Facts } from '../../../components/facts/Facts.tsx';
import { QueryResult } from '../../../components/page-states/QueryResult.tsx';
import { Section } from '../../../components/section/Section.tsx';
import { AllowedRepositories, ConnectionName } from './ConnectionForms.tsx';
import { ConnectionProjects } from './ConnectionProjects.tsx';
import { findProvider } from './connect/providers.ts';
import type { ConnectSearch } from './connect/steps.ts';
import { affectedBy, type Connection, check, nameOf, useConnection, useToken } from './connection.ts';
import { CheckNow, healthFacts } from './Health.tsx';
import { ReplaceToken } from './ReplaceToken.tsx';
import { Repositories } from './Repositories.tsx';
import { TokenWarnings, tokenFacts } from './TokenFacts.tsx';
import * as texts from './texts.ts';
import styles from './version-control.module.css';

interface PageProps {
  readonly organization: string;
  readonly id: string;
}

/** A connection with its health, token, repositories and settings. */
export function ClientPage({ organization, id }: PageProps) {
  const query = useConnection(organization, id);
  return (
    <QueryResult query={query} what={texts.theConnection}>
      {({ data }) => (
        <>
          <Head organization={organization} connection={data} />
          <Repositories organization={organization} connection={id} />
          <AllowedRepositories key={data.attributes['updated-at']} connection={data} />
          <ConnectionProjects organization={organization} connection={data} />
          <ConnectionName key={data.attributes.name ?? ''} connection={data} />
          <Delete organization={organization} connection={data} />
        </>
      )}
    </QueryResult>
  );
}

/** Leads back to the step that a new connection waits for. */
const continued = ({ id, attributes }: Connection): ConnectSearch => ({
  ...{ step: '3', way: 'oauth', provider: attributes['service-provider'], connection: id },
  ...{ http: attributes['http-url'], api: attributes['api-url'] },
});

function Head({ organization, connection }: { readonly organization: string; readonly connection: Connection }) {
  const { id, attributes } = connection;
  const { 'connect-path': connectPath, key } = attributes;
  const token = useToken(id);
  const product = findProvider(attributes['service-provider'])?.product ?? '';
  const canSignIn = connectPath !== null && Boolean(key);
  return (
    <Section title={nameOf(connection)} note={attributes['service-provider-display-name']}>
      <Facts
        of={[
          ...healthFacts(attributes),
          ...tokenFacts(token.data),
          [texts.url, <code key="url">{attributes['http-url']}</code>],
          [texts.apiUrl, <code key="api">{attributes['api-url']}</code>],
        ]}
      />
      <TokenWarnings token={token.data} isRenewed={canSignIn} />
      {attributes['connection-status'] === 'unreachable' && <p className="soft">{texts.addressBlocked}</p>}
      <div className={styles.actions}>
        <CheckNow run={() => check(id)} />
        {!canSignIn && connectPath && token.data === null && (
          <Link
            className={buttonClass('primary')}
            to="/$organization/settings/version-control/new"
            params={{ organization }}
            search={continued(connection)}
          >
            {texts.continueSetup}
          </Link>
        )}
        {canSignIn ? (
          <a className={buttonClass()} href={connectPath}>
            {texts.signInAgain(product)}
          </a>
        ) : (
          <ReplaceToken id={id} />
        )}
      </div>
    </Section>
  );
}

function Delete({ organization, connection }: { readonly organization: string; readonly connection: Connection }) {
  const navigate = useNavigate();
  const name = nameOf(connection);
  return (
    <Section title={texts.deletion}>
      <div className={styles.actions}>
        <Destroy
          verb={texts.deleteText}
          what={texts.connectionNamed(name)}
          name={name}
          run={() =>
            workspaces.send('DELETE /oauth-clients/{oauth_client_id}', { path: { oauth_client_id: connection.id } })
          }
          onDone={() => navigate({ to: '/$organization/settings/version-control', params: { organization } })}
        >
          <p>{affectedBy(connection.attributes['affected-workspaces-count'])}</p>
          <p>{texts.tokensAreDeleted}</p>
        </Destroy>
      </div>
    </Section>
  );
}
