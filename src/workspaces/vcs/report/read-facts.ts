import type { Queries } from '../../../storage/index.ts';
import type { RunResult, RunResults } from '../hooks/run-results.ts';
import type { CommitFacts, ReportedWorkspace } from './facts.ts';
import { type CommitEvent, followedBranches, type ReportPlace, type VerdictRow, verdictsOf } from './facts-store.ts';

/** Reads everything that some events of one commit have led to. */
export async function readFacts(
  db: Queries,
  results: RunResults,
  place: ReportPlace,
  events: readonly CommitEvent[],
): Promise<CommitFacts> {
  const ids = events.map(({ id }) => id);
  const [branches, verdicts] = [await followedBranches(db, place.id), await verdictsOf(db, place.id, ids)];
  const runs = await results.of(db, [...new Set(verdicts.flatMap(({ runId }) => runId ?? []))]);
  const followed = new Set(branches.map((branch) => branch ?? place.defaultBranch));
  const targets = new Set(events.flatMap(({ pull }) => pull?.baseRef ?? []));
  return {
    organizationName: place.organizationName,
    events,
    workspaces: workspacesOf(verdicts, new Map(runs.map((run) => [run.runId, run])), (verdict) =>
      targets.has((verdict.isLinked === 1 && (verdict.branch ?? place.defaultBranch)) || ''),
    ),
    isFollowed: events.some(({ kind, ref, pull }) =>
      pull === null ? kind === 'push' && followed.has(ref) : followed.has(pull.baseRef),
    ),
  };
}

function workspacesOf(
  verdicts: readonly VerdictRow[],
  runs: ReadonlyMap<string, RunResult>,
  isTarget: (verdict: VerdictRow) => boolean,
): ReportedWorkspace[] {
  const byWorkspace = Map.groupBy(verdicts, ({ workspaceId }) => workspaceId);
  return [...byWorkspace.values()].flatMap((own) => {
    const newest = own.at(-1);
    if (newest === undefined) return [];
    const started = [...new Set(own.flatMap(({ runId }) => (runId === null ? [] : (runs.get(runId) ?? []))))];
    const code = own.findLast((verdict) => verdict.code !== null)?.code ?? null;
    return [{ name: newest.workspaceName, runs: started, code, isTarget: isTarget(newest) }];
  });
}
