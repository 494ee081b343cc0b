import { type Resources, workspaces } from '../../api/client.ts';
import { related } from '../../api/json-api.ts';
import { signOf, WAITING, wordOf } from '../../components/state/run-status.ts';
import type { Need } from './need.ts';
import styles from './overview.module.css';
import * as texts from './texts.ts';

const LIST = 'GET /organizations/{organization_name}/workspaces';
/** Statuses of runs that an agent takes next. They need attention only if there is no agent. */
const QUEUED = ['plan_queued', 'apply_queued'];
/** Number of items read for one organization; the workspace list has all. */
export const MOST = '25';

const inputOf = (organization: string) => ({
  path: { organization_name: organization },
  query: {
    'filter[current-run][status]': [...WAITING, ...QUEUED, 'errored'].join(','),
    include: 'current_run.plan',
    sort: '-current-run.created-at',
    'page[size]': MOST,
  } as const,
});

export const runsQuery = (organization: string) => workspaces.query(LIST, inputOf(organization));
export const runsRequest = (organization: string) => workspaces.request(LIST, inputOf(organization));

type Answer = Awaited<ReturnType<ReturnType<typeof runsQuery>['queryFn']>>;

/** Workspaces whose current run waits for confirmation or for an agent that does not exist, or has failed. */
export function runNeeds(organization: string, answer: Answer): Need[] {
  return answer.data.flatMap((workspace) => {
    const run = related(answer, workspace.relationships['current-run']?.data, 'runs');
    if (run === undefined) return [];
    const { status, actions } = run.attributes;
    const hasFailed = status === 'errored';
    const isAlone = run.attributes['without-agent'];
    if (!hasFailed && !isAlone && !actions['is-confirmable'] && !/awaiting|override|soft_failed/.test(status))
      return [];
    const { icon, is } = signOf(status);
    const { name } = workspace.attributes;
    return [
      {
        key: `run ${run.id}`,
        group: hasFailed || isAlone ? 'broken' : 'decision',
        icon,
        is,
        name,
        organization,
        say: isAlone ? (
          run.attributes['waiting-for']
        ) : hasFailed ? (
          <Failed of={run} />
        ) : (
          <Planned of={run} plan={planOf(answer, run)} />
        ),
        time: run.attributes['status-timestamps'][`${status.replaceAll('_', '-')}-at`] ?? run.attributes['created-at'],
        to: {
          to: '/$organization/workspaces/$workspace/runs/$run',
          params: { organization, workspace: name, run: run.id },
        },
        action: isAlone ? texts.showRun : hasFailed ? texts.showLog : texts.review,
      } satisfies Need,
    ];
  });
}

type Run = Resources['runs'];
const planOf = (answer: Answer, run: Run) => related(answer, run.relationships.plan?.data, 'plans')?.attributes;

/** The timestamps of a failed run show which phase it had reached. */
function Failed({ of: { attributes } }: { readonly of: Run }) {
  const isApply = Object.keys(attributes['status-timestamps']).some((status) => status.startsWith('applying'));
  return (
    <>
      {texts.erroredWhile(isApply ? texts.applying : texts.planning)}
      {attributes.message && <span className="soft">: {attributes.message}</span>}
    </>
  );
}

function Planned({
  of: { attributes },
  plan,
}: {
  readonly of: Run;
  readonly plan: Resources['plans']['attributes'] | undefined;
}) {
  const counts = [
    [plan?.['resource-imports'], texts.toImport, undefined],
    [plan?.['resource-additions'], texts.toAdd, styles.good],
    [plan?.['resource-changes'], texts.toChange, undefined],
    [plan?.['resource-destructions'], texts.toDestroy, styles.bad],
  ] as const;
  const said = counts.filter(([count]) => count);
  return (
    <>
      {wordOf(attributes.status)}
      {said.map(([count, words, meaning], at) => (
        <span key={words}>
          {at === 0 ? ': ' : ', '}
          <span className={meaning}>
            {count} {words}
          </span>
        </span>
      ))}
      {attributes.message && <span className="soft">, {attributes.message}</span>}
    </>
  );
}
