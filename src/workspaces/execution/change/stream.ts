import { Readable } from 'node:stream';
import type { Actor } from '../../tenancy/index.ts';
import type { Change } from './journal.ts';

/** @limit what a stream of events holds that its reader has not taken, bytes -> the stream is cut off */
const MAX_UNREAD = 65_536;
/** @limit events that are told at a time, bytes -> the reader is told to ask for everything again */
const MAX_TOLD = 16_384;

/** What one client follows, as server-sent events. */
export class ChangeStream extends Readable {
  /** Who reads, as of the last time that was asked. */
  actor: Actor;
  readonly address: string;
  #isOver = false;

  constructor(actor: Actor, address: string) {
    super({ highWaterMark: MAX_UNREAD });
    this.actor = actor;
    this.address = address;
  }

  override _read(): void {}

  /** What something has happened to, each once. */
  pushChanges(changes: readonly Change[]): void {
    const text = [...new Set(changes.map(eventOf))].join('');
    if (text.length > MAX_TOLD) this.reload();
    else this.#write(text);
  }

  /** Something was missed: whoever follows asks for everything again. */
  reload(): void {
    this.#write('event: reload\ndata: {}\n\n');
  }

  /** Keeps the connection, and proxies before it, alive. @param place where to go on from, in `Last-Event-ID` */
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
    if (this.readableLength + text.length > MAX_UNREAD) this.destroy(new Error('nobody reads the events'));
    else this.push(text);
  }
}

function eventOf({ kind, subjectId, workspaceId, organizationName }: Change): string {
  const data = { id: subjectId, organization: organizationName, workspace: workspaceId };
  return `event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`;
}
