import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Resources, workspaces } from '../../api/client.ts';
import { ChangeCounts } from '../../components/changes/Changes.tsx';
import { Select } from '../../components/form/Field.tsx';
import { Graph } from '../../components/graph/Graph.tsx';
import { MOST_DRAWN } from '../../components/graph/graph.ts';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { count } from '../../format/number.ts';
import { graphNodes } from './changed-graph.ts';
import styles from './resources.module.css';
import * as texts from './texts.ts';

const GRAPH = 'GET /state-versions/{state_version_id}/graph';
const DIFF = 'GET /state-versions/{state_version_id}/diff';
const LIST = 'GET /state-versions';
/** Number of states offered for comparison. */
const OFFERED = '20';

interface ResourceGraphProps {
  readonly version: Resources['state-versions'];
  readonly organization: string;
  readonly workspace: string;
  /** Id of the state to compare with. */
  readonly since: string | undefined;
  readonly onSince: (id: string) => void;
}

/** Dependency graph of the current state, with changes since another one. */
export function ResourceGraph({ version, organization, workspace, since, onSince }: ResourceGraphProps) {
  const input = { path: { state_version_id: version.id } };
  const request = workspaces.request(GRAPH, input);
  usePathLine({ request, command: `lockkeeper api GET ${request.address.replace('/api/v2/', '')}` });
  const graph = useQuery(workspaces.query(GRAPH, input));
  const list = useQuery(
    workspaces.query(LIST, {
      query: {
        'filter[organization][name]': organization,
        'filter[workspace][name]': workspace,
        'filter[status]': 'finalized',
        'page[size]': OFFERED,
      },
    }),
  );
  const older = (list.data?.data ?? []).filter(({ id }) => id !== version.id);
  const options = older.map(({ id, attributes }) => [id, texts.state(attributes.serial)] as const);
  return (
    <>
      <div className={styles.filters}>
        <Select
          label={texts.changesSince}
          value={since ?? ''}
          options={[
            ['', texts.noComparison],
            ...options,
            ...(since && !older.some(({ id }) => id === since) ? [[since, since] as const] : []),
          ]}
          onText={onSince}
        />
      </div>
      {since ? (
        <ChangedGraph version={version} since={since} graph={graph} />
      ) : (
        <QueryResult query={graph} what={texts.theGraph}>
          {({ data }) => <Drawn after={data.attributes} label={texts.resourcesOf(workspace)} />}
        </QueryResult>
      )}
    </>
  );
}

interface ChangedGraphProps extends Pick<ResourceGraphProps, 'version'> {
  readonly since: string;
  readonly graph: UseQueryResult<{ readonly data: Resources['state-version-graphs'] }>;
}

function ChangedGraph({ version, since, graph }: ChangedGraphProps) {
  const before = useQuery(workspaces.query(GRAPH, { path: { state_version_id: since } }));
  const diff = useQuery(workspaces.query(DIFF, { path: { state_version_id: version.id }, query: { from: since } }));
  return (
    <QueryResult query={diff} what={texts.theComparison}>
      {({ data: { attributes } }) => (
        <>
          <p className={styles.counts}>
            {texts.sinceState(attributes['serial-from'])} <ChangeCounts of={attributes.resources} />
          </p>
          <QueryResult query={before} what={texts.theGraphOfThe}>
            {({ data: old }) => (
              <QueryResult query={graph} what={texts.theGraph}>
                {({ data: now }) => (
                  <Drawn
                    after={now.attributes}
                    before={old.attributes}
                    diff={attributes.resources}
                    label={texts.changesSinceState(attributes['serial-from'])}
                  />
                )}
              </QueryResult>
            )}
          </QueryResult>
        </>
      )}
    </QueryResult>
  );
}

type Attributes = Resources['state-version-graphs']['attributes'];

interface DrawnProps {
  readonly label: string;
  readonly after: Attributes;
  readonly before?: Attributes;
  readonly diff?: Resources['state-version-diffs']['attributes']['resources'];
}

function Drawn({ label, after, before, diff }: DrawnProps) {
  const nodes = useMemo(() => graphNodes(after, before, diff), [after, before, diff]);
  const reason = after.reason ?? before?.reason ?? (nodes.length > MOST_DRAWN && texts.theGraphIsToo);
  if (reason) {
    return (
      <Empty title={texts.noGraph}>
        {reason}. {after['resource-count'] > 0 && texts.thereAreResources(count(after['resource-count']))}
        {texts.theListShowsAll}
      </Empty>
    );
  }
  return <Graph label={label} nodes={nodes} rest={texts.rootModule} />;
}
