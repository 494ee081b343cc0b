import { destination, type Logger, pino } from 'pino';

export interface Log {
  readonly logger: Logger;
  /** Writes what is still held; nothing is logged after it. */
  flush(): void;
}

/**
 * How long a line is held for others to share its write, milliseconds. A write is a trip to another thread and back, which
 * costs many times what a line does.
 * @limit the time for which a line of the log is held, ms -> it is written
 */
const HELD_MS = 20;
/** @limit lines of the log that are held, characters -> they are written */
const MAX_HELD = 65_536;

/** JSON lines to a file or to standard output, written behind the back of the thread that serves requests. */
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
  // However the process ends.
  process.prependOnceListener('exit', pass);
  return { logger: pino({ level }, { write }), flush };
}
