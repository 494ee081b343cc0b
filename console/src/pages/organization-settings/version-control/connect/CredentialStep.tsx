import { Select } from '../../../../components/form/Field.tsx';
import * as texts from '../texts.ts';
import { AppStep } from './AppStep.tsx';
import { OAuthStep } from './OAuthStep.tsx';
import type { Provider } from './providers.ts';
import { type ConnectSearch, wayOf } from './steps.ts';
import { TokenStep } from './TokenStep.tsx';

export interface CredentialStepProps {
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

/** Step 3: the credential of the connection. */
export function CredentialStep(props: CredentialStepProps) {
  const { provider, search, onWay } = props;
  const way = wayOf(search, provider);
  return (
    <>
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
