import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type Resources, workspaces } from '../../api/client.ts';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Pager } from '../../components/pager/Pager.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { State } from '../../components/state/State.tsx';
import type { Column } from '../../components/table/columns.ts';
import { Table } from '../../components/table/Table.tsx';
import { Ago } from '../../components/time/Time.tsx';
import { exact, short } from '../../format/time.ts';
import { usePlace } from '../../shell/page.ts';
import { useWorkspace } from '../../shell/workspace.ts';
import * as texts from './texts.ts';
import styles from './workspace.module.css';

const EVENTS = 'GET /workspaces/{workspace_id}/lock-events';
const SIZE = 50;
const route = getRouteApi('/signed-in/$organization/workspaces/$workspace/lock-history');

type LockEvent = Resources['lock-events'];

const COLUMNS: readonly Column<LockEvent>[] = [
  { id: 'state', head: texts.state, className: styles.state, cell: ({ attributes }) => <EventState of={attributes} /> },
  {
    id: 'by',
    head: texts.lockedBy,
    isName: true,
    cell: ({ attributes }) => attributes['locked-by-name'] ?? texts.deletedUser,
  },
  { id: 'why', head: texts.reason, className: 'soft', cell: ({ attributes }) => attributes.reason },
  { id: 'unlocked', head: texts.unlockedBy, cell: ({ attributes }) => attributes['unlocked-by-name'] },
  {
    id: 'held',
    head: texts.duration,
    isNumber: true,
    cell: ({ attributes }) => {
      const held = attributes['held-seconds'];
      return held === null ? <Ago time={attributes['locked-at']} /> : short(held);
    },
  },
  {
    id: 'since',
    head: texts.locked,
    isNumber: true,
    className: `${styles.since} soft`,
    cell: ({ attributes }) => (
      <time dateTime={attributes['locked-at']} title={exact(attributes['locked-at'])}>
        <Ago time={attributes['locked-at']} /> {texts.ago}
      </time>
    ),
  },
];

function EventState({ of: event }: { readonly of: LockEvent['attributes'] }) {
  if (event['unlocked-at'] === null) {
    return (
      <State icon="gate-shut" is="locked">
        {texts.locked2}
      </State>
    );
  }
  return (
    <State icon="gate-open" is={event.forced ? 'attention' : 'idle'}>
      {event.forced ? texts.forceUnlocked : texts.unlocked3}
    </State>
  );
}

/** Lists each lock of the workspace: its holder, reason, duration, and who removed it. */
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
    { label: texts.lockHistory },
  ]);
  const request = workspaces.request(EVENTS, input);
  usePathLine({ request, command: `lockkeeper api GET ${request.address.replace('/api/v2/', '')}` });
  const events = useQuery({
    ...workspaces.query(EVENTS, input),
    enabled: query.data !== undefined,
    placeholderData: keepPreviousData,
  });
  return (
    <QueryResult query={events} what={texts.theLockHistory}>
      {({ data, meta }) =>
        data.length === 0 ? (
          <Empty
            title={texts.noLocksYet}
            command={`lockkeeper workspace lock ${organization}/${workspace} --reason '…'`}
          >
            {texts.aLockPreventsOther}
          </Empty>
        ) : (
          <>
            <Table label={texts.locksOf(workspace)} twoLines columns={COLUMNS} items={data} keyOf={({ id }) => id} />
            <Pager
              page={page}
              size={SIZE}
              total={meta.pagination['total-count'] ?? data.length}
              onPage={(next) => void navigate({ search: next === 1 ? {} : { page: String(next) } })}
            />
          </>
        )
      }
    </QueryResult>
  );
}
