import { isoTime } from '../../../../lib/clock.ts';
import { ENGINE_NAMES } from '../../../tenancy/index.ts';
import { hasEngineFor } from '../../agent-pool/agent.ts';
import type { RunEngine } from '../../lifecycle/engine.ts';
import { isReady } from '../../lifecycle/status.ts';
import type { Run } from '../run.ts';
import type { EngineSet, Place } from './agent-presence-store.ts';
import type { WaitFacts } from './wait-facts-store.ts';

const NO_AGENTS =
  'No agent executes the runs of this workspace: it has no agent pool. Set the execution mode "agent" and a ' +
  'pool with running agents, or the execution mode "local"';
const LOCAL = 'The execution mode of the workspace is "local" now: no agent executes the run, which ends shortly';
const NEVER = 'none has ever registered, or the last one disconnected hours ago';
const HOLDERS: Readonly<Record<string, string>> = { users: 'user', teams: 'team', runs: 'run' };

/** Returns why no agent is available for a run; null if one is connected, even if it is busy. */
export function absenceOf(place: Place, hasOwn: boolean): string | null {
  const { pool, isRemote, isLocal, isServed, lastPingAt, connected } = place;
  if (isServed === 1) return null;
  if (isLocal === 1) return LOCAL;
  const since = lastPingAt === null ? `: ${NEVER}` : `; last seen ${isoTime(lastPingAt)}`;
  if (isRemote === 1 && hasOwn) return `No agent of this server is connected${since}`;
  if (pool === null) return NO_AGENTS;
  if (connected > 0) return `No agent executes the run: agent pool ${pool} does not serve this workspace any more`;
  return `No agent of pool ${pool} is connected${since}`;
}

/** Returns why no agent takes a run that is next in the queue; null if an agent is about to take it. */
export function agentReason(place: Place, hasOwn: boolean): string | null {
  const { pool, connected, idle } = place;
  const absence = absenceOf(place, hasOwn);
  if (absence !== null || idle > 0 || connected === 0) return absence;
  const which = placeName(pool);
  return connected === 1 ? `The agent ${which} is busy` : `All ${connected} agents ${which} are busy`;
}

/**
 * Returns why the idle agents leave a run to others; null if they do not.
 * @param sets engine sets of the pool
 */
export function engineReason({ pool }: Place, wanted: RunEngine, sets: readonly EngineSet[]): string | null {
  const able = sets.filter(({ engines, anyEngine }) =>
    hasEngineFor({ engines: JSON.parse(engines) as string[], anyEngine: anyEngine === 1 }, wanted),
  );
  if (able.length === 0 || able.some(({ isBusy }) => isBusy === 0)) return null;
  const { kind, version, constraint } = wanted;
  const engine = [ENGINE_NAMES[kind], constraint ?? version].filter(Boolean).join(' ');
  return `All agents ${placeName(pool)} that have ${engine} are busy`;
}

const placeName = (pool: string | null): string => (pool === null ? 'of this server' : `of pool ${pool}`);

/** Returns why a run does not have its workspace yet; null if nothing blocks it. */
export function turnReason({ active, lock, first }: WaitFacts): string | null {
  if (active?.operation === 'assessment')
    return 'A health assessment of the workspace is in progress and makes way for the run';
  if (active && isReady(active.status))
    return `Run ${active.id} of this workspace must be confirmed or discarded first`;
  if (active) return `Run ${active.id} of this workspace goes first: it is ${active.status}`;
  if (lock !== null) return lockReason(lock);
  return first === null ? null : `Run ${first} of this workspace goes first`;
}

function lockReason({ type, id, name, reason, at }: NonNullable<WaitFacts['lock']>): string {
  const who = [HOLDERS[type] ?? type, name || id].join(' ');
  const why = reason === '' ? '' : ` (${reason})`;
  return `The workspace is locked by ${who} since ${isoTime(at)}${why}. Unlock it to start the run`;
}

/**
 * Returns why a run waits for a confirmation or for run tasks; null if it does not.
 * @param tasks names of run tasks without a result
 */
export function decisionReason({ status, parameters, canceledAt }: Run, tasks: readonly string[]): string | null {
  if (canceledAt !== null) return null;
  if (isReady(status) && !parameters['plan-only']) return 'The plan must be confirmed or discarded';
  if (status === 'planned_and_saved') return 'The saved plan must be applied or discarded';
  if (status.endsWith('_awaiting_decision')) {
    return 'A mandatory run task failed: override the task, or discard the run';
  }
  return tasks.length === 0
    ? null
    : `No result yet of ${tasks.length === 1 ? 'run task' : 'run tasks'} ${tasks.join(', ')}`;
}
