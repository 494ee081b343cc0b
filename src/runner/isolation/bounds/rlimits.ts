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
    // Memory that a process can write to, KiB; blocks of 512 bytes of one file.
    `-d ${bounds.memory * 1024}`,
    `-f ${bounds.disk * 2048}`,
    // The second name is that of dash.
    ...(isOwnUser ? [`-u ${bounds.processes}`, `-p ${bounds.processes}`] : []),
  ].map((limit) => `ulimit ${limit} 2>/dev/null;`);
  return [
    ...['/bin/sh', '-c', `${FIRST} ${limits.join(' ')} exec "$0" "$@"${isMerged ? ' 2>&1' : ''}`],
    ...[program, ...args],
  ];
}

/** Whether that is the command line of a process that is still to become the command. */
export const isBounding = (commandLine: string): boolean => commandLine.includes(FIRST);
