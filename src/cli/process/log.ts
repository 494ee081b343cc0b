import { destination, type Logger, pino } from 'pino';

export interface Log {
  readonly logger: Logger;
  /** Flushes buffered lines. Nothing is logged afterwards. */
  flush(): void;
}

/**
 * Buffering time of a log line, milliseconds. Lines share a write, because each write is a round trip to another
 * thread.
 * @limit time for which a log line is buffered, ms -> the line is written
 */
const HELD_MS = 20;
/** @limit buffered log lines, characters -> the lines are written */
const MAX_HELD = 65_536;

/** Writes JSON lines to a file or standard output on another thread, so that the serving thread never waits. */
export function openLog(level: string, file?: string): Log {
  const target = destination({ dest: file ?? 1, append: true, mkdir: true, sync: false });
  let held = '';
  let timer: NodeJS.Timeout | undefined;
  const pass = () => {
    clearTimeout(timer);
    timer = undefined;
    if (held === '') return;
    const lines = held;
    held = '';
    target.write(lines);
  };
  const write = (line: string) => {
    held += line;
    if (held.length > MAX_HELD) pass();
    else timer ??= setTimeout(pass, HELD_MS);
  };
  const flush = () => {
    pass();
    target.flushSync();
  };
  // Flushes at every kind of exit.
  process.prependOnceListener('exit', pass);
  return { logger: pino({ level }, { write }), flush };
}
