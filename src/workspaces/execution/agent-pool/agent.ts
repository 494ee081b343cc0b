import { satisfying } from '../../../lib/engines/version.ts';
import type { AgentHolder } from '../../tenancy/index.ts';

/**
 * Not heard of for so long, in milliseconds, an agent is taken for dead, and what it carried out for lost.
 * @limit an agent that says nothing, ms -> it counts as gone, and its run as lost
 */
export const SILENCE = 120_000;

/** How an agent says goodbye. */
export const ENDINGS = ['exited', 'errored'] as const;
/** What an agent says of itself; one that works or waits is still there, and what it does is known. */
export const REPORTED = ['idle', 'busy', ...ENDINGS] as const;
/** What an agent is shown as. */
export const AGENT_STATUSES = [...REPORTED, 'unknown'] as const;

/** A program that carries out runs, one at a time. Times are milliseconds since 1970. */
export interface Agent {
  readonly id: string;
  /** Null for one of the installation's own. */
  readonly agentPoolId: string | null;
  /** The token it has registered with; null for one without. */
  readonly tokenId: string | null;
  /** The identity that lets its certificate in; null for one without. */
  readonly identityId: string | null;
  /** Of its certificate. */
  readonly commonName: string;
  readonly name: string;
  readonly ipAddress: string;
  /** Names what it came in by last (`Authentication.recall`): its jobs stand as long as that does. */
  readonly credential: string;
  /** What it can run without a download: `opentofu 1.10.7`. */
  readonly engines: readonly string[];
  /** Whether it can run others too: by a download, or by one program for all. */
  readonly anyEngine: boolean;
  /** Null as long as it has not said goodbye. */
  readonly ended: (typeof ENDINGS)[number] | null;
  readonly lastPingAt: number;
  readonly createdAt: number;
  /** What it carries out: one run at a time. */
  readonly runId: string | null;
  /** The same, unless it is an assessment, which is no run to people. */
  readonly shownRunId: string | null;
}

/** Engines that an agent has registered. */
export type AgentEngines = Pick<Agent, 'engines' | 'anyEngine'>;

/** The engine that a job needs: an exact version, a constraint, or any version where both are null. */
interface WantedEngine {
  readonly kind: string;
  readonly version: string | null;
  readonly constraint: string | null;
}

/** Whether an agent can execute a job with this engine. */
export function hasEngineFor(
  { engines, anyEngine }: AgentEngines,
  { kind, version, constraint }: WantedEngine,
): boolean {
  if (anyEngine) return true;
  const fits = constraint === null ? (one: string) => version === null || one === version : satisfying(constraint);
  return engines.some((text) => {
    const [name, one = ''] = text.split(' ');
    return name === kind && fits(one);
  });
}

/** Whether it is there, as far as anybody knows. */
export function isConnected({ ended, lastPingAt }: Pick<Agent, 'ended' | 'lastPingAt'>, now: number): boolean {
  return ended === null && lastPingAt >= now - SILENCE;
}

/** What it is shown as. */
export function statusOf(agent: Agent, now: number): (typeof AGENT_STATUSES)[number] {
  if (agent.ended !== null) return agent.ended;
  if (!isConnected(agent, now)) return 'unknown';
  return agent.runId === null ? 'idle' : 'busy';
}

/** What an agent is registered under. */
export function registeredUnder(holder: AgentHolder): Pick<Agent, 'tokenId' | 'identityId' | 'commonName'> {
  const { tokenId, identityId } = holder;
  return { tokenId, identityId, commonName: identityId === null ? '' : holder.machine.commonName };
}

/** Whether it has registered with that token, or a certificate of that name by that identity. */
export function isHeldBy(agent: Pick<Agent, 'tokenId' | 'identityId' | 'commonName'>, holder: AgentHolder): boolean {
  const { tokenId, identityId, commonName } = registeredUnder(holder);
  return agent.tokenId === tokenId && agent.identityId === identityId && agent.commonName === commonName;
}
