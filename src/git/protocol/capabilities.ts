import { GitError, type GitTransport } from '../git-remote.ts';
import { readPackets, textOf } from './pkt-line.ts';
import { errorText, serverError } from './server-error.ts';

/** Features of a Git server that this client uses. */
export interface Capabilities {
  /** Whether `fetch` can leave out files and trees. */
  readonly filters: boolean;
}

/**
 * Real lists have some hundred bytes.
 * @limit list of the capabilities of a Git server, bytes -> the repository cannot be read; the reason is shown
 */
const MAX_BYTES = 65_536;
const DUMB = /^[\da-f]{40}\t/;

/**
 * Asks a server for its capabilities of protocol v2.
 * @throws GitError `unsupported` for a server without it, dumb HTTP, a web page and SHA-256
 */
export async function fetchCapabilities(transport: GitTransport): Promise<Capabilities> {
  const lines = await linesOf(await transport('info/refs?service=git-upload-pack'));
  const start = lines.indexOf('version 2');
  if (start < 0)
    throw new GitError('unsupported', 'The Git server does not support protocol version 2. Git 2.18 and later do.');
  return capabilitiesOf(lines.slice(start + 1));
}

async function linesOf(response: AsyncIterable<Uint8Array>): Promise<string[]> {
  const lines: string[] = [];
  let isFirst = true;
  for await (const packets of readPackets(checkedStart(response), MAX_BYTES)) {
    for (const content of packets) {
      if (typeof content === 'number') continue;
      const error = isFirst ? errorText(content) : undefined;
      if (error !== undefined) throw serverError(error);
      isFirst = false;
      lines.push(textOf(content));
    }
  }
  return lines;
}

/** Names the usual mistakes before the first byte is parsed. */
async function* checkedStart(response: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const chunk of response) {
    if (isFirst && chunk.length > 0) {
      const start = Buffer.from(chunk.buffer, chunk.byteOffset, Math.min(chunk.length, 200)).toString('latin1');
      if (/^\s*</.test(start))
        throw new GitError('unsupported', 'The URL leads to a web page, not to a Git repository.');
      if (DUMB.test(start))
        throw new GitError('unsupported', 'The server offers the repository over dumb HTTP. Smart HTTP is needed.');
      isFirst = false;
    }
    yield chunk;
  }
}

function capabilitiesOf(lines: readonly string[]): Capabilities {
  const features = new Map(
    lines.map((line) => {
      const [name = '', value = ''] = line.split(/=(.*)/s);
      return [name, value.split(' ')] as const;
    }),
  );
  const format = features.get('object-format')?.[0] ?? 'sha1';
  if (format !== 'sha1')
    throw new GitError('unsupported', `The repository has objects of the format ${format}. Only SHA-1 is supported.`);
  if (!features.has('fetch')) throw new GitError('unsupported', 'The Git server does not support fetching.');
  return { filters: features.get('fetch')?.includes('filter') ?? false };
}
