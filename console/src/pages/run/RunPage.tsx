import { getRouteApi, Link, useLocation, useNavigate } from '@tanstack/react-router';
import type { Resources } from '../../api/client.ts';
import { Canal } from '../../components/canal/Canal.tsx';
import { Copyable } from '../../components/copy/Copyable.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { RunState } from '../../components/state/State.tsx';
import { Tabs } from '../../components/tabs/Tabs.tsx';
import { counted } from '../../format/number.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { chambersOf } from './chambers.ts';
import { Decide } from './Decide.tsx';
import { ApplyHalves, PlanHalves } from './Halves.tsx';
import { History } from './History.tsx';
import { lineOf, type Part, type RunSearch } from './search.ts';
import { applyOf, hasBegun, planOf, type RunAnswer, useRun, workspaceOf } from './use-run.ts';

const route = getRouteApi('/signed-in/$organization/workspaces/$workspace/runs/$run');

/** A run: how far it has come, what it changes and says, and what waits for a person. */
export function RunPage() {
  const { organization, workspace, run: id } = route.useParams();
  const { query, request } = useRun(id);
  usePlace([
    { label: organization, to: `/${organization}/workspaces` },
    { label: workspace, to: `/${organization}/workspaces/${workspace}` },
    { label: 'Runs', to: `/${organization}/workspaces/${workspace}/runs` },
    { label: id },
  ]);
  usePathLine({ request, command: `lockkeeper run follow ${id}` });
  return (
    <Answered query={query} what={`Run ${id}`} missing={<code>can-read-run</code>} isPage>
      {(answer) => <RunView answer={answer} organization={organization} workspace={workspaceOf(answer) ?? workspace} />}
    </Answered>
  );
}

interface ViewProps {
  readonly answer: RunAnswer;
  readonly organization: string;
  readonly workspace: string;
}

function RunView({ answer, organization, workspace }: ViewProps) {
  const search = route.useSearch();
  const { hash } = useLocation();
  const navigate = useNavigate({ from: '/$organization/workspaces/$workspace/runs/$run' });
  const { id, attributes, relationships } = answer.data;
  const [plan, apply] = [planOf(answer), applyOf(answer)];
  const part: Part = search.part ?? (hasBegun(apply) ? 'apply' : 'plan');
  const said = relationships.comments.data.length;
  const params = { organization, workspace, run: id };
  const to = '/$organization/workspaces/$workspace/runs/$run' as const;
  const tab = (name: Part, label: string, count?: string) => ({
    ...{ label, to, params, search: { part: name }, isCurrent: part === name },
    ...(count !== undefined && { count }),
  });
  const change = (more: Partial<Record<keyof RunSearch, unknown>>) =>
    void navigate({
      search: (before) => ({ ...before, ...more }) as RunSearch,
      hash: true,
      resetScroll: false,
      replace: true,
    });
  const mark = (line: number | undefined) =>
    void navigate({
      search: true,
      hash: line === undefined ? '' : `L${line}`,
      hashScrollIntoView: false,
      resetScroll: false,
      replace: true,
    });
  const halves = { answer, search, onSearch: change, line: lineOf(hash), onLine: mark };
  return (
    <>
      <PageHead
        title={attributes.message || id}
        beside={<RunState status={attributes.status} />}
        lede={
          <>
            {kindOf(attributes)} of{' '}
            <Link className="link" to="/$organization/workspaces/$workspace" params={{ organization, workspace }}>
              {workspace}
            </Link>{' '}
            started by {attributes['created-by-name'] ?? 'nobody'}. <Copyable text={id} what="id" />
          </>
        }
      />
      <Canal label="Way of the run" chambers={chambersOf(wayOf(answer), Date.now())} />
      <Tabs
        label="Parts of the run"
        tabs={[
          tab('plan', 'Plan'),
          ...(hasBegun(apply) ? [tab('apply', 'Apply')] : []),
          tab('history', 'History and facts', said === 0 ? undefined : counted(said, 'comment')),
        ]}
      />
      {part === 'history' && <History answer={answer} />}
      {part === 'plan' && plan && <PlanHalves {...halves} phase={plan} />}
      {part === 'apply' && apply && <ApplyHalves {...halves} phase={apply} />}
      <Decide answer={answer} workspace={workspace} />
    </>
  );
}

/** What kind of a run it is, as a sentence begins. */
function kindOf(attributes: Resources['runs']['attributes']): string {
  if (attributes['is-destroy']) return attributes['plan-only'] ? 'Plan to destroy all' : 'Run that destroys all';
  if (attributes['refresh-only']) return 'Refresh';
  if (attributes['plan-only']) return 'Plan';
  return attributes['save-plan'] ? 'Saved plan' : 'Run';
}

function wayOf(answer: RunAnswer) {
  const { attributes } = answer.data;
  const times = attributes['status-timestamps'];
  const ends = ['applied', 'planned-and-finished', 'discarded', 'errored', 'force-canceled', 'canceled'];
  return {
    status: attributes.status,
    createdAt: attributes['created-at'],
    isPlanOnly: attributes['plan-only'],
    plan: planOf(answer)?.attributes['status-timestamps'] ?? {},
    apply: applyOf(answer)?.attributes['status-timestamps'] ?? {},
    confirmedAt: times['confirmed-at'],
    confirmedBy: attributes['confirmed-by-name'] ?? undefined,
    endedAt: ends.map((end) => times[`${end}-at`]).find((time) => time !== undefined),
    waitingFor: attributes['waiting-for'],
    position: attributes['position-in-queue'],
  };
}
