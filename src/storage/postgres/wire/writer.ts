import type { SqlValue } from '../../database.ts';

/** Size of an allocation. Buffers are not reused, because the socket may still be sending them. */
const CHUNK = 65_536;
const TEXT = 0;
const BINARY = 1;

const letter = (text: string): number => text.charCodeAt(0);
const PARSE = letter('P');
const BIND = letter('B');
const CLOSE = letter('C');
const DESCRIBE = letter('D');
const EXECUTE = letter('E');
const SYNC = letter('S');

const STATEMENT = letter('S');

/**
 * Writes messages of the extended query protocol
 * (https://www.postgresql.org/docs/current/protocol-message-formats.html).
 */
export class MessageWriter {
  #buffer = Buffer.allocUnsafe(CHUNK);
  #start = 0;
  #end = 0;

  /** Returns the bytes written since the last call. */
  take(): Buffer {
    const written = this.#buffer.subarray(this.#start, this.#end);
    this.#start = this.#end;
    return written;
  }

  /** Prepares a statement under a name; without a name for the next `bind` only. */
  parse(name: string, text: string): void {
    const length = this.#begin(PARSE);
    this.#cstring(name);
    this.#cstring(text);
    this.#int16(0);
    this.#finish(length);
  }

  bind(name: string, values: readonly SqlValue[]): void {
    const length = this.#begin(BIND);
    this.#cstring('');
    this.#cstring(name);
    const isBinary = values.some((value) => value instanceof Uint8Array);
    this.#int16(isBinary ? values.length : 0);
    if (isBinary) for (const value of values) this.#int16(value instanceof Uint8Array ? BINARY : TEXT);
    this.#int16(values.length);
    for (const value of values) this.#value(value);
    // All columns as text.
    this.#int16(0);
    this.#finish(length);
  }

  /** Deallocates the prepared statement of a name, if there is one. */
  close(name: string): void {
    this.#ofStatement(CLOSE, name);
  }

  /** Requests the columns of a prepared statement. */
  describe(name: string): void {
    this.#ofStatement(DESCRIBE, name);
  }

  #ofStatement(type: number, name: string): void {
    const length = this.#begin(type);
    this.#reserve(1);
    this.#end = this.#buffer.writeUInt8(STATEMENT, this.#end);
    this.#cstring(name);
    this.#finish(length);
  }

  execute(): void {
    const length = this.#begin(EXECUTE);
    this.#cstring('');
    // All rows.
    this.#int32(0);
    this.#finish(length);
  }

  sync(): void {
    this.#finish(this.#begin(SYNC));
  }

  /** Returns the position of the length field, which is written at the end of the message. */
  #begin(type: number): number {
    this.#reserve(5);
    this.#end = this.#buffer.writeUInt8(type, this.#end) + 4;
    return this.#end - 4 - this.#start;
  }

  #finish(length: number): void {
    const at = this.#start + length;
    this.#buffer.writeInt32BE(this.#end - at, at);
  }

  #int16(value: number): void {
    this.#reserve(2);
    this.#end = this.#buffer.writeUInt16BE(value, this.#end);
  }

  #int32(value: number): void {
    this.#reserve(4);
    this.#end = this.#buffer.writeInt32BE(value, this.#end);
  }

  #cstring(text: string): void {
    this.#reserve(text.length * 3 + 1);
    this.#end += this.#buffer.write(text, this.#end);
    this.#end = this.#buffer.writeUInt8(0, this.#end);
  }

  #value(value: SqlValue): void {
    if (value === null) {
      this.#int32(-1);
    } else if (value instanceof Uint8Array) {
      this.#int32(value.length);
      this.#reserve(value.length);
      this.#buffer.set(value, this.#end);
      this.#end += value.length;
    } else {
      this.#text(String(value));
    }
  }

  #text(text: string): void {
    this.#reserve(4 + text.length * 3);
    const length = this.#buffer.write(text, this.#end + 4);
    this.#buffer.writeInt32BE(length, this.#end);
    this.#end += 4 + length;
  }

  #reserve(bytes: number): void {
    if (this.#end + bytes <= this.#buffer.length) return;
    const unsent = this.#buffer.subarray(this.#start, this.#end);
    this.#buffer = Buffer.allocUnsafe(Math.max(CHUNK, 2 * (unsent.length + bytes)));
    this.#buffer.set(unsent);
    this.#start = 0;
    this.#end = unsent.length;
  }
}
