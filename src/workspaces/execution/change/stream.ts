import { Readable } from 'node:stream';
import type { Actor } from '../../tenancy/index.ts';
import type { Change } from './journal.ts';

/** @limit bytes of an event stream that its reader has not received, bytes -> the connection is closed */
const MAX_UNREAD = 65_536;
/** @limit changes that an event stream sends at once, bytes -> the client reloads everything */
const MAX_TOLD = 16_384;

/** One client's stream of server-sent events. */
export class ChangeStream extends Readable {
  /** The reader, as of the last authentication. */
  actor: Actor;
  readonly address: string;
  #isOver = false;

  constructor(actor: Actor, address: string) {
    super({ highWaterMark: MAX_UNREAD });
    this.actor = actor;
    this.address = address;
  }

  override _read(): void {}

  /** Sends the changed objects, each once. */
  pushChanges(changes: readonly Change[]): void {
    const text = [...new Set(changes.map(eventOf))].join('');
    if (text.length > MAX_TOLD) this.reload();
    else this.#write(text);
  }

  /** Sends an event after missed changes, so that the client reloads everything. */
  reload(): void {
    this.#write('event: reload\ndata: {}\n\n');
  }

  /**
   * Sends a keep-alive message to the client and proxies before it.
   * @param place position that the client sends as `Last-Event-ID` to continue
   */
  beat(place: string | undefined): void {
    this.#write(place === undefined ? ': nothing yet\n\n' : `id: ${place}\n\n`);
  }

  end(): void {
    if (this.destroyed || this.#isOver) return;
    this.#isOver = true;
    this.push(null);
  }

  #write(text: string): void {
    if (this.destroyed || this.#isOver) return;
    if (this.readableLength + text.length > MAX_UNREAD) this.destroy(new Error('the client does not read the events'));
    else this.push(text);
  }
}

function eventOf({ kind, subjectId, workspaceId, organizationName }: Change): string {
  const data = { id: subjectId, organization: organizationName, workspace: workspaceId };
  return `event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`;
}
