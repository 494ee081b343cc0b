import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAccessList } from '../../api/access-list.ts';
import { access } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { Empty } from '../../components/faces/Faces.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { Field } from '../../components/form/Field.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Section } from '../../components/section/Section.tsx';
import { Table } from '../../components/table/Table.tsx';
import { exact } from '../../format/time.ts';
import { Missing } from '../../shell/Missing.tsx';
import { useMay } from '../../shell/may.ts';
import { TokensFrame } from './TokensFrame.tsx';
import styles from './tokens.module.css';

const TOP = 'GET /sys/leases/lookup/';
const BELOW = 'GET /sys/leases/lookup/{prefix}/';
const PAGE = 100;
const route = getRouteApi('/signed-in/~access/leases');

/** Tokens by the paths that they came from: what a path gave can be taken back at once. */
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
    <TokensFrame title="Leases">
      <p className={styles.way}>
        <Way path={path} />
      </p>
      <Answered query={leases.query} what="Leases" missing={<Missing capability="list" path={place} />}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="Nothing below this path">
              Tokens that end have a lease below the path that they came from.
            </Empty>
          ) : (
            <Table
              label="Leases"
              items={all}
              keyOf={({ key }) => key}
              className={styles.list ?? ''}
              columns={[
                {
                  id: 'key',
                  head: 'Below',
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
          )
        }
      </Answered>
      {leases.hasMore && (
        <p className={styles.more}>
          <Button onClick={leases.more}>More</Button>
        </p>
      )}
      {lease && <One id={lease} prefix={prefix} />}
      {path !== '' && may(revoke, 'sudo') && may(revoke, 'update') && <RevokeBelow path={path} />}
    </TokensFrame>
  );
}

/** The parts of the path, each leading there. */
function Way({ path }: { readonly path: string }) {
  const parts = path === '' ? [] : path.split('/');
  return (
    <span className="mono">
      <Link className="link" to="/~access/leases">
        all
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
      announce('Revoked');
      await navigate({ to: '/~access/leases', search: { prefix } });
      await queries.invalidateQueries({ queryKey: access.key() });
    },
  });
  return (
    <Section title="Lease" note={<code>{id}</code>}>
      <Answered query={lease} what="The lease" missing={<Missing capability="update" path={paths.lookup} />}>
        {({ data }) => (
          <>
            <Facts
              of={[
                ['Issued', exact(data.issue_time)],
                ['Ends', exact(data.expire_time)],
                ['Renewed', data.last_renewal && exact(data.last_renewal)],
              ]}
            />
            {may(paths.revoke, 'update') && (
              <p>
                <Button look="danger" onClick={() => setAsks(true)}>
                  Revoke its token…
                </Button>
              </p>
            )}
            {asks && (
              <AskDialog
                title="Revoke the token of this lease"
                action="Revoke"
                destroys
                onAction={() => revoke.mutate()}
                onClose={() => setAsks(false)}
                busy={revoke.isPending}
                fault={revoke.error}
              >
                <p>It ends at once, and so does all that came from it.</p>
              </AskDialog>
            )}
          </>
        )}
      </Answered>
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
      announce('Revoked');
      setAsks(false);
      await queries.invalidateQueries({ queryKey: access.key() });
    },
  });
  return (
    <p className={styles.more}>
      <Button look="danger" onClick={() => setAsks(true)}>
        Revoke all below…
      </Button>
      {asks && (
        <AskDialog
          title={`Revoke all below ${path}`}
          action="Revoke all"
          destroys
          off={typed === path ? undefined : 'Type the path first'}
          onAction={() => revoke.mutate()}
          onClose={() => setAsks(false)}
          busy={revoke.isPending}
          fault={revoke.error}
        >
          <p>
            Every token with an end that came from this path or from below it ends at once, and what came from those.
          </p>
          <Field label="Path" value={typed} onText={setTyped} autoComplete="off" />
        </AskDialog>
      )}
    </p>
  );
}
