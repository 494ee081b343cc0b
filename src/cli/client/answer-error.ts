import { CommandError } from '../errors/command-error.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { printable } from '../output/printable.ts';
import type { Answer } from './client.ts';

interface Case {
  readonly exitCode: ExitCode;
  /** Next step of the user. */
  readonly hint: string;
  /** Errors that the hint is for, by their text; default: all of this status. */
  readonly about?: RegExp;
}

const LOG_IN = 'log in again (`lockkeeper login`), set LOCKKEEPER_TOKEN, or ask an administrator for the permission';

const CASES: Readonly<Record<number, Case>> = {
  401: { exitCode: EXIT.refused, hint: LOG_IN },
  403: { exitCode: EXIT.refused, hint: LOG_IN },
  404: { exitCode: EXIT.notFound, hint: 'check the name, and whether your token has access to it' },
  409: { exitCode: EXIT.conflict, hint: 'see who holds it with `lockkeeper workspace show`', about: /\blocked\b/i },
  429: { exitCode: EXIT.unavailable, hint: 'wait a moment and try again' },
  503: { exitCode: EXIT.unavailable, hint: 'try again; /healthz/ready shows the cause' },
};

/** Returns the response. @throws CommandError for an error of either API, with the next step */
export function expectDone(answer: Answer): Answer {
  const { status, body } = answer;
  if (status < 300) return answer;
  const told = textsIn(body).map(printable).join('; ') || 'the server gave no reason';
  const known = CASES[status];
  const exitCode = known?.exitCode ?? (status >= 500 ? EXIT.unavailable : EXIT.failed);
  const isHinted = known?.about?.test(told) ?? known !== undefined;
  throw new CommandError(`${told} (${status})${isHinted ? `\n${known?.hint}` : ''}`, exitCode);
}

function textsIn(body: unknown): string[] {
  const { errors = [] } = (body ?? {}) as { errors?: unknown };
  return Array.isArray(errors) ? errors.map(textOf).filter((text) => text !== '') : [];
}

/** Error as text (access API) or as a JSON:API error object. */
function textOf(error: unknown): string {
  if (typeof error === 'string') return error.trim();
  const { title, detail, source } = (error ?? {}) as {
    title?: unknown;
    detail?: unknown;
    source?: { pointer?: string };
  };
  const where = source?.pointer ? ` (${source.pointer})` : '';
  return `${String(detail ?? title ?? '')}${where}`;
}
