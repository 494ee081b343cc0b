import { Command } from '../command.ts';

/** Runs a command in a terminal of its own. Text written to its input is typed; `stdout` contains both outputs. */
export function inTerminal(args: readonly string[], environment: Readonly<Record<string, string>>): Command {
  // `script` takes the command as one text.
  const within = ['sh', '-c', 'exec script -qec "$*" /dev/null', 'sh'];
  return new Command(args, { ...environment, NO_COLOR: '1' }, undefined, within);
}
