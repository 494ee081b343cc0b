/** An HTTP/2 client that shows each frame (RFC 9113 §4). Node's own client hides them. */
import { once } from 'node:events';
import { connect as connectTls, type TLSSocket } from 'node:tls';

const TYPES = [
  'DATA',
  'HEADERS',
  'PRIORITY',
  'RST_STREAM',
  'SETTINGS',
  'PUSH_PROMISE',
  'PING',
  'GOAWAY',
  'WINDOW_UPDATE',
];
const FRAME_HEAD = 9;
const ACK = 0x1;
export const END_STREAM = 0x1;
const END_HEADERS = 0x4;
const SETTINGS_HEADER_TABLE_SIZE = 1;
const SETTINGS_INITIAL_WINDOW_SIZE = 4;
const DEFAULT_WINDOW = 65_535;
const LARGEST_FRAME = 16_384;

export interface Frame {
  /** `HEADERS`; undefined for a type that RFC 9113 does not name. */
  readonly type: string | undefined;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** Frames of the response on one stream. */
export interface FramedAnswer {
  readonly status: number;
  readonly text: string;
  /** Types in order; a frame with END_STREAM has `+END_STREAM` behind its type, RST_STREAM its error code: `RST_STREAM(0)`. */
  readonly frames: readonly string[];
}

export interface FrameClientOptions {
  readonly port: number;
  /** CA of the server's certificate, in PEM. */
  readonly ca: string;
  /** Maximum number of bytes of each response. */
  readonly window?: number;
}

export class FrameClient {
  readonly socket: TLSSocket;
  /** All frames received so far except SETTINGS, oldest first. */
  readonly frames: Frame[] = [];
  #received = Buffer.alloc(0);
  /** Resolves when the server has acknowledged the settings. */
  #isSettled = false;
  #changed = Promise.withResolvers<void>();
  /** Bytes that the flow control of the server still allows: for all streams, and for each. */
  #window = DEFAULT_WINDOW;
  #initialWindow = DEFAULT_WINDOW;
  readonly #windows = new Map<number, number>();
  #nextStream = 1;

  static async connect({ port, ca, window = DEFAULT_WINDOW }: FrameClientOptions): Promise<FrameClient> {
    const socket = connectTls({ host: '127.0.0.1', port, ca, ALPNProtocols: ['h2'] });
    await once(socket, 'secureConnect');
    socket.setNoDelay(true);
    const client = new FrameClient(socket);
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    client.send('SETTINGS', 0, 0, settings([SETTINGS_HEADER_TABLE_SIZE, 0], [SETTINGS_INITIAL_WINDOW_SIZE, window]));
    await client.until(() => client.#isSettled);
    return client;
  }

  private constructor(socket: TLSSocket) {
    this.socket = socket;
    socket.on('error', () => {});
    for (const event of ['close', 'drain']) socket.on(event, () => this.#change());
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      for (let frame = this.#take(); frame; frame = this.#take()) this.#note(frame);
      this.#change();
    });
  }

  /** Resolves once `isSo` is true; rejects when the connection closes first. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      if (this.socket.destroyed) throw new Error(`closed after ${this.frames.map(named).join(', ')}`);
      await this.#changed.promise;
    }
  }

  send(type: string, flags: number, stream: number, payload: Uint8Array = Buffer.alloc(0)): void {
    const head = Buffer.alloc(FRAME_HEAD);
    head.writeUIntBE(payload.length, 0, 3);
    head.writeUInt8(TYPES.indexOf(type), 3);
    head.writeUInt8(flags, 4);
    head.writeUInt32BE(stream, 5);
    this.socket.write(Buffer.concat([head, payload]));
  }

  /** Starts a request, and returns its stream ID. Its body follows with `data`. */
  request(method: string, path: string, headers: Readonly<Record<string, string>> = {}): number {
    const stream = this.#nextStream;
    this.#nextStream += 2;
    const pseudo = { ':method': method, ':scheme': 'https', ':authority': 'localhost', ':path': path };
    this.send('HEADERS', END_HEADERS, stream, Buffer.concat(Object.entries({ ...pseudo, ...headers }).map(literal)));
    this.#windows.set(stream, this.#initialWindow);
    return stream;
  }

  /** Sends a body until the server asks to stop; returns how many bytes were sent. @param flags of the last frame */
  async data(stream: number, body: Uint8Array, flags = 0): Promise<number> {
    let sent = 0;
    do {
      await this.until(() => this.#room(stream) > 0 || body.length === 0 || this.isOver(stream));
      if (this.isOver(stream)) return sent;
      const piece = body.subarray(sent, sent + Math.min(this.#room(stream), LARGEST_FRAME));
      sent += piece.length;
      this.#window -= piece.length;
      this.#windows.set(stream, (this.#windows.get(stream) ?? 0) - piece.length);
      this.send('DATA', sent === body.length ? flags : 0, stream, piece);
      await this.until(() => !this.socket.writableNeedDrain);
    } while (sent < body.length);
    return sent;
  }

  /** Allows the server to send this many more bytes. */
  open(stream: number, bytes: number): void {
    const increment = Buffer.alloc(4);
    increment.writeUInt32BE(bytes);
    this.send('WINDOW_UPDATE', 0, stream, increment);
  }

  /** Returns whether the server asked to stop on this stream. */
  isOver(stream: number): boolean {
    return this.#of(stream).some(({ type }) => type === 'RST_STREAM');
  }

  /** Returns whether the response is complete, or will never be. */
  isAnswered(stream: number): boolean {
    return this.#of(stream).some((frame) => hasEnd(frame) || frame.type === 'RST_STREAM');
  }

  answer(stream: number): FramedAnswer {
    const frames = this.#of(stream);
    const text = frames.filter(({ type }) => type === 'DATA').map(({ payload }) => payload.toString());
    const head = frames.find(({ type }) => type === 'HEADERS');
    return { status: head ? statusIn(head.payload) : 0, text: text.join(''), frames: frames.map(named) };
  }

  close(): void {
    this.socket.destroy();
  }

  #of(stream: number): Frame[] {
    return this.frames.filter((frame) => frame.stream === stream && frame.type !== 'WINDOW_UPDATE');
  }

  #room(stream: number): number {
    return Math.min(this.#window, this.#windows.get(stream) ?? 0);
  }

  #change(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  #take(): Frame | undefined {
    const bytes = this.#received;
    if (bytes.length < FRAME_HEAD) return undefined;
    const end = FRAME_HEAD + bytes.readUIntBE(0, 3);
    if (bytes.length < end) return undefined;
    this.#received = bytes.subarray(end);
    const stream = bytes.readUInt32BE(5) & 0x7fffffff;
    return {
      type: TYPES[bytes.readUInt8(3)],
      flags: bytes.readUInt8(4),
      stream,
      payload: bytes.subarray(FRAME_HEAD, end),
    };
  }

  #note(frame: Frame): void {
    const { type, flags, stream, payload } = frame;
    if (type === 'SETTINGS') {
      if ((flags & ACK) !== 0) this.#isSettled = true;
      else this.send('SETTINGS', ACK, 0);
      return;
    }
    this.frames.push(frame);
    if (type !== 'WINDOW_UPDATE') return;
    const increment = payload.readUInt32BE();
    if (stream === 0) this.#window += increment;
    else this.#windows.set(stream, (this.#windows.get(stream) ?? 0) + increment);
  }
}

const hasEnd = ({ type, flags }: Frame): boolean =>
  (type === 'DATA' || type === 'HEADERS') && (flags & END_STREAM) !== 0;

function named(frame: Frame): string {
  if (frame.type === 'RST_STREAM') return `RST_STREAM(${frame.payload.readUInt32BE()})`;
  return `${frame.type}${hasEnd(frame) ? '+END_STREAM' : ''}`;
}

function settings(...pairs: readonly (readonly [id: number, value: number])[]): Buffer {
  const bytes = Buffer.alloc(6 * pairs.length);
  for (const [index, [id, value]] of pairs.entries()) {
    bytes.writeUInt16BE(id, 6 * index);
    bytes.writeUInt32BE(value, 6 * index + 2);
  }
  return bytes;
}

/** A literal header field without indexing (RFC 7541 §6.2.2), without Huffman codes. */
function literal([name, value]: readonly [string, string]): Buffer {
  return Buffer.concat([Buffer.from([0]), text(name), text(value)]);
}

/** A string literal (RFC 7541 §5.2). */
function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([integer(bytes.length, 7), bytes]);
}

/** RFC 7541 §5.1, with the bits before the prefix zero. */
function integer(value: number, prefix: number): Buffer {
  const most = 2 ** prefix - 1;
  if (value < most) return Buffer.from([value]);
  const bytes = [most];
  let rest = value - most;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push(128 + (rest % 128));
  return Buffer.from([...bytes, rest]);
}

/** Statuses of the static table, by index (RFC 7541 appendix A). */
const INDEXED: Readonly<Record<number, number>> = { 8: 200, 9: 204, 10: 206, 11: 304, 12: 400, 13: 404, 14: 500 };
/** Huffman codes of the digits, 0 to 9 (RFC 7541 appendix B). */
const DIGITS = ['00000', '00001', '00010', '011001', '011010', '011011', '011100', '011101', '011110', '011111'];

/** Reads `:status`, the first field of a response. The dynamic table is empty, because this client allows none. */
function statusIn(block: Buffer): number {
  // A size update of the dynamic table (RFC 7541 §6.3) may come before it.
  let at = 0;
  while (((block[at] ?? 0) & 0xe0) === 0x20) at++;
  const first = block.readUInt8(at);
  if (first >= 0x80) return INDEXED[first - 0x80] ?? 0;
  const length = block.readUInt8(at + 1);
  const value = block.subarray(at + 2, at + 2 + (length & 0x7f));
  if (length < 0x80) return Number(value.toString());
  let bits = [...value].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  let digits = '';
  while (digits.length < 3) {
    const digit = DIGITS.findIndex((code) => bits.startsWith(code));
    if (digit < 0) return 0;
    digits += digit;
    bits = bits.slice(DIGITS[digit]?.length);
  }
  return Number(digits);
}
