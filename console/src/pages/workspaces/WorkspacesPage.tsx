import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { Empty } from '../../components/faces/Faces.tsx';
import { List, ListBones } from '../../components/list/List.tsx';
import { PAGE, useWindowed } from '../../components/list/windowed.ts';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { counted } from '../../format/number.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { columnsOf, type Row } from './columns.tsx';
import { FilterBar } from './FilterBar.tsx';
import { commandOf, FIRST_SORT, queryOf } from './filters.ts';
import { STATUSES } from './statuses.ts';
import styles from './workspaces.module.css';

const LIST = 'GET /organizations/{organization_name}/workspaces';
/** A list in view is asked for again so often, milliseconds. */
const EVERY_MS = 10_000;

const route = getRouteApi('/signed-in/$organization/workspaces');

/** The workspaces of an organization: the first page for most. */
export function WorkspacesPage() {
  const { organization } = route.useParams();
  const filters = route.useSearch();
  const navigate = useNavigate({ from: '/$organization/workspaces' });
  const path = { organization_name: organization };
  const query = { ...queryOf(filters, STATUSES), include: 'locked_by,current_run' };
  usePlace([{ label: organization, to: `/${organization}/workspaces` }, { label: 'Workspaces' }]);
  usePathLine({ request: workspaces.request(LIST, { path, query }), command: commandOf(organization, filters) });
  const list = useWindowed(
    (page) =>
      workspaces.query(LIST, { path, query: { ...query, 'page[number]': String(page), 'page[size]': String(PAGE) } }),
    EVERY_MS,
  );
  const columns = useMemo(() => columnsOf(organization), [organization]);
  const change = (more: object) => void navigate({ search: (before) => ({ ...before, ...more }), replace: true });
  const isFiltered = Object.keys(filters).some((name) => name !== 'sort');
  const { total } = list;
  return (
    <>
      <PageHead
        title="Workspaces"
        beside={list.first.data && <span className="soft">{summary(total, organization, isFiltered)}</span>}
      />
      <FilterBar organization={organization} filters={filters} onChange={change} />
      <Answered
        query={list.first}
        what={`Workspaces of ${organization}`}
        missing={<code>membership of the organization</code>}
        bones={<ListBones label="Workspaces" columns={columns} className={styles.list ?? ''} />}
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
              label={`Workspaces of ${organization}`}
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
              sort={filters.sort ?? FIRST_SORT}
              onSort={(sort) => change({ sort })}
            />
          )
        }
      </Answered>
    </>
  );
}

const summary = (total: number, organization: string, isFiltered: boolean): string =>
  isFiltered ? `${counted(total, 'workspace')} fit` : `${counted(total, 'workspace')} in ${organization}`;

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
      <Empty title="No workspace fits" action={<Button onClick={onClear}>Show all workspaces</Button>}>
        None that you may see has all of this.
      </Empty>
    );
  }
  return (
    <Empty title="No workspaces yet" command={`tofu init    # with a cloud block for ${organization}`}>
      A workspace keeps the state of one configuration and lets one run at a time change it.
    </Empty>
  );
}
