import type { Command } from './isolation.ts';

/** @limit files that an engine and what it starts may have open, files each -> it gets an error */
const MAX_OPEN_FILES = 65_536;

/** No core dumps: secrets stand in them. As many files as the machine allows. */
const LIMITS = `ulimit -c 0; ulimit -n ${MAX_OPEN_FILES} 2>/dev/null;`;

/** The command, started by a shell that bounds it and is replaced by it. */
export function withLimits(program: string, { args, isMerged }: Command): string[] {
  return ['/bin/sh', '-c', `${LIMITS} exec "$0" "$@"${isMerged ? ' 2>&1' : ''}`, program, ...args];
}

/** Whether that is the command line of a process that is still to become the command. */
export const isBounding = (commandLine: string): boolean => commandLine.includes(LIMITS);
