import { Readable } from 'node:stream';
import { AppError } from '../../lib/errors.ts';
import { answersData } from '../operation/answer.ts';
import { described, flag, integer, parseFields, text, time } from '../operation/fields.ts';
import type { Operation } from '../operation/operation.ts';
import {
  anyObject,
  component,
  listOf,
  orNull,
  integer as shownInteger,
  text as shownText,
  time as shownTime,
  texts,
} from '../operation/schema.ts';

/** Filter of audit entries. Absent members match all. */
export interface AuditQuestion {
  readonly actor?: string;
  readonly path?: string;
  /** First and last status. */
  readonly status?: readonly [number, number];
  readonly requestId?: string;
  readonly service?: string;
  readonly type?: string;
  readonly hash?: string;
  /** Leaves out requests by which pages of the console read data. */
  readonly withoutConsoleReads?: boolean;
  /** Start of the period, milliseconds since 1970. */
  readonly since?: number;
  readonly until?: number;
}

/** Page of audit entries. */
export interface AuditStretch {
  readonly limit: number;
  readonly after?: string;
}

/** Audit entries, newest first. */
export interface AuditPage {
  readonly node: string;
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  readonly next: string | undefined;
  /** Time of the oldest entry that was scanned, milliseconds since 1970. Undefined without one. */
  readonly reached: number | undefined;
  readonly looked: number;
  readonly packed: readonly string[];
}

/** The readable part of the audit log. */
export interface ReadableRecord {
  /**
   * Returns entries of a file device, newest first.
   * @throws AppError
   */
  read(question: AuditQuestion, stretch: AuditStretch, sink?: string): Promise<AuditPage>;
}

/** @limit audit entries in one response of the access API, entries -> 400 */
const MOST_LINES = 500;
const LINES = 100;
/** @limit a search text for the audit log, characters -> 400 */
const LONGEST_TEXT = 500;

const FIELDS = described(
  {
    actor: text(),
    path: text(),
    status: text(),
    request_id: text(),
    service: text(),
    type: text(),
    hash: text(),
    console_reads: flag(true),
    since: time(),
    until: time(),
    sink: text(),
    limit: integer(LINES),
    after: text(),
  },
  {
    actor: 'Text in a member that identifies the caller: a name, an accessor, an id, a subject or a serial number.',
    path: 'Prefix of the path, such as `/v1/auth/cert`. `+` matches one segment: `/v1/auth/+/login`.',
    status: 'Status such as `403`, or a class such as `4xx`.',
    request_id: 'Id of one request.',
    service: '`access`, `workspaces` or `none`.',
    type: '`request` or `response`.',
    hash: 'Hash of a text from `sys/audit-hash`.',
    console_reads: '`false` leaves out requests by which pages of the console read data.',
    since: 'Earliest time.',
    until: 'Latest time.',
    sink: 'Name of the file device. Default: the first.',
    limit: `Maximum number of entries, up to ${MOST_LINES}.`,
    after: '`next` of the previous answer, to continue there.',
  },
);

const AuditLines = component('AuditLines', {
  records: listOf(anyObject('An audit entry.'), 'Newest first.'),
  next: orNull(
    shownText(
      '`after` of the next request. Null: there are no older entries. Even an answer without entries may have ' +
        'a next page.',
    ),
  ),
  node: shownText('Host name of the node whose file was read.'),
  looked_back_to: orNull(shownTime('Time of the oldest entry that was read.')),
  looked_at: shownInteger('Bytes.'),
  compressed: texts('Compressed audit files that were not read.'),
});

/** Operation that reads the audit log. Never wrapped, because wrapping would store the entries. */
export function readingOperation(audit: ReadableRecord): Operation {
  return {
    path: 'audit-record',
    verb: 'read',
    access: 'sudo',
    id: 'auditing-read-record',
    summary: 'Read the audit log of this node, newest entries first',
    answers: answersData(AuditLines),
    fields: FIELDS,
    async handle({ data }) {
      const { values } = parseFields(FIELDS, data);
      const page = await audit.read(questionOf(values), stretchOf(values), values.sink || undefined);
      return {
        data: {
          records: page.lines,
          next: page.next ?? null,
          node: page.node,
          looked_back_to: page.reached === undefined ? null : new Date(page.reached).toISOString(),
          looked_at: page.looked,
          compressed: page.packed,
        },
        // The audit log does not contain the content of a stream, so entries do not get into it again.
        stream: (json) => Readable.from([json]),
      };
    },
  };
}

type Given = ReturnType<typeof parseFields<typeof FIELDS>>['values'];

function questionOf(given: Given): AuditQuestion {
  const { actor, path, status, request_id: requestId, service, type, hash, console_reads: consoleReads } = given;
  const { since, until } = given;
  const texts = { actor, path, requestId, service, type, hash };
  const entries = Object.entries(texts).filter(([, value]) => value !== undefined && value !== '');
  for (const [name, value] of entries) {
    if ((value ?? '').length > LONGEST_TEXT) throw refused(`${name}: expected at most ${LONGEST_TEXT} characters`);
  }
  return {
    ...Object.fromEntries(entries),
    ...(status && { status: statusOf(status) }),
    ...(consoleReads === false && { withoutConsoleReads: true }),
    ...(since != null && { since }),
    ...(until != null && { until }),
  };
}

function stretchOf({ limit = LINES, after }: Given): AuditStretch {
  if (limit < 1 || limit > MOST_LINES) throw refused(`limit: expected a number from 1 to ${MOST_LINES}`);
  return { limit, ...(after && { after }) };
}

function statusOf(text: string): readonly [number, number] {
  const [, digit, rest] = /^([1-5])(\d\d|xx)$/.exec(text) ?? [];
  if (digit === undefined || rest === undefined)
    throw refused('status: expected a status such as 403, or a class such as 4xx');
  return rest === 'xx' ? [Number(digit) * 100, Number(digit) * 100 + 99] : [Number(text), Number(text)];
}

const refused = (text: string): AppError => new AppError('bad-request', text);
