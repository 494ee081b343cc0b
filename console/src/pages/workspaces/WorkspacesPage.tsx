import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { Button, buttonClass } from '../../components/button/Button.tsx';
import { List, ListBones } from '../../components/list/List.tsx';
import { PAGE, useWindowed } from '../../components/list/windowed.ts';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { counted } from '../../format/number.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { BulkBar } from './BulkBar.tsx';
import { columnsOf, type Row } from './columns.tsx';
import { FilterBar } from './FilterBar.tsx';
import { commandOf, FIRST_SORT, queryOf } from './filters.ts';
import { STATUSES } from './statuses.ts';
import * as texts from './texts.ts';
import styles from './workspaces.module.css';

const LIST = 'GET /organizations/{organization_name}/workspaces';
/** Polling interval of the list, milliseconds. */
const EVERY_MS = 10_000;

const route = getRouteApi('/signed-in/$organization/workspaces');

/** Lists the workspaces of an organization. Most users start here. */
export function WorkspacesPage() {
  const { organization } = route.useParams();
  const filters = route.useSearch();
  const navigate = useNavigate({ from: '/$organization/workspaces' });
  const path = { organization_name: organization };
  const include = `locked_by,current_run${filters.columns?.includes('project') ? ',project' : ''}`;
  const query = { ...queryOf(filters, STATUSES), include };
  const [marked, setMarked] = useState<ReadonlyMap<string, string>>(new Map());
  usePlace([{ label: organization, to: `/${organization}/workspaces` }, { label: texts.workspaces }]);
  usePathLine({ request: workspaces.request(LIST, { path, query }), command: commandOf(organization, filters) });
  const list = useWindowed(
    (page) =>
      workspaces.query(LIST, {
        path,
        query: {
          ...query,
          ...(page === 1 && { counts: 'true' as const }),
          'page[number]': String(page),
          'page[size]': String(PAGE),
        },
      }),
    EVERY_MS,
  );
  const mark = ({ item }: Row) =>
    setMarked((before) => {
      const after = new Map(before);
      if (!after.delete(item.id)) after.set(item.id, item.attributes.name);
      return after;
    });
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal marks have equal keys
  const columns = useMemo(
    () => columnsOf(organization, filters.columns ?? '', { has: (id) => marked.has(id), toggle: mark }),
    [organization, filters.columns, marked],
  );
  const counts = list.first.data?.meta.counts;
  const change = (more: object) => void navigate({ search: (before) => ({ ...before, ...more }), replace: true });
  const isFiltered = Object.keys(filters).some((name) => name !== 'sort' && name !== 'columns');
  const { total } = list;
  return (
    <>
      <PageHead
        title={texts.workspaces}
        beside={list.first.data && <span className="soft">{summary(total, organization, isFiltered)}</span>}
        actions={<NewWorkspace organization={organization} />}
      />
      {marked.size > 0 ? (
        <BulkBar
          organization={organization}
          marked={[...marked].map(([id, name]) => ({ id, name }))}
          onClear={() => setMarked(new Map())}
        />
      ) : (
        <FilterBar organization={organization} filters={filters} counts={counts} onChange={change} />
      )}
      <QueryResult
        query={list.first}
        what={texts.workspacesOf(organization)}
        missing={<code>membership of the organization</code>}
        bones={<ListBones label={texts.workspaces} columns={columns} className={styles.list ?? ''} />}
      >
        {() =>
          total === 0 ? (
            <NoWorkspaces
              organization={organization}
              isFiltered={isFiltered}
              onClear={() => void navigate({ search: {} })}
            />
          ) : (
            <List<Row>
              label={texts.workspacesOf(organization)}
              columns={columns}
              className={styles.list ?? ''}
              total={total}
              row={list.row}
              keyOf={({ item }) => item.id}
              onShow={list.show}
              onOpen={({ item }) =>
                void navigate({
                  to: '/$organization/workspaces/$workspace',
                  params: { organization, workspace: item.attributes.name },
                })
              }
              onMark={mark}
              sort={filters.sort ?? FIRST_SORT}
              onSort={(sort) => change({ sort })}
            />
          )
        }
      </QueryResult>
    </>
  );
}

/** Link to the form for a new workspace, for users with permission to create one. */
function NewWorkspace({ organization }: { readonly organization: string }) {
  const path = { organization_name: organization };
  const { data } = useQuery({
    ...workspaces.query('GET /organizations/{organization_name}', { path }),
    staleTime: 60_000,
  });
  if (!data?.data.attributes.permissions['can-create-workspace']) return null;
  return (
    <Link className={buttonClass('primary')} to="/$organization/workspaces/~new" params={{ organization }}>
      {texts.newWorkspace}
    </Link>
  );
}

const summary = (total: number, organization: string, isFiltered: boolean): string =>
  isFiltered ? texts.found(counted(total, 'workspace')) : texts.inText(counted(total, 'workspace'), organization);

function NoWorkspaces({
  organization,
  isFiltered,
  onClear,
}: {
  organization: string;
  isFiltered: boolean;
  onClear: () => void;
}) {
  if (isFiltered) {
    return (
      <Empty title={texts.noWorkspacesMatch} action={<Button onClick={onClear}>{texts.showAllWorkspaces}</Button>}>
        {texts.noWorkspaceThatYou}
      </Empty>
    );
  }
  return (
    <Empty title={texts.noWorkspacesYet} command={texts.tofuInitWithA(organization)}>
      {texts.aWorkspaceStoresThe}
    </Empty>
  );
}
