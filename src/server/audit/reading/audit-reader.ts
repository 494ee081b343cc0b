import { hostname } from 'node:os';
import { AppError } from '../../../lib/errors.ts';
import { Slots } from '../../../lib/slots.ts';
import { type AuditFile, auditFiles, openAuditFile } from './audit-files.ts';
import { type AuditLine, type AuditQuestion, fits, mayFit, readLine, timeOf } from './audit-question.ts';
import { endBefore, slicesBackwards } from './lines-backwards.ts';

/** Some lines of the record, newest first. */
export interface AuditPage {
  /** Whose file it is. */
  readonly node: string;
  readonly lines: readonly AuditLine[];
  /** Where to go on; undefined when there is nothing older. */
  readonly next: string | undefined;
  /** How far back was looked, milliseconds; undefined when nothing was found that has a time. */
  readonly reached: number | undefined;
  /** Bytes that were looked at. */
  readonly looked: number;
  /** Files that are there and cannot be read, since they are compressed. */
  readonly packed: readonly string[];
}

/** How far to look. */
export interface AuditStretch {
  /** Most lines. */
  readonly limit: number;
  /** Where the page before ended. */
  readonly after?: string;
}

/**
 * @limit what one request looks at of the audit record, bytes -> the answer says where to go on
 */
const MOST_LOOKED = 8_388_608;
/**
 * @limit lines of one answer, bytes -> the answer says where to go on
 */
const MOST_ANSWERED = 524_288;
/** @limit requests that read the audit record at the same time, requests of a process -> 429 */
const MOST_AT_ONCE = 8;
/** How far lines may stand from where their time would put them: that of a request waits until it is answered. */
const DISORDER_MS = 600_000;

const CURSOR = /^(\d{1,20})\.(\d{1,15})$/;

/** Reads a file of the record backwards, and those that it was before it was moved away. */
export class AuditReader {
  readonly #slots = new Slots<'all'>(MOST_AT_ONCE, { all: MOST_AT_ONCE });

  /**
   * Reads in slices, each of which is one turn of the event loop, up to a bound.
   * @throws AppError bad-request for a cursor that is none, too-many-requests
   */
  async read(path: string, question: AuditQuestion, stretch: AuditStretch): Promise<AuditPage> {
    const release = this.#slots.acquire({ all: '' });
    if (!release) throw new AppError('too-many-requests', 'too many read the audit record at the same time: ask again');
    try {
      return await readPage(path, question, stretch);
    } finally {
      release();
    }
  }
}

/** What was found so far. */
interface Found {
  readonly lines: AuditLine[];
  bytes: number;
  looked: number;
  reached: number | undefined;
}

async function readPage(path: string, question: AuditQuestion, { limit, after }: AuditStretch): Promise<AuditPage> {
  const { readable, packed } = await auditFiles(path);
  const found: Found = { lines: [], bytes: 0, looked: 0, reached: undefined };
  let from = after === undefined ? undefined : cursorOf(after);
  let next: string | undefined;
  for (const one of readable) {
    const file = await openAuditFile(one);
    if (!file) continue;
    try {
      if (from && from.id !== file.id) continue;
      if (from && from.end > file.size) throw noSuchPlace();
      const end = from?.end ?? (await endFor(file, question));
      from = undefined;
      const stopped = await readFile(file, end, question, limit, found);
      next = stopped === undefined || stopped === 'over' ? undefined : `${file.id}.${stopped}`;
      if (stopped !== undefined) break;
    } finally {
      await file.handle.close();
    }
  }
  if (from) throw noSuchPlace();
  return { node: hostname(), lines: found.lines, next, reached: found.reached, looked: found.looked, packed };
}

/** Where to go on in this file; `over` when nothing older can fit, undefined when the file is read. */
async function readFile(
  { handle }: AuditFile,
  end: number,
  question: AuditQuestion,
  limit: number,
  found: Found,
): Promise<number | 'over' | undefined> {
  const may = mayFit(question);
  const oldest = (question.since ?? Number.NEGATIVE_INFINITY) - DISORDER_MS;
  for await (const slice of slicesBackwards(handle, end)) {
    found.looked += slice.read;
    for (const { start, bytes } of slice.lines) {
      const line = may(bytes) ? readLine(bytes) : undefined;
      if (!line || !fits(line, question)) continue;
      found.lines.push(line);
      found.reached = timeOf(line) ?? found.reached;
      found.bytes += bytes.length;
      if (found.lines.length >= limit || found.bytes >= MOST_ANSWERED) return start;
    }
    const last = readLine(slice.lines.at(-1)?.bytes ?? Buffer.alloc(0));
    found.reached = (last && timeOf(last)) ?? found.reached;
    if (found.reached !== undefined && found.reached < oldest) return 'over';
    if (found.looked >= MOST_LOOKED && slice.position > 0) return slice.position;
  }
  return undefined;
}

function endFor({ handle, size }: AuditFile, { until }: AuditQuestion): Promise<number> | number {
  return until === undefined ? size : endBefore(handle, size, until + DISORDER_MS);
}

function cursorOf(text: string): { readonly id: string; readonly end: number } {
  const [, id, end] = CURSOR.exec(text) ?? [];
  if (id === undefined || end === undefined) throw noSuchPlace();
  return { id, end: Number(end) };
}

const noSuchPlace = (): AppError =>
  new AppError('bad-request', 'after: there is no such place in the record any more: begin anew without it');
