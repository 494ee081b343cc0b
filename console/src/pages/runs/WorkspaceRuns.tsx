import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { PAGE, useWindowed } from '../../components/list/windowed.ts';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { counted } from '../../format/number.ts';
import { usePlace } from '../../shell/page.ts';
import { useWorkspace, type WorkspaceAnswer } from '../../shell/workspace.ts';
import { INCLUDE } from './columns.tsx';
import { RunFilters } from './RunFilters.tsx';
import { Durations, RunsList } from './RunsList.tsx';
import styles from './runs.module.css';
import { queryOf, type RunsSearch } from './search.ts';
import * as texts from './texts.ts';

const LIST = 'GET /workspaces/{workspace_id}/runs';
/** Polling interval, milliseconds. */
const EVERY_MS = 10_000;

const route = getRouteApi('/signed-in/$organization/workspaces/$workspace/runs');

/** Runs of a workspace, with an action that starts one. */
export function WorkspaceRuns() {
  const { query } = useWorkspace();
  return query.data ? <Runs answer={query.data} /> : null;
}

function Runs({ answer }: { readonly answer: WorkspaceAnswer }) {
  const { organization, workspace } = route.useParams();
  const { id, attributes } = answer.data;
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/$organization/workspaces/$workspace/runs' });
  const path = { workspace_id: id };
  const query = { ...queryOf(search), include: INCLUDE };
  usePlace([
    { label: organization, to: `/${organization}/workspaces` },
    { label: workspace, to: `/${organization}/workspaces/${workspace}` },
    { label: texts.runs },
  ]);
  const request = workspaces.request(LIST, { path, query });
  usePathLine({ request, command: `lockkeeper api GET '${request.address.replace('/api/v2/', '')}'` });
  const list = useWindowed(
    (page) =>
      workspaces.query(LIST, { path, query: { ...query, 'page[number]': String(page), 'page[size]': String(PAGE) } }),
    EVERY_MS,
  );
  const change = (more: Partial<Record<keyof RunsSearch, unknown>>) =>
    void navigate({ search: (before) => ({ ...before, ...more }) as RunsSearch, replace: true });
  const isFiltered = Object.keys(search).length > 0;
  return (
    <>
      <div className={styles.start}>
        <span className="soft">
          {list.first.data &&
            counted(
              list.total,
              isFiltered ? texts.matchingRun : texts.run,
              isFiltered ? texts.matchingRuns : texts.runs2,
            )}
        </span>
        {attributes['execution-mode'] === 'local' && <span className="soft">{texts.executionModeLocalThe}.</span>}
      </div>
      <RunFilters of={{ workspaceId: id }} search={search} onChange={change} />
      <QueryResult query={list.first} what={texts.runsOf(workspace)} missing={<code>can-read-run</code>}>
        {() =>
          list.total > 0 ? (
            <>
              <Durations list={list} />
              <RunsList organization={organization} workspace={workspace} list={list} />
            </>
          ) : (
            <NoRuns isFiltered={isFiltered} onClear={() => void navigate({ search: {} })} />
          )
        }
      </QueryResult>
    </>
  );
}

function NoRuns({ isFiltered, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }) {
  if (isFiltered) {
    return (
      <Empty title={texts.noMatchingRuns} action={<Button onClick={onClear}>{texts.showAllRuns}</Button>}>
        {texts.noRunOfThis}
      </Empty>
    );
  }
  return (
    <Empty title={texts.noRunsYet} command="tofu plan">
      {texts.aRunPlansThe}
    </Empty>
  );
}
