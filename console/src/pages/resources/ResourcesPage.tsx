import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { workspaces } from '../../api/client.ts';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { count } from '../../format/number.ts';
import { usePlace } from '../../shell/page.ts';
import { useWorkspace, type WorkspaceAnswer } from '../../shell/workspace.ts';
import { ResourceGraph } from './ResourceGraph.tsx';
import { ResourceList } from './ResourceList.tsx';
import styles from './resources.module.css';
import * as texts from './texts.ts';

const CURRENT = 'GET /workspaces/{workspace_id}/current-state-version';
const EVERY_MS = 10_000;
const route = getRouteApi('/signed-in/$organization/workspaces/$workspace/resources');

/** Search parameters of the page. */
export interface ResourceSearch {
  readonly q?: string;
  readonly module?: string;
  readonly provider?: string;
  readonly type?: string;
  readonly view?: string;
  readonly since?: string;
  /** Address of the open resource. */
  readonly resource?: string;
}

/** Resources in the current state of a workspace, as a list or as a dependency graph. */
export function ResourcesPage() {
  const { organization, workspace, query } = useWorkspace();
  usePlace([
    { label: organization, to: `/${organization}/workspaces` },
    { label: workspace, to: `/${organization}/workspaces/${workspace}` },
    { label: texts.resources },
  ]);
  return query.data ? <Shown answer={query.data} organization={organization} /> : null;
}

function Shown({ answer, organization }: { readonly answer: WorkspaceAnswer; readonly organization: string }) {
  const search: ResourceSearch = route.useSearch();
  const navigate = useNavigate({ from: '/$organization/workspaces/$workspace/resources' });
  const { id } = answer.data;
  const { name, 'resource-count': total } = answer.data.attributes;
  const may = answer.data.attributes.permissions['can-read-state-versions'];
  const state = useQuery({
    ...workspaces.query(CURRENT, { path: { workspace_id: id } }),
    // Without permission, the request is sent so that the server's refusal is shown.
    enabled: total > 0 || !may,
    refetchInterval: EVERY_MS,
  });
  if (total === 0 && may) {
    return (
      <Empty title={texts.noResourcesYet} command="terraform apply">
        {texts.resourcesOfTheCurrent}
      </Empty>
    );
  }
  const params = { organization, workspace: name };
  const isGraph = search.view === 'graph';
  return (
    <QueryResult query={state} what={texts.theResources} missing={<code>can-read-state-versions</code>}>
      {({ data: version }) => (
        <>
          <nav className={styles.views} aria-label={texts.views}>
            {(['list', 'graph'] as const).map((view) => (
              <Link
                key={view}
                to="/$organization/workspaces/$workspace/resources"
                params={params}
                search={view === 'graph' ? { view } : {}}
                activeOptions={{ exact: true, includeSearch: true }}
                {...((view === 'graph') === isGraph && { 'aria-current': 'true' as const })}
              >
                {view === 'graph' ? texts.graph : texts.list}
              </Link>
            ))}
            <span className="soft">
              {texts.inText(count(total))}{' '}
              <Link
                className="link"
                to="/$organization/workspaces/$workspace/states/$version"
                params={{ ...params, version: version.id }}
              >
                {texts.state(version.attributes.serial)}
              </Link>
            </span>
          </nav>
          {isGraph ? (
            <ResourceGraph
              version={version}
              organization={organization}
              workspace={name}
              since={search.since}
              onSince={(since) => void navigate({ search: { view: 'graph', ...(since && { since }) }, replace: true })}
            />
          ) : (
            <ResourceList
              workspaceId={id}
              version={version}
              search={search}
              onSearch={(next) => void navigate({ search: next, replace: true, resetScroll: false })}
            />
          )}
        </>
      )}
    </QueryResult>
  );
}
