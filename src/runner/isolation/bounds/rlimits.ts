import type { JobBounds } from '../../../lib/job/bounds.ts';
import type { Command } from '../isolation.ts';

/** Disables core dumps, which would contain secrets. Also identifies a shell that has not executed the command yet. */
const FIRST = 'ulimit -c 0;';

/**
 * Returns a command line for a shell that sets resource limits (`ulimit`) and then executes the command. The limits
 * hold for each process. A lower hard limit of the machine takes precedence.
 * @param isOwnUser whether other processes of the machine do not count towards its user's limit: only in a user
 * namespace
 */
export function withLimits(
  program: string,
  { args, isMerged }: Command,
  bounds: JobBounds,
  isOwnUser: boolean,
): string[] {
  const limits = [
    `-n ${bounds.files}`,
    // `-d` limits the data segment of a process, in KiB; `-f` the size of one file, in blocks of 512 bytes.
    `-d ${bounds.memory * 1024}`,
    `-f ${bounds.disk * 2048}`,
    // The option `-u` (processes) of bash is `-p` in dash.
    ...(isOwnUser ? [`-u ${bounds.processes}`, `-p ${bounds.processes}`] : []),
  ].map((limit) => `ulimit ${limit} 2>/dev/null;`);
  return [
    ...['/bin/sh', '-c', `${FIRST} ${limits.join(' ')} exec "$0" "$@"${isMerged ? ' 2>&1' : ''}`],
    ...[program, ...args],
  ];
}

/** Returns whether a command line is that of the shell that has not executed the command yet. */
export const isBounding = (commandLine: string): boolean => commandLine.includes(FIRST);
