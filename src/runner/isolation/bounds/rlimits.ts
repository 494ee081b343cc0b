import type { JobBounds } from '../../../lib/engines/job-bounds.ts';
import type { Command } from '../isolation.ts';

/** By it a process is known that is still to become the command. No core dumps: secrets are in them. */
const FIRST = 'ulimit -c 0;';

/**
 * The command, started by a shell that bounds it and is replaced by it. The kernel bounds single processes so; where a hard limit of
 * the machine is lower, that holds.
 * @param isOwnUser whether processes of the machine do not count as those of its user: only in a user namespace
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
