/** Filter of audit entries. Absent fields match everything. */
export interface AuditQuestion {
  /** Matches any member that identifies the caller: name, accessor, ID, certificate subject or serial number. */
  readonly actor?: string;
  /** Path prefix; `+` matches one part of a path. */
  readonly path?: string;
  /** Range of HTTP statuses, inclusive. */
  readonly status?: readonly [number, number];
  readonly requestId?: string;
  readonly service?: string;
  readonly type?: string;
  /** Text anywhere in the entry, such as `hmac-sha256:…`. */
  readonly hash?: string;
  /** Leaves out requests by which pages of the console read data. */
  readonly withoutConsoleReads?: boolean;
  /** Start of the period, milliseconds since 1970. */
  readonly since?: number;
  readonly until?: number;
}

/** An audit entry. */
export type AuditLine = Readonly<Record<string, unknown>>;

/** Parses an entry. Undefined for other content, such as partial lines. */
export function readLine(bytes: Buffer): AuditLine | undefined {
  if (bytes.length === 0) return undefined;
  try {
    const line: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof line === 'object' && line !== null && !Array.isArray(line) ? (line as AuditLine) : undefined;
  } catch {
    return undefined;
  }
}

/** Time of an entry, milliseconds. Undefined without one. */
export function timeOf({ time }: AuditLine): number | undefined {
  const at = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** Pre-filter on the raw text, before parsing. */
export function mayFit({ requestId, hash }: AuditQuestion): (bytes: Buffer) => boolean {
  const texts = [requestId, hash].flatMap((text) => (text === undefined ? [] : [Buffer.from(text)]));
  return (bytes) => texts.every((text) => bytes.includes(text));
}

/** Returns whether an entry matches. */
export function fits(line: AuditLine, question: AuditQuestion): boolean {
  const { actor, path, status, requestId, service, type, since, until } = question;
  const at = timeOf(line) ?? Number.NaN;
  return (
    (requestId === undefined || line.request_id === requestId) &&
    (service === undefined || line.service === service) &&
    (type === undefined || line.type === type) &&
    (path === undefined || beginsWith(String(line.path ?? ''), path)) &&
    (status === undefined || isWithin(line.status, status)) &&
    (since === undefined || at >= since) &&
    (until === undefined || at <= until) &&
    !(question.withoutConsoleReads && isConsoleRead(line)) &&
    (actor === undefined || isBy(line, actor.toLowerCase()))
  );
}

function beginsWith(path: string, pattern: string): boolean {
  if (!pattern.includes('+')) return path.startsWith(pattern);
  const parts = path.split('/');
  const wanted = pattern.split('/');
  return wanted.every((want, at) => {
    const part = parts[at];
    if (part === undefined || want === '+') return part !== undefined;
    return at === wanted.length - 1 ? part.startsWith(want) : part === want;
  });
}

const READS: ReadonlySet<unknown> = new Set(['GET', 'HEAD', 'LIST']);
/** The console asks here which buttons it may show, and who is signed in. */
const CAPABILITIES = '/v1/sys/capabilities-self';
const SESSION = '/app/~session';

/** Refused reads are no noise: they may be attempts. */
function isConsoleRead({ actor_via: via, method, path, status }: AuditLine): boolean {
  const isRefused = typeof status === 'number' && status >= 400;
  const isRead = READS.has(method) || path === CAPABILITIES;
  return isRead && !isRefused && (via === 'console' || path === SESSION);
}

const isWithin = (status: unknown, [from, to]: readonly [number, number]): boolean =>
  typeof status === 'number' && status >= from && status <= to;

function isBy(line: AuditLine, actor: string): boolean {
  return Object.entries(line).some(
    ([name, value]) => name.startsWith('actor_') && typeof value === 'string' && value.toLowerCase().includes(actor),
  );
}
