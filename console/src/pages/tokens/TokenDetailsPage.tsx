import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { access } from '../../api/client.ts';
import type { Schemas } from '../../api/generated/access.ts';
import { buttonClass } from '../../components/button/Button.tsx';
import { Copyable } from '../../components/copy/Copyable.tsx';
import { Danger } from '../../components/destroy/Danger.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { PolicyNames } from '../../components/policy-names/PolicyNames.tsx';
import { counted } from '../../format/number.ts';
import { exact } from '../../format/time.ts';
import { Missing } from '../../shell/Missing.tsx';
import { useMay } from '../../shell/may.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import * as texts from './texts.ts';

const LOOKUP = 'POST /auth/token/lookup-accessor';
const PATHS = { lookup: 'auth/token/lookup-accessor', revoke: 'auth/token/revoke-accessor' } as const;
/** Maximum number of tokens that the server counts. */
const MOST_COUNTED = 1000;
const EVERY_MS = 5_000;

const route = getRouteApi('/signed-in/~access/tokens/$accessor');

type Token = Schemas['TokenLookup'];

/** Page of one token, by its accessor. */
export function TokenDetailsPage() {
  const { accessor } = route.useParams();
  const input = { body: { accessor, detail: true } };
  usePlace([{ label: texts.access }, { label: texts.tokens, to: '/~access/tokens' }, { label: accessor }]);
  usePathLine({
    request: access.request(LOOKUP, input),
    command: `lockkeeper write ${PATHS.lookup} accessor=${accessor}`,
  });
  const may = useMay([PATHS.revoke, 'sys/policies/explain']);
  const [isRevoked, setRevoked] = useState(false);
  const token = useQuery({ ...access.query(LOOKUP, input), refetchInterval: EVERY_MS, enabled: !isRevoked });
  return (
    <QueryResult
      query={token}
      what={texts.token2(accessor)}
      missing={<Missing capability="update" path={PATHS.lookup} />}
      isPage
    >
      {({ data }) => (
        <>
          <PageHead
            title={data.display_name || accessor}
            beside={<span className="soft">{about(data)}</span>}
            actions={
              <>
                {may('sys/policies/explain', 'update') && (
                  <Link className={buttonClass()} to="/~access/policies/explain" search={{ accessor }}>
                    {texts.requestCheck}
                  </Link>
                )}
                {may(PATHS.revoke, 'update') && <Revoke token={data} onRevoke={() => setRevoked(true)} />}
              </>
            }
          />
          <Facts of={factsOf(data)} />
        </>
      )}
    </QueryResult>
  );
}

function about({ type, orphan, descendants = 0 }: Token): string {
  const ends = descendants === 0 ? texts.noChildTokens : texts.revokingItAlsoRevokes(children(descendants));
  return texts.token3(type, orphan ? texts.orphan2 : '', ends);
}

const children = (count: number): string =>
  count >= MOST_COUNTED ? texts.orMore(counted(MOST_COUNTED, 'token')) : counted(count, 'token');

function factsOf(token: Token) {
  const { entity_id: entity, identity_policies: added = [] } = token;
  return [
    [texts.accessor2, <Copyable key="accessor" text={token.accessor} what={texts.accessor} />],
    [texts.policies, <PolicyNames key="policies" names={token.policies} />],
    [texts.policiesOfItsEntity, added.length > 0 && <PolicyNames names={added} />],
    [texts.createdAt, <code key="path">{token.path}</code>],
    [
      texts.parent,
      token.parent && (
        <Link className="link mono" to="/~access/tokens/$accessor" params={{ accessor: token.parent }}>
          {token.parent}
        </Link>
      ),
    ],
    [texts.tokenRole, token.role],
    [
      texts.entity,
      entity && (
        <Link className="link mono" to="/~access/identities/entity/$id" params={{ id: entity }}>
          {entity}
        </Link>
      ),
    ],
    [texts.created, exact(token.creation_time * 1000)],
    [texts.renewed, token.last_renewal && exact(token.last_renewal)],
    [texts.expires, token.expire_time ? exact(token.expire_time) : 'never'],
    [texts.renewable, token.renewable === undefined ? false : token.renewable ? 'yes' : 'no'],
    [texts.remainingUses, token.num_uses > 0 && token.num_uses],
    [texts.allowedIpAddresses, token.bound_cidrs && <code>{token.bound_cidrs.join(', ')}</code>],
    ...Object.entries(token.meta ?? {}).map(([name, value]) => [name, value] as const),
  ] as const;
}

function Revoke({ token, onRevoke }: { readonly token: Token; readonly onRevoke: () => void }) {
  const { accessor, display_name: name, descendants = 0 } = token;
  const navigate = useNavigate();
  return (
    <Danger
      button={texts.revoke}
      title={texts.revoke2(name || accessor)}
      action={texts.revoke3}
      run={() => access.send('POST /auth/token/revoke-accessor', { body: { accessor } })}
      done={texts.tokenRevoked}
      onDone={() => {
        onRevoke();
        return navigate({ to: '/~access/tokens' });
      }}
    >
      <p>{descendants === 0 ? texts.theTokenIsRevoked : texts.theTokenIsRevoked2(children(descendants))}</p>
    </Danger>
  );
}
