import type { GitBounds } from '../bounds.ts';
import { GitError, type GitTransport } from '../git-remote.ts';
import { ByteCollector } from './byte-collector.ts';
import type { Capabilities } from './capabilities.ts';
import { commandRequest, cutOff, FLUSH, type Packet, readPackets, textOf, tooMuch } from './pkt-line.ts';
import { errorText, serverError } from './server-error.ts';

/** Objects to fetch. */
export interface Wanted {
  /** Ids of commits. */
  readonly ids: readonly string[];
  /** Commits of each line of history. */
  readonly depth: number;
  /** Objects that are left out, if the server can do that: none, files, or files and trees. */
  readonly without: 'nothing' | 'blobs' | 'trees';
}

const FILTERS = { blobs: ['filter blob:none'], trees: ['filter tree:0'], nothing: [] } as const;
/** First byte of a packet of the pack: data, progress of the server, error. */
const DATA = 1;
const FAILURE = 3;
/**
 * Endless empty packets would keep the thread busy.
 * @limit response of a Git server besides its pack (frames, shallow commits, progress), bytes -> the commit cannot be used; the reason is shown
 */
const OVERHEAD = 8_388_608;
/** Bytes of the length and the band of a packet. */
const FRAME = 5;

/**
 * Fetches a pack with objects.
 * @throws GitError
 */
export async function fetchPack(
  transport: GitTransport,
  wanted: Wanted,
  { filters }: Capabilities,
  bounds: Pick<GitBounds, 'packBytes'>,
): Promise<Buffer> {
  const filter = filters ? FILTERS[wanted.without] : [];
  const wants = wanted.ids.map((id) => `want ${id}`);
  const args = ['no-progress', 'ofs-delta', ...wants, `deepen ${wanted.depth}`, ...filter, 'done'];
  const response = await transport('git-upload-pack', commandRequest('fetch', args));
  const reader = new FetchResponse(bounds.packBytes);
  for await (const packets of readPackets(response, bounds.packBytes + OVERHEAD)) {
    for (const content of packets) reader.take(content);
    if (reader.isWhole) return reader.pack();
  }
  throw cutOff();
}

/** Sections of a response: shallow commits, then the pack in packets of a side band. */
class FetchResponse {
  readonly #pack: ByteCollector;
  #isPack = false;
  #overhead = 0;
  isWhole = false;

  constructor(maxBytes: number) {
    this.#pack = new ByteCollector(maxBytes);
  }

  take(content: Packet): void {
    if (this.isWhole) return;
    this.#count(content);
    if (typeof content === 'number') {
      if (content === FLUSH) this.#end();
    } else if (this.#isPack) {
      this.#takeBand(content);
    } else {
      const error = errorText(content);
      if (error !== undefined) throw serverError(error);
      this.#isPack = textOf(content) === 'packfile';
    }
  }

  #count(content: Packet): void {
    const isData = this.#isPack && typeof content !== 'number' && content[0] === DATA;
    this.#overhead += isData || typeof content === 'number' ? FRAME : FRAME + content.length;
    if (this.#overhead > OVERHEAD) throw tooMuch(OVERHEAD);
  }

  #end(): void {
    if (!this.#isPack) throw new GitError('invalid', 'The Git server sent no pack.');
    this.isWhole = true;
  }

  #takeBand(content: Buffer): void {
    const band = content[0];
    if (band === DATA) this.#pack.add(content.subarray(1));
    else if (band === FAILURE) throw serverError(content.toString('utf8', 1));
  }

  pack(): Buffer {
    return this.#pack.bytes();
  }
}
