import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useAccessList } from '../../api/access-list.ts';
import { access } from '../../api/client.ts';
import { AccessList } from '../../components/access-list/AccessList.tsx';
import { Danger } from '../../components/destroy/Danger.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Section } from '../../components/section/Section.tsx';
import { exact } from '../../format/time.ts';
import { Missing } from '../../shell/Missing.tsx';
import { useMay } from '../../shell/may.ts';
import { TokensFrame } from './TokensFrame.tsx';
import * as texts from './texts.ts';
import styles from './tokens.module.css';

const TOP = 'GET /sys/leases/lookup/';
const BELOW = 'GET /sys/leases/lookup/{prefix}/';
const PAGE = 100;
const route = getRouteApi('/signed-in/~access/leases');

/** Lists leases by the path at which their tokens were created. All tokens below a path can be revoked at once. */
export function LeasesPage() {
  const { prefix = '', lease } = route.useSearch();
  const path = prefix.replace(/\/$/, '');
  const place = path === '' ? 'sys/leases/lookup' : `sys/leases/lookup/${path}`;
  const revoke = `sys/leases/revoke-prefix/${path}`;
  const may = useMay([place, revoke]);
  const query = { list: 'true', limit: PAGE } as const;
  usePathLine({
    request: path === '' ? access.request(TOP, { query }) : access.request(BELOW, { path: { prefix: path }, query }),
    command: `lockkeeper list ${place}`,
  });
  const leases = useAccessList(
    (after) =>
      path === ''
        ? access.query(TOP, { query: { ...query, after } })
        : access.query(BELOW, { path: { prefix: path }, query: { ...query, after } }),
    PAGE,
  );
  return (
    <TokensFrame title={texts.leases}>
      <p className={styles.way}>
        <Way path={path} />
      </p>
      <AccessList
        list={leases}
        label={texts.leases}
        className={styles.list}
        missing={<Missing capability="list" path={place} />}
        empty={<Empty title={texts.noLeasesBelowThisPath}>{texts.eachTokenThatExpires}</Empty>}
        columns={[
          {
            id: 'key',
            head: texts.path,
            isName: true,
            cell: ({ key }) =>
              key.endsWith('/') ? (
                <Link to="/~access/leases" search={{ prefix: `${path === '' ? '' : `${path}/`}${key}` }}>
                  {key}
                </Link>
              ) : (
                <Link className="mono" to="/~access/leases" search={{ prefix, lease: `${path}/${key}` }}>
                  {key}
                </Link>
              ),
          },
        ]}
      />
      {lease && <One id={lease} prefix={prefix} />}
      {path !== '' && may(revoke, 'sudo') && may(revoke, 'update') && <RevokeBelow path={path} />}
    </TokensFrame>
  );
}

/** Breadcrumbs of the path; each part is a link. */
function Way({ path }: { readonly path: string }) {
  const parts = path === '' ? [] : path.split('/');
  return (
    <span className="mono">
      <Link className="link" to="/~access/leases">
        {texts.allPaths}
      </Link>
      {parts.map((part, index) => {
        const prefix = `${parts.slice(0, index + 1).join('/')}/`;
        return (
          <span key={prefix}>
            {' / '}
            <Link className="link" to="/~access/leases" search={{ prefix }}>
              {part}
            </Link>
          </span>
        );
      })}
    </span>
  );
}

function One({ id, prefix }: { readonly id: string; readonly prefix: string }) {
  const paths = { lookup: 'sys/leases/lookup', revoke: 'sys/leases/revoke' } as const;
  const may = useMay([paths.revoke]);
  const navigate = useNavigate();
  const lease = useQuery(access.query('POST /sys/leases/lookup', { body: { lease_id: id } }));
  return (
    <Section title={texts.lease} note={<code>{id}</code>}>
      <QueryResult query={lease} what={texts.theLease} missing={<Missing capability="update" path={paths.lookup} />}>
        {({ data }) => (
          <>
            <Facts
              of={[
                [texts.created, exact(data.issue_time)],
                [texts.expires, exact(data.expire_time)],
                [texts.renewed, data.last_renewal && exact(data.last_renewal)],
              ]}
            />
            {may(paths.revoke, 'update') && (
              <p>
                <Danger
                  button={texts.revokeToken}
                  title={texts.revokeTheTokenOf}
                  action={texts.revokeToken2}
                  run={() => access.send('POST /sys/leases/revoke', { body: { lease_id: id } })}
                  done={texts.tokenRevoked}
                  onDone={() => navigate({ to: '/~access/leases', search: { prefix } })}
                >
                  <p>{texts.thisRevokesTheToken}</p>
                </Danger>
              </p>
            )}
          </>
        )}
      </QueryResult>
    </Section>
  );
}

function RevokeBelow({ path }: { readonly path: string }) {
  return (
    <p className={styles.more}>
      <Danger
        button={texts.revokeAllBelowThisPath}
        title={texts.revokeAllBelow(path)}
        action={texts.revokeAll}
        typed={{ text: path, label: texts.path, off: texts.typeThePathToConfirm }}
        run={() => access.send('POST /sys/leases/revoke-prefix/{prefix}', { path: { prefix: path }, body: {} })}
        done={texts.tokensRevoked}
      >
        <p>{texts.thisRevokesEveryToken}</p>
      </Danger>
    </p>
  );
}
