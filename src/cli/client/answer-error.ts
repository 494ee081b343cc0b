import { CommandError } from '../errors/command-error.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { printable } from '../output/printable.ts';
import type { Answer } from './client.ts';

/** An event on the server that users have to know how to go on from. */
interface Case {
  readonly exitCode: ExitCode;
  /** Next step of the user; undefined if the message itself says it. */
  readonly hint?: string;
  /** Code of the error (JSON:API). */
  readonly code?: string;
  /** Statuses of the response. Default: any. */
  readonly statuses?: readonly number[];
  /** Text of the error. Default: any. */
  readonly text?: RegExp;
}

const NO_REASON = 'the server gave no reason';
/** The workspace API reports missing and invisible resources with one text. */
const NOT_VISIBLE = /^Not found, or you are not allowed/;
/** The access API reports an unknown token with this text, and a missing permission with a line before it. */
const UNKNOWN_TOKEN = /^permission denied\b/;
const WHOAMI = '`lockkeeper whoami` shows who your token stands for';
const NEW_TOKEN = 'log in again (`lockkeeper login`), or set another LOCKKEEPER_TOKEN';

/** The first case that matches decides, so special ones come first. */
const CASES: readonly Case[] = [
  {
    code: 'sign-in-again',
    exitCode: EXIT.refused,
    hint: 'sign in again to confirm that it is you: `lockkeeper login`',
  },
  {
    // The access API says no more about a token that it does not know.
    statuses: [403],
    text: UNKNOWN_TOKEN,
    exitCode: EXIT.refused,
    hint: `the token is unknown, expired, or not one of the access API: ${NEW_TOKEN}`,
  },
  {
    statuses: [403],
    text: /\bpermission denied$/,
    exitCode: EXIT.refused,
    hint: `the policies of your token do not allow it; ${WHOAMI}`,
  },
  { statuses: [401], exitCode: EXIT.refused, hint: NEW_TOKEN },
  { statuses: [403], exitCode: EXIT.refused, hint: `ask an administrator for the permission; ${WHOAMI}` },
  {
    statuses: [404],
    exitCode: EXIT.notFound,
    hint: `check the name, and whether your token has access to it; ${WHOAMI}`,
  },
  {
    text: /\balready been taken\b|\bis already in use\b/,
    exitCode: EXIT.conflict,
    hint: 'choose another name, or change the one that exists',
  },
  {
    text: /\bvariables differ from those of the plan\b/,
    exitCode: EXIT.conflict,
    hint: 'the plan cannot be applied as it is: `lockkeeper run discard RUN`, then `lockkeeper run start` plans again',
  },
  {
    statuses: [409],
    text: /\blocked\b/i,
    exitCode: EXIT.conflict,
    hint: 'see who holds it with `lockkeeper workspace show`',
  },
  { statuses: [409], exitCode: EXIT.conflict },
  { statuses: [429], exitCode: EXIT.unavailable, hint: 'wait a moment and try again' },
  { statuses: [503], exitCode: EXIT.unavailable, hint: 'try again; /healthz/ready shows the cause' },
];

/** An error of either API. */
interface Reported {
  readonly text: string;
  readonly code: string | undefined;
}

/** The request of a response, for messages about errors. */
export interface Asked {
  /** Subject of the request: `workspace app in organization acme`. */
  readonly subject?: string | undefined;
  /** Whether the request only reads. */
  readonly reads?: boolean;
  /** Next step if the token belongs to the other API. */
  readonly wrongToken?: string | undefined;
}

/** Returns the response. @throws CommandError for an error of either API, with the next step */
export function expectDone(answer: Answer, asked: Asked = {}): Answer {
  const { status, body } = answer;
  if (status < 300) return answer;
  const errors = errorsIn(body);
  const known = CASES.find((one) => matches(one, status, errors));
  const exitCode = known?.exitCode ?? (status >= 500 ? EXIT.unavailable : EXIT.failed);
  const told = printable(toldText(status, errors, asked));
  // A token of the other API is unknown: the workspace API refuses it with 401, the access API with 403.
  const isUnknown = status === 401 || (status === 403 && errors.some(({ text }) => UNKNOWN_TOKEN.test(text)));
  const hint = (isUnknown ? asked.wrongToken : undefined) ?? known?.hint;
  throw new CommandError(`${told} (${status})${hint === undefined ? '' : `\n${hint}`}`, exitCode);
}

/** Names what was asked for where the server does not: neither API says whether it is missing or not visible. */
function toldText(status: number, errors: readonly Reported[], { subject, reads }: Asked): string {
  const told = errors.map(({ text }) => plain(text)).join('; ');
  if (subject === undefined || ![403, 404].includes(status)) return told || NO_REASON;
  if (status === 404 && NOT_VISIBLE.test(told)) {
    return `${subject}: not found, or the token may not ${reads ? 'see' : 'see or change'} it`;
  }
  return `${subject}: ${told || (status === 404 ? 'not found' : NO_REASON)}`;
}

function matches({ code, statuses, text }: Case, status: number, errors: readonly Reported[]): boolean {
  if (statuses !== undefined && !statuses.includes(status)) return false;
  if (code !== undefined && !errors.some((error) => error.code === code)) return false;
  return text === undefined || errors.some((error) => text.test(error.text));
}

function errorsIn(body: unknown): Reported[] {
  const { errors = [] } = (body ?? {}) as { errors?: unknown };
  return Array.isArray(errors) ? errors.map(reported).filter(({ text }) => text !== '') : [];
}

/** Error as text (access API) or as a JSON:API error object. */
function reported(error: unknown): Reported {
  if (typeof error === 'string') return { text: error.trim(), code: undefined };
  const { title, detail, source, code } = (error ?? {}) as {
    title?: unknown;
    detail?: unknown;
    source?: { pointer?: string };
    code?: string;
  };
  const where = source?.pointer ? ` (${source.pointer})` : '';
  return { text: `${String(detail ?? title ?? '')}${where}`, code };
}

/** The access API wraps some texts as other servers of its kind do: `1 error occurred:` and a list. */
function plain(text: string): string {
  return text.replace(/^1 error occurred:\s*\*\s*/, '');
}
