import { isUtf8 } from 'node:buffer';
import { ProviderError } from '../provider-error.ts';
import { parseResponse } from './untrusted.ts';

/** @limit size of one member of a webhook's body that the server reads, bytes -> the delivery counts as invalid */
const MAX_MEMBER = 1024 * 1024;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
/** Square and curly brackets differ only in the bit 0x20. */
const BRACKET_BIT = 0x20;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/**
 * Reads some members of the JSON object of a delivery. Others are skipped without being parsed: a push may list
 * thousands of commits in 25 MB.
 * @throws ProviderError `invalid` if the body is not a JSON object, or a member is too large
 */
export function deliveryMembers(body: Uint8Array, wanted: ReadonlySet<string>): Readonly<Record<string, unknown>> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (!isUtf8(bytes)) throw invalid('is not UTF-8');
  const members: Record<string, unknown> = {};
  for (const [from, to] of topLevelMembers(bytes)) {
    const name = nameAt(bytes, from);
    if (!wanted.has(name)) continue;
    if (to - from > MAX_MEMBER) throw invalid(`has a member ${name} of more than ${MAX_MEMBER} bytes`);
    const member = parseResponse(Buffer.concat([Buffer.from('{'), bytes.subarray(from, to), Buffer.from('}')]));
    if (member === undefined) throw invalid('is not JSON');
    Object.assign(members, member);
  }
  return members;
}

/** Yields the start and end of each member of the outermost object. */
function* topLevelMembers(bytes: Buffer): Generator<readonly [number, number]> {
  const [first, last] = [bytes.findIndex(isNoSpace), bytes.findLastIndex(isNoSpace)];
  if (bytes[first] !== OPEN || bytes[last] !== CLOSE || first === last) throw invalid('is not a JSON object');
  let depth = 0;
  let start = first + 1;
  for (let i = start; i < last; i++) {
    const byte = bytes[i] as number;
    if (byte === QUOTE) {
      i = endOfString(bytes, i);
    } else if ((byte | BRACKET_BIT) === OPEN) {
      depth++;
    } else if ((byte | BRACKET_BIT) === CLOSE) {
      if (--depth < 0) throw invalid('is not a JSON object');
    } else if (byte === COMMA && depth === 0) {
      yield [start, i];
      start = i + 1;
    }
  }
  if (depth !== 0) throw invalid('is not a JSON object');
  if (bytes.subarray(start, last).some(isNoSpace)) yield [start, last];
}

function isNoSpace(byte: number): boolean {
  return byte > 0x20;
}

/** Returns the position of the closing quote, or the end of the bytes. */
function endOfString(bytes: Buffer, start: number): number {
  let i = start + 1;
  while (i < bytes.length && bytes[i] !== QUOTE) i += bytes[i] === BACKSLASH ? 2 : 1;
  return i;
}

/** Returns the name of the member at a position, without its escapes: no wanted name has one. */
function nameAt(bytes: Buffer, from: number): string {
  const start = bytes.indexOf(QUOTE, from);
  return start === -1 ? '' : bytes.subarray(start + 1, endOfString(bytes, start)).toString();
}

function invalid(problem: string): ProviderError {
  return new ProviderError('invalid', `The body of the delivery ${problem}`);
}
