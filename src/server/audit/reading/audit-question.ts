/** Which lines are looked for. What is absent does not matter. */
export interface AuditQuestion {
  /** In any member that says who asked: a name, an accessor, an id, the subject or serial number of a certificate. */
  readonly actor?: string;
  /** How the path begins; `+` stands for one part of it. */
  readonly path?: string;
  /** From, to. */
  readonly status?: readonly [number, number];
  readonly requestId?: string;
  readonly service?: string;
  readonly type?: string;
  /** Anywhere in the line: `hmac-sha256:…` */
  readonly hash?: string;
  /** Milliseconds. */
  readonly since?: number;
  readonly until?: number;
}

/** A line of the record. */
export type AuditLine = Readonly<Record<string, unknown>>;

/** Undefined for what is no line of the record: half of one, what others wrote into the file. */
export function readLine(bytes: Buffer): AuditLine | undefined {
  if (bytes.length === 0) return undefined;
  try {
    const line: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof line === 'object' && line !== null && !Array.isArray(line) ? (line as AuditLine) : undefined;
  } catch {
    return undefined;
  }
}

/** Milliseconds; undefined for a line without a time. */
export function timeOf({ time }: AuditLine): number | undefined {
  const at = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** Whether a line can be among them, before anybody parses it. */
export function mayFit({ requestId, hash }: AuditQuestion): (bytes: Buffer) => boolean {
  const texts = [requestId, hash].flatMap((text) => (text === undefined ? [] : [Buffer.from(text)]));
  return (bytes) => texts.every((text) => bytes.includes(text));
}

/** Whether a line is one of those. */
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

const isWithin = (status: unknown, [from, to]: readonly [number, number]): boolean =>
  typeof status === 'number' && status >= from && status <= to;

function isBy(line: AuditLine, actor: string): boolean {
  return Object.entries(line).some(
    ([name, value]) => name.startsWith('actor_') && typeof value === 'string' && value.toLowerCase().includes(actor),
  );
}
