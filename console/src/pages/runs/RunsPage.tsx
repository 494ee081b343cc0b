import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { PAGE, useWindowed } from '../../components/list/windowed.ts';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { count } from '../../format/number.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { INCLUDE } from './columns.tsx';
import { RunFilters } from './RunFilters.tsx';
import { RunsList } from './RunsList.tsx';
import { queryOf, type RunsSearch } from './search.ts';
import * as texts from './texts.ts';

const LIST = 'GET /organizations/{organization_name}/runs';
/** Polling interval, milliseconds. */
const EVERY_MS = 10_000;

const route = getRouteApi('/signed-in/$organization/runs');

/** Runs of an organization, in all workspaces that the user may see. */
export function RunsPage() {
  const { organization } = route.useParams();
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/$organization/runs' });
  const path = { organization_name: organization };
  const query = { ...queryOf(search), include: `${INCLUDE},workspace` };
  usePlace([{ label: organization, to: `/${organization}/workspaces` }, { label: texts.runs }]);
  const request = workspaces.request(LIST, { path, query });
  usePathLine({ request, command: `lockkeeper api GET '${request.address.replace('/api/v2/', '')}'` });
  const list = useWindowed(
    (page) =>
      workspaces.query(LIST, {
        path,
        query: {
          ...query,
          'page[number]': String(page),
          'page[size]': String(PAGE),
          ...(page === 1 && { counts: 'true' as const }),
        },
      }),
    EVERY_MS,
  );
  const capacity = useQuery({
    ...workspaces.query('GET /organizations/{organization_name}/capacity', { path }),
    refetchInterval: EVERY_MS,
  });
  const now = capacity.data?.data.attributes;
  const change = (more: Partial<Record<keyof RunsSearch, unknown>>) =>
    void navigate({ search: (before) => ({ ...before, ...more }) as RunsSearch, replace: true });
  return (
    <>
      <PageHead
        title={texts.runs}
        beside={now && <span className="soft">{texts.runningQueued(count(now.running), count(now.pending))}</span>}
      />
      <RunFilters of={{ counts: list.first.data?.meta.counts }} search={search} onChange={change} />
      <QueryResult
        query={list.first}
        what={texts.runsOf2(organization)}
        missing={<code>membership of the organization</code>}
      >
        {() =>
          list.total > 0 ? (
            <RunsList organization={organization} workspace={undefined} list={list} />
          ) : (
            <NoRuns isFiltered={Object.keys(search).length > 0} onClear={() => void navigate({ search: {} })} />
          )
        }
      </QueryResult>
    </>
  );
}

/** Empty state of the list, with or without filters. */
function NoRuns({ isFiltered, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }) {
  if (isFiltered) {
    return (
      <Empty title={texts.noMatchingRuns} action={<Button onClick={onClear}>{texts.showAllRuns}</Button>}>
        {texts.noRunThatYou}
      </Empty>
    );
  }
  return (
    <Empty title={texts.noRunsYet} command="tofu plan">
      {texts.aRunPlansThe}
    </Empty>
  );
}
