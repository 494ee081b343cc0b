import { destination, type Logger, pino } from 'pino';

export interface Log {
  readonly logger: Logger;
  /** Writes what is still held; nothing is logged after it. */
  flush(): void;
}

/** JSON lines to a file or to standard output, written behind the back of the thread that serves requests. */
export function openLog(level: string, file?: string): Log {
  const target = destination({ dest: file ?? 1, append: true, mkdir: true, sync: false });
  return { logger: pino({ level }, target), flush: () => target.flushSync() };
}
