import { Readable } from 'node:stream';
import { AppError } from '../../lib/errors.ts';
import { answersData } from '../operation/answer.ts';
import { described, integer, parseFields, text, time } from '../operation/fields.ts';
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

/** Which lines are looked for. What is absent does not matter. */
export interface AuditQuestion {
  readonly actor?: string;
  readonly path?: string;
  /** From, to. */
  readonly status?: readonly [number, number];
  readonly requestId?: string;
  readonly service?: string;
  readonly type?: string;
  readonly hash?: string;
  /** Milliseconds. */
  readonly since?: number;
  readonly until?: number;
}

/** How many lines, and from where on. */
export interface AuditStretch {
  readonly limit: number;
  readonly after?: string;
}

/** Some lines of the record, newest first. */
export interface AuditPage {
  readonly node: string;
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  readonly next: string | undefined;
  /** Milliseconds. */
  readonly reached: number | undefined;
  readonly looked: number;
  readonly packed: readonly string[];
}

/** Whoever keeps the record. */
export interface ReadableRecord {
  /** Some lines of a sink that is a file, newest first. @throws AppError */
  read(question: AuditQuestion, stretch: AuditStretch, sink?: string): Promise<AuditPage>;
}

/** @limit lines of the audit record in one answer, lines -> 400 */
const MOST_LINES = 500;
const LINES = 100;
/** @limit a text to look for in the audit record, characters -> 400 */
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
    since: time(),
    until: time(),
    sink: text(),
    limit: integer(LINES),
    after: text(),
  },
  {
    actor: 'What stands in a member that says who asked: a name, an accessor, an id, a subject or serial number.',
    path: 'How the path begins: `/v1/auth/cert`; `+` stands for one part of it: `/v1/auth/+/login`.',
    status: '`403`, or `4xx` for all of a class.',
    request_id: 'The lines of one request.',
    service: '`access`, `workspaces` or `none`.',
    type: '`request` or `response`.',
    hash: 'What `sys/audit-hash` says for a text.',
    since: 'Not before this moment.',
    until: 'Not after this moment.',
    sink: 'Which file, where there are several. Default: the first.',
    limit: `At most so many lines, up to ${MOST_LINES}.`,
    after: '`next` of the answer before: goes on from there.',
  },
);

const AuditLines = component('AuditLines', {
  records: listOf(anyObject('A line of the record.'), 'Newest first.'),
  next: orNull(
    shownText('`after` of the next request. Null: there is nothing older. There may be more behind no lines.'),
  ),
  node: shownText('Whose file was read: the name of the machine.'),
  looked_back_to: orNull(shownTime('How far.')),
  looked_at: shownInteger('Bytes.'),
  compressed: texts('Files of the record that are there and were not read.'),
});

/** What is on record, for whoever may know what everybody does. Never wrapped: it would be stored. */
export function readingOperation(audit: ReadableRecord): Operation {
  return {
    path: 'audit-record',
    verb: 'read',
    access: 'sudo',
    id: 'auditing-read-record',
    summary: 'Read the audit record of this node, newest first',
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
        // What is on record is not put on record again.
        stream: (json) => Readable.from([json]),
      };
    },
  };
}

type Given = ReturnType<typeof parseFields<typeof FIELDS>>['values'];

function questionOf(given: Given): AuditQuestion {
  const { actor, path, status, request_id: requestId, service, type, hash, since, until } = given;
  const texts = { actor, path, requestId, service, type, hash };
  const entries = Object.entries(texts).filter(([, value]) => value !== undefined && value !== '');
  for (const [name, value] of entries) {
    if ((value ?? '').length > LONGEST_TEXT) throw refused(`${name}: at most ${LONGEST_TEXT} characters`);
  }
  return {
    ...Object.fromEntries(entries),
    ...(status && { status: statusOf(status) }),
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
    throw refused('status: expected one such as 403, or a class such as 4xx');
  return rest === 'xx' ? [Number(digit) * 100, Number(digit) * 100 + 99] : [Number(text), Number(text)];
}

const refused = (text: string): AppError => new AppError('bad-request', text);
