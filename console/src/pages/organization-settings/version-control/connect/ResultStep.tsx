import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../../../components/button/Button.tsx';
import { Facts } from '../../../../components/facts/Facts.tsx';
import { QueryResult } from '../../../../components/page-states/QueryResult.tsx';
import { type Connection, check, useConnection, useToken } from '../connection.ts';
import { CheckNow, healthFacts } from '../Health.tsx';
import { TokenWarnings, tokenFacts } from '../TokenFacts.tsx';
import * as texts from '../texts.ts';
import styles from '../version-control.module.css';

const WORDS: Readonly<Record<Connection['attributes']['connection-status'], string>> = {
  ok: texts.theConnectionWorks,
  refused: texts.theCheckFailed,
  unreachable: texts.theProviderIsAway,
  unverified: texts.notCheckedYet,
};

/** Step 4: the result of the check. */
export function ResultStep({ organization, id }: { readonly organization: string; readonly id: string }) {
  const query = useConnection(organization, id);
  const token = useToken(id);
  const params = { organization, connection: id };
  return (
    <QueryResult query={query} what={texts.theConnection}>
      {({ data: { attributes } }) => (
        <>
          <p role="status">{WORDS[attributes['connection-status']]}</p>
          {attributes['connection-status'] === 'unreachable' && <p className="soft">{texts.addressBlocked}</p>}
          <div className={styles.facts}>
            <Facts of={[...healthFacts(attributes), ...tokenFacts(token.data)]} />
          </div>
          <TokenWarnings token={token.data} />
          <div className={styles.actions}>
            <CheckNow run={() => check(id)} />
            <Link
              className={buttonClass('primary')}
              to="/$organization/settings/version-control/$connection"
              params={params}
            >
              {texts.openTheConnection}
            </Link>
            <Link className={buttonClass()} to="/$organization/workspaces/~new" params={{ organization }}>
              {texts.newWorkspace}
            </Link>
          </div>
        </>
      )}
    </QueryResult>
  );
}
