import type { Command } from 'commander';

/** Returns the group of commands with this name: commands of the client and of the server share some groups. */
export function groupIn(program: Command, name: string): Command {
  const found = program.commands.find((command) => command.name() === name);
  if (found === undefined) throw new Error(`there is no group ${name}`);
  return found;
}
