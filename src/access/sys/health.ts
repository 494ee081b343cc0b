import { AppError } from '../../lib/errors.ts';
import { described, integer, parseFields, text } from '../operation/fields.ts';
import type { Reply } from '../operation/operation.ts';
import type { ServerFacts } from './server-facts.ts';

/** Whether the audit log can be written. If it is enabled and cannot, nearly every request is refused. */
export interface AuditHealth {
  readonly ok: boolean;
  /** Reason of a failure, without secrets. */
  readonly detail: string;
}

/** Whether the server should get requests, with the results of its checks. */
export interface ServerHealth {
  readonly ready: boolean;
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly reason?: string }[];
}

/** Runs the readiness checks. */
export interface Readiness {
  health(): Promise<ServerHealth>;
}

/** Statuses that the caller wants. Invalid statuses are refused, also in fields without effect. */
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
    standbyok: 'Accepted for compatibility; ignored.',
    perfstandbyok: 'Accepted for compatibility; ignored.',
    activecode: 'Status if the server is healthy.',
    standbycode: 'Accepted for compatibility; ignored.',
    sealedcode: 'Status if the server cannot serve requests, like a sealed one.',
    uninitcode: 'Accepted for compatibility; ignored.',
  },
);

/** A running server is initialized and unsealed, because its keyring was opened at start. */
export const STATE = { initialized: true, sealed: false };

const CODES = ['activecode', 'standbycode', 'sealedcode', 'uninitcode'] as const;

/**
 * Returns the health of a running server: initialized, unsealed and active. A server that cannot write its audit log,
 * database or state storage, or that is about to stop, has the status of a sealed one, with the reason.
 * @param query see `HEALTH_FIELDS`; other fields are ignored
 * @param now milliseconds since 1970
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
