import { useQuery } from '@tanstack/react-query';
import { type Resources, workspaces } from '../../api/client.ts';
import { related } from '../../api/json-api.ts';

const SHOW = 'GET /runs/{run_id}';
/** What runs is asked for again so often, and what is over, milliseconds. */
const RUNS_MS = 2_000;
const OVER_MS = 30_000;

export type Run = Resources['runs'];
export type Phase = Resources['plans'] | Resources['applies'];

const OVER = ['applied', 'planned_and_finished', 'discarded', 'errored', 'canceled', 'force_canceled', 'assessed'];
/** Nothing follows, whatever anybody does. */
export const isOver = ({ attributes: { status } }: Run): boolean => OVER.includes(status);

/** A run with its plan, its apply, and who had to do with it. */
export function useRun(id: string) {
  const input = {
    path: { run_id: id },
    query: { include: 'plan,apply,configuration_version,workspace' },
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

/** Whether it has begun, and whether it is over. */
export const hasBegun = (phase: Phase | undefined): boolean =>
  phase !== undefined && !['pending', 'queued', 'unreachable'].includes(phase.attributes.status);
export const hasEnded = (phase: Phase | undefined): boolean =>
  phase !== undefined && !['pending', 'queued', 'running'].includes(phase.attributes.status);

/** The name of its workspace, whatever the address says. */
export const workspaceOf = (answer: RunAnswer): string | undefined =>
  related(answer, answer.data.relationships.workspace.data, 'workspaces')?.attributes.name;
