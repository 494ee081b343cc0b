import { Facts } from '../../../../components/facts/Facts.tsx';
import { Select } from '../../../../components/form/Field.tsx';
import { QueryResult } from '../../../../components/page-states/QueryResult.tsx';
import { type Connection, useConnection } from '../connection.ts';
import * as texts from '../texts.ts';
import styles from '../version-control.module.css';
import { AppStep } from './AppStep.tsx';
import { OAuthStep } from './OAuthStep.tsx';
import { findProvider, type Provider } from './providers.ts';
import { type ConnectSearch, wayOf } from './steps.ts';
import { TokenStep } from './TokenStep.tsx';

interface StepProps {
  readonly organization: string;
  readonly provider: Provider;
  readonly search: ConnectSearch;
  readonly onBack: () => void;
  readonly onWay: (way: string) => void;
  /** The connection exists, without a credential. */
  readonly onCreate: (connection: string) => void;
  /** The connection has its credential. */
  readonly onConnect: (connection: string) => void;
}

export interface CredentialStepProps extends StepProps {
  /** Connection that gets the credential; undefined if it does not exist yet. */
  readonly connection: Connection | undefined;
}

/** Step 3: the credential of the connection. */
export function CredentialStep(props: StepProps) {
  const { organization, search } = props;
  const id = search.connection ?? '';
  const query = useConnection(organization, id);
  if (id === '') return <Ways {...props} connection={undefined} />;
  return (
    <QueryResult query={query} what={texts.theConnection}>
      {({ data }) => <Ways {...ofConnection(props, data)} />}
    </QueryResult>
  );
}

/** The server and the provider of a connection that exists count, not those of the URL. */
function ofConnection(props: StepProps, connection: Connection): CredentialStepProps {
  const { 'service-provider': id, 'http-url': http, 'api-url': api } = connection.attributes;
  return {
    ...{ ...props, connection, provider: findProvider(id) ?? props.provider },
    search: { ...props.search, http, api },
  };
}

function Ways(props: CredentialStepProps) {
  const { provider, search, onWay } = props;
  const way = wayOf(search, provider);
  return (
    <>
      <div className={styles.facts}>
        <Facts
          of={[
            [texts.serverOfTheCredential, <code key="server">{search.http}</code>],
            [texts.apiUrl, way !== 'app' && search.api !== search.http && <code key="api">{search.api}</code>],
          ]}
        />
      </div>
      {provider.ways.length > 1 && (
        <Select
          label={texts.howToConnect}
          help={texts.aboutWays[way]}
          value={way}
          options={provider.ways.map((one) => [one, texts.ways[one]] as const)}
          onText={onWay}
        />
      )}
      {way === 'token' && <TokenStep {...props} />}
      {way === 'oauth' && <OAuthStep {...props} />}
      {way === 'app' && <AppStep {...props} />}
    </>
  );
}
