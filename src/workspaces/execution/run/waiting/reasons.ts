import { isoTime } from '../../../../lib/clock.ts';
import { ENGINE_NAMES } from '../../../tenancy/index.ts';
import { hasEngineFor } from '../../agent-pool/agent.ts';
import type { RunEngine } from '../../lifecycle/engine.ts';
import { isReady } from '../../lifecycle/status.ts';
import type { Run } from '../run.ts';
import type { EngineSet, Place } from './agent-presence-store.ts';
import type { WaitFacts } from './wait-facts-store.ts';

const NO_AGENTS =
  'No agent executes the runs of this workspace: it has no agent pool. Give it the execution mode "agent" and a pool whose ' +
  'agents run, or the execution mode "local"';
const LOCAL = 'The execution mode of the workspace is "local" now: no agent executes the run, which ends in a moment';
const NEVER = 'none has ever registered, or the last one is gone for hours';
const HOLDERS: Readonly<Record<string, string>> = { users: 'user', teams: 'team', runs: 'run' };

/** Why no agent is there for a run; null where one is, which may be busy. */
export function absenceOf(place: Place, hasOwn: boolean): string | null {
  const { pool, isRemote, isLocal, isServed, lastPingAt, connected } = place;
  if (isServed === 1) return null;
  if (isLocal === 1) return LOCAL;
  const since = lastPingAt === null ? `: ${NEVER}` : ` since ${isoTime(lastPingAt)}`;
  if (isRemote === 1 && hasOwn) return `No agent of this server has been heard of${since}`;
  if (pool === null) return NO_AGENTS;
  if (connected > 0) return `No agent executes the run: agent pool ${pool} is not for this workspace any more`;
  return `No agent of pool ${pool} has been heard of${since}`;
}

/** Why a run that is next for an agent is not taken; null where it will be at once. */
export function agentReason(place: Place, hasOwn: boolean): string | null {
  const { pool, connected, idle } = place;
  const absence = absenceOf(place, hasOwn);
  if (absence !== null || idle > 0 || connected === 0) return absence;
  const which = placeName(pool);
  return connected === 1 ? `The agent ${which} is busy` : `All ${connected} agents ${which} are busy`;
}

/** Why the agents that could take a run at once leave it to others; null where they do not. @param sets of its pool */
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

/** Why a run does not have its workspace yet; null where nothing is in its way. */
export function turnReason({ active, lock, first }: WaitFacts): string | null {
  if (active?.operation === 'assessment')
    return 'A health assessment of the workspace is under way, and makes way for the run';
  if (active && isReady(active.status))
    return `Run ${active.id} of this workspace has to be confirmed or discarded first`;
  if (active) return `Run ${active.id} of this workspace comes first: it is ${active.status}`;
  if (lock !== null) return lockReason(lock);
  return first === null ? null : `Run ${first} of this workspace comes first`;
}

function lockReason({ type, id, name, reason, at }: NonNullable<WaitFacts['lock']>): string {
  const who = [HOLDERS[type] ?? type, name || id].join(' ');
  const why = reason === '' ? '' : ` (${reason})`;
  return `The workspace is locked by ${who} since ${isoTime(at)}${why}. Unlock it to start the run`;
}

/** Why a run waits for people or run tasks; null where it does not. @param tasks names of run tasks without a result */
export function decisionReason({ status, parameters, canceledAt }: Run, tasks: readonly string[]): string | null {
  if (canceledAt !== null) return null;
  if (isReady(status) && !parameters['plan-only']) return 'The plan waits to be confirmed or discarded';
  if (status === 'planned_and_saved') return 'The saved plan waits to be applied or discarded';
  if (status.endsWith('_awaiting_decision')) {
    return 'A mandatory run task failed: the run waits until somebody overrides the task, or discards the run';
  }
  return tasks.length === 0
    ? null
    : `No result yet of ${tasks.length === 1 ? 'run task' : 'run tasks'} ${tasks.join(', ')}`;
}
