import { request as plainRequest } from 'node:http';
import { request } from 'node:https';
import { CommandError } from '../errors/command-error.ts';
import { EXIT } from '../errors/exit-codes.ts';
import { printableLog } from '../output/printable.ts';

/** Maximum size of a part, bytes. */
const PART = 65_536;
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

/** Returns the readable text of a log line. JSON lines have it in one of their members. */
export function readable(line: string): string {
  if (!line.startsWith('{"@level"')) return shown(line);
  try {
    return shown(String((JSON.parse(line) as { readonly '@message'?: unknown })['@message'] ?? line));
  } catch {
    return shown(line);
  }
}

const shown = (text: string): string => printableLog(text, process.stdout.isTTY);

function get(url: URL, ca: string | undefined): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? request : plainRequest;
    const outgoing = send(url, ca === undefined ? {} : { ca }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve(Buffer.concat(parts));
        else reject(new CommandError(`failed to read the log (${answer.statusCode})`, EXIT.unavailable));
      });
    });
    outgoing.on('error', (error) => reject(new CommandError(error.message, EXIT.unavailable)));
    outgoing.end();
  });
}
