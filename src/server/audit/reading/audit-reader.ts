import { hostname } from 'node:os';
import { AppError } from '../../../lib/errors.ts';
import { Slots } from '../../../lib/slots.ts';
import { type AuditFile, auditFiles, openAuditFile } from './audit-files.ts';
import { type AuditLine, type AuditQuestion, fits, mayFit, readLine, timeOf } from './audit-question.ts';
import { endBefore, slicesBackwards } from './lines-backwards.ts';

/** A page of audit entries, newest first. */
export interface AuditPage {
  /** Name of the sink. */
  readonly node: string;
  readonly lines: readonly AuditLine[];
  /** Cursor for older entries. Undefined at the end. */
  readonly next: string | undefined;
  /** Time of the oldest scanned entry, milliseconds since 1970. Undefined without one. */
  readonly reached: number | undefined;
  /** Number of scanned bytes. */
  readonly looked: number;
  /** Number of compressed files, which are not read. */
  readonly packed: readonly string[];
}

/** Limits of a page. */
export interface AuditStretch {
  /** Maximum number of entries. */
  readonly limit: number;
  /** Cursor of the previous page. */
  readonly after?: string;
}

/**
 * @limit audit log scanned by one request, bytes -> the response has a cursor to continue
 */
const MOST_LOOKED = 8_388_608;
/**
 * @limit audit entries in one response, bytes -> the response has a cursor to continue
 */
const MOST_ANSWERED = 524_288;
/** @limit concurrent reads of the audit log, requests of a process -> 429 */
const MOST_AT_ONCE = 8;
/** Maximum disorder of entries by time: a request entry is written with its response. */
const DISORDER_MS = 600_000;

const CURSOR = /^(\d{1,20})\.(\d{1,15})$/;

/** Reads the audit file and its rotated predecessors backwards. */
export class AuditReader {
  readonly #slots = new Slots<'all'>(MOST_AT_ONCE, { all: MOST_AT_ONCE });

  /**
   * Reads in slices of one event loop turn each, up to a limit.
   * @throws AppError bad-request for an invalid cursor, too-many-requests
   */
  async read(path: string, question: AuditQuestion, stretch: AuditStretch): Promise<AuditPage> {
    const release = this.#slots.acquire({ all: '' });
    if (!release) throw new AppError('too-many-requests', 'too many concurrent reads of the audit log; try again');
    try {
      return await readPage(path, question, stretch);
    } finally {
      release();
    }
  }
}

/** Entries found so far. */
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

/** Cursor in this file. `over` if nothing older can match, undefined at the start of the file. */
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
  new AppError('bad-request', 'after: this position no longer exists in the audit log; start again without it');
