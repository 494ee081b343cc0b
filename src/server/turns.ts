/**
 * Milliseconds that requests which had to wait may take of one turn of the event loop, all together.
 * @limit requests of HTTP/2 that had to wait, in one turn of the event loop, ms -> the next turn
 */
const TURN_MS = 2;

/**
 * One request of an HTTP/2 connection begins in each turn of the event loop. A packet holds a hundred of them, and Node begins
 * them all at once; here the connections take turns, and what was taken back meanwhile never begins.
 */
export class Turns {
  /** By connection, the one that has waited longest first: what is to begin. Empty when something began in this turn. */
  readonly #lines = new Map<object, (() => void)[]>();

  /** Runs the first request of a connection at once, and those behind it in turns to come. */
  take(connection: object, begin: () => void): void {
    const line = this.#lines.get(connection);
    if (line) return void line.push(begin);
    if (this.#lines.size === 0) setImmediate(() => this.#next());
    this.#lines.set(connection, []);
    begin();
  }

  #next(): void {
    const end = performance.now() + TURN_MS;
    for (const [connection, line] of [...this.#lines]) {
      this.#lines.delete(connection);
      const begin = line.shift();
      if (!begin) continue;
      this.#lines.set(connection, line);
      begin();
      if (performance.now() >= end) break;
    }
    if (this.#lines.size > 0) setImmediate(() => this.#next());
  }
}
