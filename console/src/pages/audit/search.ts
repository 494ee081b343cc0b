import { text } from '../../shell/search.ts';

/** What the address says of the list: who, what, when, and which record is open. */
export interface AuditSearch {
  readonly actor?: string;
  readonly path?: string;
  readonly status?: string;
  readonly service?: string;
  readonly request?: string;
  readonly hash?: string;
  /** The last so many: `1h`, `24h`, `7d`. */
  readonly last?: string;
  /** The request whose record is open, and when it was answered. */
  readonly record?: string;
  readonly at?: string;
}

/** What becomes of it: what is undefined is left out. */
export type AuditChange = { readonly [Name in keyof AuditSearch]?: string | undefined };

const NAMES = ['actor', 'path', 'status', 'service', 'request', 'hash', 'last', 'record', 'at'] as const;

export const readSearch = (search: Readonly<Record<string, unknown>>): AuditSearch =>
  Object.assign({}, ...NAMES.map((name) => text(search, name)));

export const WINDOWS = [
  ['1h', 'the last hour', 1],
  ['24h', 'the last day', 24],
  ['7d', 'the last 7 days', 168],
] as const;

export const CLASSES = [
  ['2xx', 'done'],
  ['4xx', 'refused'],
  ['5xx', 'failed'],
] as const;

const HOUR_MS = 3_600_000;
const REQUEST_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What somebody typed is meant as: a request, a hash, a path, or else who asked. */
export function meantBy(typed: string): AuditSearch {
  if (REQUEST_ID.test(typed)) return { request: typed.toLowerCase() };
  if (typed.startsWith('hmac-sha256:')) return { hash: typed };
  return typed.startsWith('/') ? { path: typed } : { actor: typed };
}

/** What the server is asked: the answers, and where single lines are looked for, both. */
export function questionOf(search: AuditSearch, now: number): Record<string, string> {
  const { actor, path, status, service, request, hash, last } = search;
  const hours = WINDOWS.find(([name]) => name === last)?.[2];
  return {
    ...(actor && { actor }),
    ...(path && { path }),
    ...(status && { status }),
    ...(service && { service }),
    ...(request && { request_id: request }),
    ...(hash && { hash }),
    ...(hours && { since: new Date(now - hours * HOUR_MS).toISOString() }),
    ...(!hash && { type: 'response' }),
  };
}

/** The same by the command line. */
export function commandOf(question: Readonly<Record<string, string>>): string {
  const words = Object.entries(question).map(
    ([name, value]) => `${name}=${/^[\w:./-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`}`,
  );
  return ['lockkeeper read sys/audit-record', ...words].join(' ');
}
