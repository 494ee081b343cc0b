import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type AccessSchemas, access } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Table } from '../../components/table/Table.tsx';
import { long } from '../../format/time.ts';
import { useMay } from '../../shell/may.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { EnableDialog } from './EnableDialog.tsx';
import { MountView } from './MountView.tsx';
import styles from './mounts.module.css';
import * as texts from './texts.ts';

const LIST = 'GET /sys/auth';
/** Example path for the capability check: any unused path would do. */
const ANY = 'sys/auth/+';

const route = getRouteApi('/signed-in/~access/mounts');

/** List of mounts below `auth/`, or the one in the search parameters. */
export function MountsPage() {
  const { mount } = route.useSearch();
  const mounts = useQuery(access.query(LIST, {}));
  usePlace([
    { label: texts.access },
    ...(mount
      ? [{ label: texts.mounts, to: '/~access/mounts' }, { label: `auth/${mount}` }]
      : [{ label: texts.mounts }]),
  ]);
  usePathLine({ request: access.request(LIST, {}), command: 'lockkeeper read sys/auth' });
  return (
    <QueryResult query={mounts} what={texts.theMounts} missing={<code>read on sys/auth</code>} isPage>
      {({ data }) => (mount ? <MountView key={mount} path={mount} entry={data[`${mount}/`]} /> : <Mounts of={data} />)}
    </QueryResult>
  );
}

function Mounts({ of }: { readonly of: AccessSchemas['Mounts'] }) {
  const [enabling, setEnabling] = useState(false);
  const may = useMay([ANY]);
  const rows = Object.entries(of).map(([name, entry]) => ({ path: name.replace(/\/$/, ''), entry }));
  return (
    <>
      <PageHead
        title={texts.mounts}
        lede={texts.authMethodsAtTheir}
        actions={
          may(ANY, 'sudo') &&
          may(ANY, 'update', 'create') && (
            <Button look="primary" onClick={() => setEnabling(true)}>
              {texts.enableAuthMethod}
            </Button>
          )
        }
      />
      <Table
        label={texts.mounts}
        twoLines
        items={rows}
        keyOf={({ path }) => path}
        columns={[
          {
            id: 'path',
            head: texts.path,
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
          { id: 'type', head: texts.method, cell: ({ entry }) => <code>{entry.type}</code> },
          {
            id: 'description',
            head: texts.description,
            className: styles.text,
            cell: ({ entry }) => <bdi>{entry.description}</bdi>,
          },
          { id: 'ttl', head: texts.defaultTokenLifetime, cell: ({ entry }) => lifeOf(entry.config.default_lease_ttl) },
          {
            id: 'max',
            head: texts.maximum,
            className: styles.max,
            cell: ({ entry }) => lifeOf(entry.config.max_lease_ttl),
          },
        ]}
      />
      {enabling && <EnableDialog onClose={() => setEnabling(false)} />}
    </>
  );
}

const lifeOf = (seconds: number): string => (seconds > 0 ? long(seconds) : texts.serverDefault);
