import { reasonOf } from '../../../lib/http/fetch-error.ts';
import { HttpClient } from '../../../lib/http/http-client.ts';
import { CommandError } from '../../errors/command-error.ts';
import { EXIT } from '../../errors/exit-codes.ts';
import { printableLog } from '../../output/printable.ts';

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

/** Returns the readable text of a log line. JSON lines have it in one of their members. */
export function readable(line: string): string {
  if (!isStructuredLine(line)) return shown(line);
  try {
    return shown(String((JSON.parse(line) as { readonly '@message'?: unknown })['@message'] ?? line));
  } catch {
    return shown(line);
  }
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
