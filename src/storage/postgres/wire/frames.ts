/** Length of type and length field. */
const HEAD = 5;
const NOTHING = Buffer.alloc(0);

/** Splits the bytes of a server into messages. A message that arrives in many pieces is assembled once. */
export class Frames {
  readonly #handle: (type: number, message: Buffer, start: number, end: number) => void;
  #pieces: Buffer[] = [];
  #length = 0;
  /** Number of bytes that must arrive before the next message can be complete. */
  #needed = HEAD;

  /** @param handle gets the content of each message as a range of a buffer, which is valid only during the call */
  constructor(handle: (type: number, message: Buffer, start: number, end: number) => void) {
    this.#handle = handle;
  }

  push(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length < this.#needed) return;
    const all = this.#pieces.length === 1 ? piece : Buffer.concat(this.#pieces);
    const rest = all.subarray(this.#cut(all));
    this.#pieces = rest.length === 0 ? [] : [rest];
    this.#length = rest.length;
  }

  /** Returns the start of the first incomplete message. */
  #cut(all: Buffer): number {
    let at = 0;
    while (all.length - at >= HEAD) {
      const end = at + 1 + all.readInt32BE(at + 1);
      if (end > all.length) {
        this.#needed = end - at;
        return at;
      }
      this.#handle(all[at] as number, all, at + HEAD, end);
      at = end;
    }
    this.#needed = HEAD;
    return at;
  }
}

/** Reads one message. */
export class MessageReader {
  #buffer: Buffer = NOTHING;
  #at = 0;

  readMessage(buffer: Buffer, start: number): this {
    this.#buffer = buffer;
    this.#at = start;
    return this;
  }

  byte(): number {
    return this.#buffer[this.#at++] as number;
  }

  int16(): number {
    const value = this.#buffer.readInt16BE(this.#at);
    this.#at += 2;
    return value;
  }

  int32(): number {
    const value = this.#buffer.readInt32BE(this.#at);
    this.#at += 4;
    return value;
  }

  skip(bytes: number): void {
    this.#at += bytes;
  }

  cstring(): string {
    const end = this.#buffer.indexOf(0, this.#at);
    const text = this.#buffer.toString('utf8', this.#at, end);
    this.#at = end + 1;
    return text;
  }

  text(bytes: number): string {
    const text = this.#buffer.toString('utf8', this.#at, this.#at + bytes);
    this.#at += bytes;
    return text;
  }
}
