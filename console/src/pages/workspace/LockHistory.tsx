import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type Resources, workspaces } from '../../api/client.ts';
import { Answered } from '../../components/faces/Answered.tsx';
import { Empty } from '../../components/faces/Faces.tsx';
import { Pager } from '../../components/pager/Pager.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { State } from '../../components/state/State.tsx';
import type { Column } from '../../components/table/columns.ts';
import { Table } from '../../components/table/Table.tsx';
import { Ago } from '../../components/time/Time.tsx';
import { exact, short } from '../../format/time.ts';
import { usePlace } from '../../shell/page.ts';
import { useWorkspace } from '../../shell/workspace.ts';
import styles from './workspace.module.css';

const EVENTS = 'GET /workspaces/{workspace_id}/lock-events';
const SIZE = 50;
const route = getRouteApi('/signed-in/$organization/workspaces/$workspace/lock-history');

type LockEvent = Resources['lock-events'];

const COLUMNS: readonly Column<LockEvent>[] = [
  { id: 'state', head: 'State', className: styles.state, cell: ({ attributes }) => <EventState of={attributes} /> },
  {
    id: 'by',
    head: 'Locked by',
    isName: true,
    cell: ({ attributes }) => attributes['locked-by-name'] ?? 'somebody who is gone',
  },
  { id: 'why', head: 'Reason', className: 'soft', cell: ({ attributes }) => attributes.reason },
  { id: 'unlocked', head: 'Unlocked by', cell: ({ attributes }) => attributes['unlocked-by-name'] },
  {
    id: 'held',
    head: 'Held for',
    isNumber: true,
    cell: ({ attributes }) => {
      const held = attributes['held-seconds'];
      return held === null ? <Ago time={attributes['locked-at']} /> : short(held);
    },
  },
  {
    id: 'since',
    head: 'Locked',
    isNumber: true,
    className: `${styles.since} soft`,
    cell: ({ attributes }) => (
      <time dateTime={attributes['locked-at']} title={exact(attributes['locked-at'])}>
        <Ago time={attributes['locked-at']} /> ago
      </time>
    ),
  },
];

function EventState({ of: event }: { readonly of: LockEvent['attributes'] }) {
  if (event['unlocked-at'] === null) {
    return (
      <State icon="gate-shut" is="locked">
        locked
      </State>
    );
  }
  return (
    <State icon="gate-open" is={event.forced ? 'attention' : 'idle'}>
      {event.forced ? 'forced' : 'unlocked'}
    </State>
  );
}

/** Each time that the workspace was locked: by whom, why, how long, and who ended it. */
export function LockHistory() {
  const { organization, workspace, query } = useWorkspace();
  const page = Math.max(1, Number.parseInt(route.useSearch().page ?? '1', 10) || 1);
  const navigate = useNavigate({ from: '/$organization/workspaces/$workspace/lock-history' });
  const input = {
    path: { workspace_id: query.data?.data.id ?? '' },
    query: { 'page[number]': String(page), 'page[size]': String(SIZE) },
  };
  usePlace([
    { label: organization, to: `/${organization}/workspaces` },
    { label: workspace, to: `/${organization}/workspaces/${workspace}` },
    { label: 'Lock history' },
  ]);
  const request = workspaces.request(EVENTS, input);
  usePathLine({ request, command: `lockkeeper api GET ${request.address.replace('/api/v2/', '')}` });
  const events = useQuery({
    ...workspaces.query(EVENTS, input),
    enabled: query.data !== undefined,
    placeholderData: keepPreviousData,
  });
  return (
    <Answered query={events} what="The lock history">
      {({ data, meta }) =>
        data.length === 0 ? (
          <Empty title="Never locked" command={`lockkeeper workspace lock ${organization}/${workspace} --reason '…'`}>
            Whoever changes a workspace locks it meanwhile. Each time stands here, with who held it, and why.
          </Empty>
        ) : (
          <>
            <Table label={`Locks of ${workspace}`} twoLines columns={COLUMNS} items={data} keyOf={({ id }) => id} />
            <Pager
              page={page}
              size={SIZE}
              total={meta.pagination['total-count'] ?? data.length}
              onPage={(next) => void navigate({ search: next === 1 ? {} : { page: String(next) } })}
            />
          </>
        )
      }
    </Answered>
  );
}
