import type { Clock } from '../../../lib/clock.ts';
import { type Database, type Keyring, sql } from '../../../storage/index.ts';
import type { Platform } from '../../platform/platform.ts';
import {
  type Actor,
  type AgentActor,
  credentialText,
  type JobCredential,
  type JobPhase,
  type JobStage,
  NO_ACCESS,
} from '../../tenancy/index.ts';
import type { Agents } from '../agent-pool/agents.ts';
import type { PhaseKind } from '../lifecycle/phase.ts';
import type { RunStatus } from '../lifecycle/status.ts';
import type { Run } from '../run/run.ts';

/**
 * Format: `lkj.<plan or apply>.<fence>.<keyed hash of both>`; the engine's token has the prefix `lke.`. 43 base64url
 * characters hold two bits more than 32 bytes. Only the encoding with zero bits is accepted, so that each token has
 * one spelling.
 */
const OURS = /^lk([je])\.((?:plan|apply)-[1-9A-Za-z]{1,64})\.([0-9]{1,12})\.([A-Za-z0-9_-]{42}[AEIMQUYcgkosw048])$/;
const PURPOSES = { job: 'job-token', 'job-reader': 'job-reader-token' } as const;
/**
 * After the server has ended a job without its agent, the job token still works for this time: the agent learns of
 * the end and uploads its last output.
 * @limit time for which an agent may upload output of a job that the server ended, ms -> 401
 */
const HAND_IN_LIMIT = 600_000;

interface JobRow {
  readonly kind: PhaseKind;
  readonly runId: string;
  readonly workspaceId: string;
  readonly organizationId: string;
  readonly configurationVersionId: string;
  readonly fence: number;
  /** Agent that holds the job; null if no agent holds it any more. */
  readonly agentId: string | null;
  readonly carriedBy: string;
  readonly finishedAt: number | null;
  readonly status: RunStatus;
  /** Last credential of the agent that took the job; `lastPingAt`: its last request, ms. Null for a deleted agent. */
  readonly credential: string | null;
  readonly lastPingAt: number | null;
  /** How the agent unregistered; null if it did not. */
  readonly ended: string | null;
}

const selectJob = sql<{ phaseId: string }, JobRow>(
  `SELECT p.kind, r.id AS "runId", r.workspace_id AS "workspaceId", r.organization_id AS "organizationId",
     r.configuration_version_id AS "configurationVersionId", r.fence, r.agent_id AS "agentId",
     r.carried_by AS "carriedBy", r.finished_at AS "finishedAt", r.status, g.credential,
     g.last_ping_at AS "lastPingAt", g.ended
   FROM run_phase p JOIN run r ON r.id = p.run_id LEFT JOIN agent g ON g.id = r.carried_by
   WHERE p.id = :phaseId`,
);

/** Authenticates a stored credential again. Returns undefined if it is not valid any more. */
export type Recall = (credential: string, remoteAddress: string) => Promise<Actor | undefined>;

/**
 * Issues and checks job tokens. Each token gives its agent access to one plan or apply. Tokens are not stored: the
 * text contains the job and the fencing token of the claim, and is signed. A token is invalid when the job is over,
 * when the job has been claimed again, and when the credential of its agent (certificate login or pool token) is
 * revoked. After a revocation, a running apply may still upload its state.
 */
export class JobTokens {
  readonly #database: Database;
  readonly #keyring: Keyring;
  readonly #clock: Clock;
  readonly #agents: Pick<Agents, 'noteLife'>;
  readonly #recall: Recall;

  constructor({ database, keyring, clock }: Platform, agents: Pick<Agents, 'noteLife'>, recall: Recall) {
    this.#database = database;
    this.#keyring = keyring;
    this.#clock = clock;
    this.#agents = agents;
    this.#recall = recall;
  }

  static knows(text: string): boolean {
    return text.startsWith('lkj.') || text.startsWith('lke.');
  }

  /** Issues a token for the agent that executes the job, or for its engine. */
  issue(kind: JobCredential['kind'], phaseId: string, fence: number): string {
    const said = `${phaseId}.${fence}`;
    const hash = Buffer.from(this.#keyring.hash(said, PURPOSES[kind])).toString('base64url');
    return `${kind === 'job' ? 'lkj' : 'lke'}.${said}.${hash}`;
  }

  /** Authenticates a job token. Returns undefined if it is invalid. */
  async authenticate(text: string, remoteAddress: string): Promise<AgentActor | undefined> {
    const [, whose, phaseId = '', fence = '', hash = ''] = OURS.exec(text) ?? [];
    if (phaseId === '') return undefined;
    const kind = whose === 'j' ? 'job' : 'job-reader';
    const isOurs = this.#keyring.matches(`${phaseId}.${fence}`, PURPOSES[kind], Buffer.from(hash, 'base64url'));
    return isOurs ? this.recall({ kind, phaseId, fence: Number(fence) }, remoteAddress) : undefined;
  }

  /** Returns the agent that executes the job, while it does. Each use counts as a heartbeat of the agent. */
  async recall({ kind, phaseId, fence }: JobCredential, remoteAddress: string): Promise<AgentActor | undefined> {
    const row = await this.#database.one(selectJob, { phaseId });
    const now = this.#clock();
    if (row === undefined || row.fence !== fence || row.ended !== null) return undefined;
    const isOver = row.agentId === null;
    if (isOver && (kind === 'job-reader' || !mayHandIn(row, now))) return undefined;
    const job = { ...row, id: row.runId };
    const agent = row.credential === null ? undefined : await this.#recall(row.credential, remoteAddress);
    if (agent?.kind !== 'agent' || agent.agentId !== row.carriedBy || isLoggedOut(agent, now)) {
      const isApplied = row.kind === 'apply' && (isOver || row.status === 'applying');
      return kind === 'job' && isApplied ? { ...revoked(row.carriedBy), ...claimed(phaseId, job, 'over') } : undefined;
    }
    const stage = stageOf(row);
    if (kind === 'job-reader') return { ...agent, ...reading(phaseId, job, stage, row.organizationId) };
    if (!isOver) await this.#agents.noteLife(row.carriedBy, row.lastPingAt ?? 0);
    return { ...agent, ...claimed(phaseId, job, stage) };
  }
}

/** Signed URLs may outlive a login for a while. Job tokens must not: agents log in again before their login expires. */
function isLoggedOut({ holder }: AgentActor, now: number): boolean {
  return holder.identityId !== null && holder.machine.expiresAt <= now;
}

/**
 * Returns the actor for an agent whose token, certificate or pool was revoked during an apply. The interrupted engine
 * still writes its state, which must not be lost: it is accepted as the errored state of the apply, and nothing else
 * is.
 */
function revoked(agentId: string): AgentActor {
  return {
    kind: 'agent',
    // No agent registers with an empty token id, and the server's own agents have none (null).
    ...{ holder: { tokenId: '', identityId: null }, agentPoolId: null, organizationId: null },
    ...{ agentId, job: undefined, credential: '', grants: new Map() },
  };
}

/** Returns whether the run was ended early, within the time limit for last uploads. */
function mayHandIn({ finishedAt, status }: JobRow, now: number): boolean {
  if (finishedAt === null || finishedAt < now - HAND_IN_LIMIT) return false;
  return status === 'errored' || status === 'canceled' || status === 'force_canceled';
}

type Taken = Pick<Run, 'id' | 'workspaceId' | 'configurationVersionId' | 'fence'> & { readonly kind: JobPhase };

function stageOf({ agentId, kind, status }: JobRow): JobStage {
  if (agentId === null) return 'over';
  return status === (kind === 'plan' ? 'planning' : 'applying') ? 'started' : 'taken';
}

/** Returns the fields of an agent's actor that differ when it uses a job token. */
export function claimed(phaseId: string, taken: Taken, stage: JobStage = 'taken') {
  const { kind: phase, id: runId, workspaceId, configurationVersionId, fence } = taken;
  return {
    credential: credentialText({ kind: 'job', phaseId, fence }),
    job: { phase, stage, phaseId, runId, workspaceId, configurationVersionId, fence, isReader: false },
  };
}

/**
 * Returns the same fields for the engine of a job. It sees the organization like a member without any team
 * permission.
 */
function reading(phaseId: string, taken: Taken, stage: JobStage, organizationId: string) {
  const { job } = claimed(phaseId, taken, stage);
  const grant = { organizationId, teamIds: [], owner: false, access: NO_ACCESS };
  return {
    credential: credentialText({ kind: 'job-reader', phaseId, fence: taken.fence }),
    job: { ...job, isReader: true },
    grants: new Map([[organizationId, grant]]),
  };
}
