import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type AccessSchemas, access } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Table } from '../../components/table/Table.tsx';
import { long } from '../../format/time.ts';
import { useMay } from '../../shell/may.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { EnableDialog } from './EnableDialog.tsx';
import { MountView } from './MountView.tsx';
import styles from './mounts.module.css';

const LIST = 'GET /sys/auth';
/** As good as any name that is not taken. */
const ANY = 'sys/auth/+';

const route = getRouteApi('/signed-in/~access/mounts');

/** The methods below `auth/`, or the one that the address names. */
export function MountsPage() {
  const { mount } = route.useSearch();
  const mounts = useQuery(access.query(LIST, {}));
  usePlace([
    { label: 'Access' },
    ...(mount ? [{ label: 'Mounts', to: '/~access/mounts' }, { label: `auth/${mount}` }] : [{ label: 'Mounts' }]),
  ]);
  usePathLine({ request: access.request(LIST, {}), command: 'lockkeeper read sys/auth' });
  return (
    <Answered query={mounts} what="The mounts" missing={<code>read on sys/auth</code>} isPage>
      {({ data }) => (mount ? <MountView key={mount} path={mount} entry={data[`${mount}/`]} /> : <Mounts of={data} />)}
    </Answered>
  );
}

function Mounts({ of }: { readonly of: AccessSchemas['Mounts'] }) {
  const [enabling, setEnabling] = useState(false);
  const may = useMay([ANY]);
  const rows = Object.entries(of).map(([name, entry]) => ({ path: name.replace(/\/$/, ''), entry }));
  return (
    <>
      <PageHead
        title="Mounts"
        lede="Where the ways to log in are: each has roles, revocation lists and tokens of its own."
        actions={
          may(ANY, 'sudo') &&
          may(ANY, 'update', 'create') && (
            <Button look="primary" onClick={() => setEnabling(true)}>
              Enable a method…
            </Button>
          )
        }
      />
      <Table
        label="Mounts"
        twoLines
        items={rows}
        keyOf={({ path }) => path}
        columns={[
          {
            id: 'path',
            head: 'Path',
            isName: true,
            className: styles.text,
            cell: ({ path, entry }) =>
              entry.type === 'token' ? (
                `auth/${path}`
              ) : (
                <Link to="/~access/mounts" search={{ mount: path }}>
                  auth/{path}
                </Link>
              ),
          },
          { id: 'type', head: 'Method', cell: ({ entry }) => <code>{entry.type}</code> },
          {
            id: 'description',
            head: 'Description',
            className: styles.text,
            cell: ({ entry }) => <bdi>{entry.description}</bdi>,
          },
          { id: 'ttl', head: 'Tokens live', cell: ({ entry }) => lifeOf(entry.config.default_lease_ttl) },
          {
            id: 'max',
            head: 'At most',
            className: styles.max,
            cell: ({ entry }) => lifeOf(entry.config.max_lease_ttl),
          },
        ]}
      />
      {enabling && <EnableDialog onClose={() => setEnabling(false)} />}
    </>
  );
}

const lifeOf = (seconds: number): string => (seconds > 0 ? long(seconds) : 'as the installation says');
