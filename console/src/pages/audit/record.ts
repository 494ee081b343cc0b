/** One check of a login. */
export interface Verdict {
  readonly check: string;
  readonly outcome: string;
  readonly expected: string;
  readonly actual: string;
}

/** Verdicts of one role; without a role if the login failed before a role was chosen. */
export interface RoleVerdicts {
  readonly role?: string;
  readonly verdicts: readonly Verdict[];
}

/** An entry of the audit log, with the fields that pages use. */
export interface AuditRecord {
  readonly time: string;
  readonly type: string;
  readonly request_id?: string;
  readonly service?: string;
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  readonly remote_address?: string;
  readonly error?: string;
  readonly [member: string]: unknown;
}

const texts = (record: AuditRecord, names: readonly string[]): string[] =>
  names.map((name) => record[name]).filter((value): value is string => typeof value === 'string' && value !== '');

/** Name of the caller; undefined for unauthenticated requests. */
export const actorOf = (record: AuditRecord): string | undefined =>
  texts(record, ['actor_name', 'actor_subject', 'actor_id', 'actor_accessor', 'actor_kind'])[0];

/** Reads the verdicts of a refused login, by role or for all roles together. */
export function verdictsOf({ verdicts }: AuditRecord): readonly RoleVerdicts[] {
  if (!Array.isArray(verdicts)) return [];
  const isOfRole = (one: unknown): one is RoleVerdicts =>
    typeof one === 'object' && one !== null && Array.isArray((one as RoleVerdicts).verdicts);
  return verdicts.every(isOfRole) ? verdicts : [{ verdicts: verdicts as readonly Verdict[] }];
}

const SHOWN = new Set(['time', 'type', 'request_id', 'service', 'method', 'path', 'status', 'remote_address', 'error']);
const PARTS = new Set(['query', 'request', 'response', 'verdicts']);

/** Other fields with simple values. */
export const factsOf = (record: AuditRecord): (readonly [string, string])[] =>
  Object.entries(record)
    .filter(([name]) => !SHOWN.has(name) && !PARTS.has(name))
    .map(
      ([name, value]) => [name.replaceAll('_', ' '), Array.isArray(value) ? value.join(', ') : String(value)] as const,
    );
