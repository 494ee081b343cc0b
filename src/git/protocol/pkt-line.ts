import { GitError } from '../git-remote.ts';

/** Special packets. @see https://git-scm.com/docs/protocol-v2#_packet_line_framing */
export const FLUSH = 0;
const DELIMITER = 1;
const RESPONSE_END = 2;

/** Content of a packet, or the number of a special one. */
export type Packet = Buffer | typeof FLUSH | typeof DELIMITER | typeof RESPONSE_END;

const LENGTH_BYTES = 4;
/** Maximum length of a packet with its length field, by the protocol. */
const PACKET_BYTES = 65_520;

/** Returns a packet with a text. */
function packet(text: string): Buffer {
  const content = Buffer.from(text);
  const length = (content.length + LENGTH_BYTES).toString(16).padStart(LENGTH_BYTES, '0');
  return Buffer.concat([Buffer.from(length), content]);
}

/** Returns a request of protocol v2. @param args lines without line breaks */
export function commandRequest(command: string, args: readonly string[]): Buffer {
  const lines = args.map((line) => packet(`${line}\n`));
  return Buffer.concat([packet(`command=${command}\n`), Buffer.from('0001'), ...lines, Buffer.from('0000')]);
}

/**
 * Yields the packets of a response, in lists that arrived together.
 * @throws GitError `limit` above `maxBytes`, `unreachable` if the response ends within a packet, `invalid` without
 * packets
 */
export async function* readPackets(source: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Packet[]> {
  let rest: Buffer = Buffer.alloc(0);
  let received = 0;
  for await (const chunk of source) {
    received += chunk.length;
    if (received > maxBytes) throw tooMuch(maxBytes);
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    const packets: Packet[] = [];
    rest = split(rest.length === 0 ? bytes : Buffer.concat([rest, bytes]), packets);
    yield packets;
  }
  if (rest.length > 0) throw cutOff();
}

export function cutOff(): GitError {
  return new GitError('unreachable', 'The response of the Git server ended too early.');
}

export function tooMuch(maxBytes: number): GitError {
  return new GitError('limit', `The Git server sent more than ${maxBytes} bytes in one response.`);
}

/** Adds the whole packets of the bytes to a list, and returns the remaining bytes. */
function split(bytes: Buffer, packets: Packet[]): Buffer {
  let at = 0;
  while (bytes.length - at >= LENGTH_BYTES) {
    const length = lengthAt(bytes, at);
    if (length < LENGTH_BYTES) {
      packets.push(length as typeof FLUSH);
      at += LENGTH_BYTES;
    } else {
      if (bytes.length - at < length) break;
      packets.push(bytes.subarray(at + LENGTH_BYTES, at + length));
      at += length;
    }
  }
  return bytes.subarray(at);
}

function lengthAt(bytes: Buffer, at: number): number {
  const digits = bytes.toString('latin1', at, at + LENGTH_BYTES);
  const length = /^[\da-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
  if (length <= PACKET_BYTES && length !== 3) return length;
  throw new GitError('invalid', `The Git server sent something else than packets of Git's protocol${hint(bytes, at)}.`);
}

/** A proxy or a login page in front of the server is the usual cause. */
const hint = (bytes: Buffer, at: number): string =>
  /^\s*<[!a-z?]/i.test(bytes.toString('latin1', at, at + 40)) ? ': it is a web page' : '';

/** Returns the text of a packet without its line break. */
export function textOf(content: Buffer): string {
  const end = content.at(-1) === 10 ? content.length - 1 : content.length;
  return content.toString('utf8', 0, end);
}
