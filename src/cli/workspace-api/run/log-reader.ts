import { reasonOf } from '../../../lib/http/fetch-error.ts';
import { HttpClient } from '../../../lib/http/http-client.ts';
import { CommandError } from '../../errors/command-error.ts';
import { EXIT } from '../../errors/exit-codes.ts';
import { printableLog } from '../../output/printable.ts';
import { type Diagnostic, diagnosticSummary, diagnosticText } from './diagnostic.ts';

/** Maximum size of a part, bytes. */
const PART = 65_536;
/** @limit response with a part of a log in a command, bytes -> the command fails */
const MAX_ANSWER = 1_048_576;
/** @limit request for a part of a log in a command, ms -> the command fails */
const LONGEST_EXCHANGE = 60_000;
const START = 0x02;
const END = 0x03;

/** A part of a log. */
export interface LogPart {
  readonly bytes: Buffer;
  /** Offset of the next part. */
  readonly next: number;
  readonly isEnd: boolean;
}

/** Reads a log from an offset at its signed URL, which needs no token. @throws CommandError */
export async function readLog(url: string, offset: number, ca: string | undefined): Promise<LogPart> {
  const place = new URL(url);
  place.search = `limit=${PART}&offset=${offset}`;
  const bytes = await get(place, ca);
  const begun = bytes[0] === START && offset === 0 ? 1 : 0;
  const isEnd = bytes.at(-1) === END;
  return { bytes: bytes.subarray(begun, isEnd ? -1 : undefined), next: offset + bytes.length, isEnd };
}

export const isStructuredLine = (line: string): boolean => line.startsWith('{"@level"');

interface StructuredLine {
  readonly '@message'?: unknown;
  readonly type?: unknown;
  readonly diagnostic?: Diagnostic | null;
}

/** Returns the readable text of a log line: the message of a JSON line, or its diagnostic on several lines. */
export function readable(line: string): string {
  const structured = structuredOf(line);
  if (structured === undefined) return shown(line);
  const { type, diagnostic, '@message': message } = structured;
  if (type === 'diagnostic' && diagnostic) return shown(diagnosticText(diagnostic));
  return shown(String(message ?? line));
}

function structuredOf(line: string): StructuredLine | undefined {
  if (!isStructuredLine(line)) return undefined;
  try {
    return JSON.parse(line) as StructuredLine;
  } catch {
    return undefined;
  }
}

/**
 * Returns the last error of a log on one line, with its place: `No value for required variable (on main.tf line 2)`.
 * Reads only the end of the log. Undefined if it contains no error.
 * @param bytes size of the log
 */
export async function lastErrorOf(url: string, bytes: number, ca: string | undefined): Promise<string | undefined> {
  const { bytes: end } = await readLog(url, Math.max(0, bytes - PART), ca);
  const lines = end
    .toString()
    .split('\n')
    .filter((line) => line.trim() !== '');
  const errors = lines.flatMap((line) => {
    const { type, diagnostic } = structuredOf(line) ?? {};
    return type === 'diagnostic' && diagnostic?.severity === 'error' ? [diagnostic] : [];
  });
  const last = errors.at(-1);
  const error = last === undefined ? plainError(lines) : diagnosticSummary(last);
  return error === undefined ? undefined : printableLog(error, false);
}

/** Colours and the frame come before it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the beginning of a colour
const PLAIN_ERROR = /^(?:\u001b\[[0-9;]*m|\W)*Error: /;

/** Returns the last error of a log for people. */
function plainError(lines: readonly string[]): string | undefined {
  const texts = lines.map((line) => readable(line).trim());
  return texts.findLast((text) => PLAIN_ERROR.test(text))?.replace(PLAIN_ERROR, '');
}

const shown = (text: string): string => printableLog(text, process.stdout.isTTY);

async function get(url: URL, ca: string | undefined): Promise<Buffer> {
  const client = new HttpClient({ connections: 'process', ...(ca !== undefined && { tls: { ca } }) });
  const fail = (error: unknown) => {
    throw new CommandError(reasonOf(error), EXIT.unavailable);
  };
  const limits = { timeoutMs: LONGEST_EXCHANGE, maxBytes: MAX_ANSWER };
  const response = await client.send(url, { limits }).catch(fail);
  const bytes = await response.bytes().catch(fail);
  if (response.status === 200) return bytes;
  throw new CommandError(`failed to read the log (${response.status})`, EXIT.unavailable);
}
