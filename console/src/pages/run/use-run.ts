import { useQuery } from '@tanstack/react-query';
import { type Resources, workspaces } from '../../api/client.ts';
import { related } from '../../api/json-api.ts';
import { ORIGIN } from '../../components/vcs/origin.ts';

const SHOW = 'GET /runs/{run_id}';
/** Polling intervals of active and finished runs, milliseconds. */
const RUNS_MS = 2_000;
const OVER_MS = 30_000;

export type Run = Resources['runs'];
export type Phase = Resources['plans'] | Resources['applies'];

const OVER = ['applied', 'planned_and_finished', 'discarded', 'errored', 'canceled', 'force_canceled', 'assessed'];
/** Whether the status of the run is final. */
export const isOver = ({ attributes: { status } }: Run): boolean => OVER.includes(status);

/** Loads a run with its plan, apply, configuration version, commit and workspace. */
export function useRun(id: string) {
  const input = {
    path: { run_id: id },
    query: { include: `plan,apply,${ORIGIN},workspace` },
  };
  return {
    request: workspaces.request(SHOW, input),
    query: useQuery({
      ...workspaces.query(SHOW, input),
      refetchInterval: ({ state }) => (state.data && isOver(state.data.data) ? OVER_MS : RUNS_MS),
    }),
  };
}

export type RunAnswer = NonNullable<ReturnType<typeof useRun>['query']['data']>;

export const planOf = (answer: RunAnswer) => related(answer, answer.data.relationships.plan.data, 'plans');
export const applyOf = (answer: RunAnswer) => related(answer, answer.data.relationships.apply.data, 'applies');

/** Whether a phase has started, and whether it has ended. */
export const hasBegun = (phase: Phase | undefined): boolean =>
  phase !== undefined && !['pending', 'queued', 'unreachable'].includes(phase.attributes.status);
export const hasEnded = (phase: Phase | undefined): boolean =>
  phase !== undefined && !['pending', 'queued', 'running'].includes(phase.attributes.status);

/** Name of the run's workspace; the URL may be outdated. */
export const workspaceOf = (answer: RunAnswer): string | undefined =>
  related(answer, answer.data.relationships.workspace.data, 'workspaces')?.attributes.name;
