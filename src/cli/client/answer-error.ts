import { CommandError } from '../errors/command-error.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { printable } from '../output/printable.ts';
import type { Answer } from './client.ts';

interface Case {
  readonly exitCode: ExitCode;
  /** What to do next. */
  readonly hint: string;
}

const LOG_IN = 'log in again (`lockkeeper login`), set LOCKKEEPER_TOKEN, or ask for the right';

const CASES: Readonly<Record<number, Case>> = {
  401: { exitCode: EXIT.refused, hint: LOG_IN },
  403: { exitCode: EXIT.refused, hint: LOG_IN },
  404: { exitCode: EXIT.notFound, hint: 'check the name, and whether your token may see it' },
  409: { exitCode: EXIT.conflict, hint: 'see who holds it with `lockkeeper workspace show`' },
  429: { exitCode: EXIT.unavailable, hint: 'wait a little' },
  503: { exitCode: EXIT.unavailable, hint: 'try again; what stands in the way is at /healthz/ready' },
};

/** The answer again. @throws CommandError for one that is an error, in either API's shape, with what to do next */
export function expectDone(answer: Answer): Answer {
  const { status, body } = answer;
  if (status < 300) return answer;
  const told = textsIn(body).map(printable).join('; ') || 'no reason given';
  const known = CASES[status];
  const exitCode = known?.exitCode ?? (status >= 500 ? EXIT.unavailable : EXIT.failed);
  throw new CommandError(`${told} (${status})${known ? `\n${known.hint}` : ''}`, exitCode);
}

function textsIn(body: unknown): string[] {
  const { errors = [] } = (body ?? {}) as { errors?: unknown };
  return Array.isArray(errors) ? errors.map(textOf).filter((text) => text !== '') : [];
}

/** A text, as in /v1, or an error object of JSON:API. */
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
