import { satisfying } from '../../../lib/engines/version.ts';
import type { AgentHolder } from '../../tenancy/index.ts';

/**
 * Heartbeat timeout, milliseconds. Then the agent counts as gone and its job as lost.
 * @limit heartbeat timeout of an agent, ms -> the agent counts as gone and its run as lost
 */
export const SILENCE = 120_000;

/** Final statuses that an agent reports. */
export const ENDINGS = ['exited', 'errored'] as const;
/** Statuses that an agent reports. Busy and idle are derived from its job. */
export const REPORTED = ['idle', 'busy', ...ENDINGS] as const;
/** Displayed statuses of an agent. */
export const AGENT_STATUSES = [...REPORTED, 'unknown'] as const;

/** A process that executes one run at a time. Times are milliseconds since 1970. */
export interface Agent {
  readonly id: string;
  /** Pool of the agent; null for the server's own agents. */
  readonly agentPoolId: string | null;
  /** Token of its registration. Null without one. */
  readonly tokenId: string | null;
  /** Machine identity that accepts its certificate. Null without one. */
  readonly identityId: string | null;
  /** Common name of its certificate. */
  readonly commonName: string;
  readonly name: string;
  readonly ipAddress: string;
  /** Reference to its last credential (`Authentication.recall`). Its jobs are valid as long as the credential. */
  readonly credential: string;
  /** Engines available without a download, such as `opentofu 1.10.7`. */
  readonly engines: readonly string[];
  /**
   * Whether the agent can also run engines that are not in `engines`: it downloads them, or it has one program for
   * every version.
   */
  readonly anyEngine: boolean;
  /** Final status; null until the agent reports its end. */
  readonly ended: (typeof ENDINGS)[number] | null;
  readonly lastPingAt: number;
  readonly createdAt: number;
  /** Run that the agent executes now. */
  readonly runId: string | null;
  /** Run that the agent executes now, except assessments, which users do not see as runs. */
  readonly shownRunId: string | null;
}

/** Engines registered by an agent. */
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

/** Returns whether the agent is connected, as far as known. */
export function isConnected({ ended, lastPingAt }: Pick<Agent, 'ended' | 'lastPingAt'>, now: number): boolean {
  return ended === null && lastPingAt >= now - SILENCE;
}

/** Returns the displayed status. */
export function statusOf(agent: Agent, now: number): (typeof AGENT_STATUSES)[number] {
  if (agent.ended !== null) return agent.ended;
  if (!isConnected(agent, now)) return 'unknown';
  return agent.runId === null ? 'idle' : 'busy';
}

/** Pool and credential of an agent's registration. */
export function registeredUnder(holder: AgentHolder): Pick<Agent, 'tokenId' | 'identityId' | 'commonName'> {
  const { tokenId, identityId } = holder;
  return { tokenId, identityId, commonName: identityId === null ? '' : holder.machine.commonName };
}

/** Returns whether an agent registered with this token, or with a certificate of this name through this identity. */
export function isHeldBy(agent: Pick<Agent, 'tokenId' | 'identityId' | 'commonName'>, holder: AgentHolder): boolean {
  const { tokenId, identityId, commonName } = registeredUnder(holder);
  return agent.tokenId === tokenId && agent.identityId === identityId && agent.commonName === commonName;
}
