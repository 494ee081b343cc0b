import { AppError } from '../../lib/errors.ts';
import { described, integer, parseFields, text } from '../operation/fields.ts';
import type { Reply } from '../operation/operation.ts';
import type { ServerFacts } from './server-facts.ts';

/** Whether the audit record can be written. Where it is on and cannot be, nearly every request is refused. */
export interface AuditHealth {
  readonly ok: boolean;
  /** Why not, in words that anybody may read. */
  readonly detail: string;
}

/** Whether requests should be sent here, by what was looked at. */
export interface ServerHealth {
  readonly ready: boolean;
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly reason?: string }[];
}

/** Who looks. */
export interface Readiness {
  health(): Promise<ServerHealth>;
}

/** The statuses that a caller wants (facts §8.6). What is no final status of HTTP is refused, known to matter here or not. */
export const HEALTH_FIELDS = described(
  {
    standbyok: text(),
    perfstandbyok: text(),
    activecode: integer(200),
    standbycode: integer(429),
    sealedcode: integer(503),
    uninitcode: integer(501),
  },
  {
    standbyok: 'Taken from clients.',
    perfstandbyok: 'Taken from clients.',
    activecode: 'The status when all is well.',
    standbycode: 'Taken from clients.',
    sealedcode: 'The status when the server can do no more than a sealed one.',
    uninitcode: 'Taken from clients.',
  },
);

/** A server that answers is that: its keyring opened at start. */
export const STATE = { initialized: true, sealed: false };

const CODES = ['activecode', 'standbycode', 'sealedcode', 'uninitcode'] as const;

/**
 * How a server is doing that answers: initialized, unsealed and active. One that cannot write, to its audit record, its
 * database or where states are, can do no more than a sealed one, and one that is about to stop should be asked nothing more:
 * it has the status of such, and says why.
 * @param query see `HEALTH_FIELDS`; anything else is ignored
 * @param now milliseconds
 * @throws AppError bad-request
 */
export function healthReply(
  query: Readonly<Record<string, unknown>>,
  { version, cluster }: ServerFacts,
  { audit, server }: { readonly audit: AuditHealth; readonly server: ServerHealth },
  now: number,
): Reply {
  const bare = {
    ...STATE,
    standby: false,
    performance_standby: false,
    replication_performance_mode: 'disabled',
    replication_dr_mode: 'disabled',
    server_time_utc: Math.floor(now / 1000),
    version,
    enterprise: false,
    ...cluster,
    echo_duration_ms: 0,
    clock_skew_ms: 0,
    ...(!server.ready && { failing: server.checks.filter(({ ok }) => !ok) }),
    ...(!audit.ok && { audit: { ok: false, detail: audit.detail } }),
  };
  return { bare, status: healthStatus(query, audit.ok && server.ready) };
}

function healthStatus(query: Readonly<Record<string, unknown>>, isWell: boolean): number {
  const { values } = parseFields(HEALTH_FIELDS, query);
  for (const name of CODES) {
    const code = values[name];
    if (code !== undefined && (code < 200 || code > 599)) {
      throw new AppError('bad-request', `${name}: expected a status from 200 to 599`);
    }
  }
  const { activecode = 200, sealedcode = 503 } = values;
  return isWell ? activecode : sealedcode;
}
