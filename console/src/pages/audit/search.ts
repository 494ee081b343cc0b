import { text } from '../../shell/search.ts';
import * as texts from './texts.ts';

/** Search parameters of the page: filters, and the open entry. */
export interface AuditSearch {
  readonly actor?: string;
  readonly path?: string;
  readonly status?: string;
  readonly service?: string;
  readonly request?: string;
  readonly hash?: string;
  /** `shown`: also the requests by which pages of the console read data. */
  readonly reads?: string;
  /** Period up to now: `1h`, `24h`, `7d`. */
  readonly last?: string;
  /** Request id and response time of the open entry. */
  readonly record?: string;
  readonly at?: string;
}

/** Changed search parameters; undefined removes one. */
export type AuditChange = { readonly [Name in keyof AuditSearch]?: string | undefined };

const NAMES = ['actor', 'path', 'status', 'service', 'request', 'hash', 'reads', 'last', 'record', 'at'] as const;

export const readSearch = (search: Readonly<Record<string, unknown>>): AuditSearch =>
  Object.assign({}, ...NAMES.map((name) => text(search, name)));

export const WINDOWS = [
  ['1h', texts.lastHour, 1],
  ['24h', texts.lastDay, 24],
  ['7d', texts.last7Days, 168],
] as const;

export const CLASSES = [
  ['2xx', texts.succeeded],
  ['4xx', texts.refused2],
  ['5xx', texts.failed2],
] as const;

const HOUR_MS = 3_600_000;
const REQUEST_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Interprets typed text as a request id, a hash, a path, or else a caller. */
export function meantBy(typed: string): AuditSearch {
  if (REQUEST_ID.test(typed)) return { request: typed.toLowerCase() };
  if (typed.startsWith('hmac-sha256:')) return { hash: typed };
  return typed.startsWith('/') ? { path: typed } : { actor: typed };
}

/** Query for the API: responses only, except for a hash, which may be in requests too. */
export function questionOf(search: AuditSearch, now: number): Record<string, string> {
  const { actor, path, status, service, request, hash, reads, last } = search;
  const hours = WINDOWS.find(([name]) => name === last)?.[2];
  return {
    ...(actor && { actor }),
    ...(path && { path }),
    ...(status && { status }),
    ...(service && { service }),
    ...(request && { request_id: request }),
    ...(hash && { hash }),
    ...(hours && { since: new Date(now - hours * HOUR_MS).toISOString() }),
    // A search for one request or text finds it wherever it is.
    ...(!reads && !request && !hash && { console_reads: 'false' }),
    ...(!hash && { type: 'response' }),
  };
}

/** Returns the equivalent `lockkeeper` command. */
export function commandOf(question: Readonly<Record<string, string>>): string {
  const words = Object.entries(question).map(
    ([name, value]) => `${name}=${/^[\w:./-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`}`,
  );
  return ['lockkeeper read sys/audit-record', ...words].join(' ');
}
