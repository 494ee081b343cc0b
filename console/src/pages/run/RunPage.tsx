import { getRouteApi, Link, useLocation, useNavigate } from '@tanstack/react-router';
import type { Resources } from '../../api/client.ts';
import { Canal } from '../../components/canal/Canal.tsx';
import { Copyable } from '../../components/copy/Copyable.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { RunState } from '../../components/state/State.tsx';
import { Tabs } from '../../components/tabs/Tabs.tsx';
import { counted } from '../../format/number.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { Approvals } from './Approvals.tsx';
import { chambersOf } from './chambers.ts';
import { Decide } from './Decide.tsx';
import { ApplyHalves, PlanHalves } from './Halves.tsx';
import { History } from './History.tsx';
import { RunCommit } from './RunOrigin.tsx';
import { lineOf, type Part, type RunSearch } from './search.ts';
import * as texts from './texts.ts';
import { applyOf, hasBegun, planOf, type RunAnswer, useRun, workspaceOf } from './use-run.ts';

const route = getRouteApi('/signed-in/$organization/workspaces/$workspace/runs/$run');

/** A run: its progress, changes, log and actions. */
export function RunPage() {
  const { organization, workspace, run: id } = route.useParams();
  const { query, request } = useRun(id);
  usePlace([
    { label: organization, to: `/${organization}/workspaces` },
    { label: workspace, to: `/${organization}/workspaces/${workspace}` },
    { label: texts.runs, to: `/${organization}/workspaces/${workspace}/runs` },
    { label: id },
  ]);
  usePathLine({ request, command: `lockkeeper run follow ${id}` });
  return (
    <QueryResult query={query} what={texts.run(id)} missing={<code>can-read-run</code>} isPage>
      {(answer) => <RunView answer={answer} organization={organization} workspace={workspaceOf(answer) ?? workspace} />}
    </QueryResult>
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
            {texts.ofText(kindOf(attributes))}{' '}
            <Link className="link" to="/$organization/workspaces/$workspace" params={{ organization, workspace }}>
              {workspace}
            </Link>{' '}
            {texts.startedBy2(attributes['created-by-name'] ?? texts.anUnknownUser)} <RunCommit answer={answer} />
            <Copyable text={id} what={texts.id2} />
          </>
        }
      />
      <Canal label={texts.progressOfTheRun} chambers={chambersOf(wayOf(answer), Date.now())} />
      <Approvals answer={answer} />
      <Tabs
        label={texts.partsOfTheRun}
        tabs={[
          tab('plan', texts.plan),
          ...(hasBegun(apply) ? [tab('apply', texts.apply)] : []),
          tab('history', texts.historyAndDetails, said === 0 ? undefined : counted(said, 'comment')),
        ]}
      />
      {part === 'history' && <History answer={answer} />}
      {part === 'plan' && plan && <PlanHalves {...halves} phase={plan} />}
      {part === 'apply' && apply && <ApplyHalves {...halves} phase={apply} />}
      <Decide answer={answer} workspace={workspace} />
    </>
  );
}

/** Kind of the run, as the start of a sentence. */
function kindOf(attributes: Resources['runs']['attributes']): string {
  if (attributes['is-destroy']) return attributes['plan-only'] ? texts.destroyPlan : texts.destroyRun;
  if (attributes['refresh-only']) return texts.refresh;
  if (attributes['plan-only']) return texts.plan;
  return attributes['save-plan'] ? texts.savedPlan : texts.run2;
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
