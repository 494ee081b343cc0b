import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAccessList } from '../../api/access-list.ts';
import { access } from '../../api/client.ts';
import { AccessList } from '../../components/access-list/AccessList.tsx';
import { Button } from '../../components/button/Button.tsx';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { Field } from '../../components/form/Field.tsx';
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
  const [asks, setAsks] = useState(false);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const lease = useQuery(access.query('POST /sys/leases/lookup', { body: { lease_id: id } }));
  const revoke = useMutation({
    mutationFn: () => access.send('POST /sys/leases/revoke', { body: { lease_id: id } }),
    onSuccess: async () => {
      announce(texts.tokenRevoked);
      await navigate({ to: '/~access/leases', search: { prefix } });
      await queries.invalidateQueries({ queryKey: access.key() });
    },
  });
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
                <Button look="danger" onClick={() => setAsks(true)}>
                  {texts.revokeToken}
                </Button>
              </p>
            )}
            {asks && (
              <AskDialog
                title={texts.revokeTheTokenOf}
                action={texts.revokeToken2}
                destroys
                onAction={() => revoke.mutate()}
                onClose={() => setAsks(false)}
                busy={revoke.isPending}
                fault={revoke.error}
              >
                <p>{texts.thisRevokesTheToken}</p>
              </AskDialog>
            )}
          </>
        )}
      </QueryResult>
    </Section>
  );
}

function RevokeBelow({ path }: { readonly path: string }) {
  const [asks, setAsks] = useState(false);
  const [typed, setTyped] = useState('');
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => access.send('POST /sys/leases/revoke-prefix/{prefix}', { path: { prefix: path }, body: {} }),
    onSuccess: async () => {
      announce(texts.tokensRevoked);
      setAsks(false);
      await queries.invalidateQueries({ queryKey: access.key() });
    },
  });
  return (
    <p className={styles.more}>
      <Button look="danger" onClick={() => setAsks(true)}>
        {texts.revokeAllBelowThisPath}
      </Button>
      {asks && (
        <AskDialog
          title={texts.revokeAllBelow(path)}
          action={texts.revokeAll}
          destroys
          off={typed === path ? undefined : texts.typeThePathToConfirm}
          onAction={() => revoke.mutate()}
          onClose={() => setAsks(false)}
          busy={revoke.isPending}
          fault={revoke.error}
        >
          <p>{texts.thisRevokesEveryToken}</p>
          <Field label={texts.path} value={typed} onText={setTyped} autoComplete="off" />
        </AskDialog>
      )}
    </p>
  );
}
