import type { Command } from 'commander';
import { GROUPS, helpOf, OTHER } from './groups.ts';

/** Adds examples and the guide to each command, and sorts the commands of the program into groups. */
export function addHelp(program: Command): void {
  // The group of `help`, which commander adds itself.
  program.commandsGroup(`${OTHER}:`).helpCommand('help [command]', 'Show the help of a command');
  (program.commands as Command[]).sort((one, other) => placeOf(one) - placeOf(other));
  for (const command of program.commands) {
    command.helpGroup(`${GROUPS[placeOf(command)]?.title ?? OTHER}:`);
    addTo(command, command.name());
  }
}

/** Position of the command's group. Commands without a group come last. */
function placeOf(command: Command): number {
  const place = GROUPS.findIndex(({ commands }) => commands.includes(command.name()));
  return place < 0 ? GROUPS.length : place;
}

function addTo(command: Command, path: string): void {
  // The text is made when it is printed, so that the start of a command does not pay for it.
  command.addHelpText('after', () => textOf(path));
  for (const one of command.commands) addTo(one, `${path} ${one.name()}`);
}

function textOf(path: string): string {
  const { examples, guide } = helpOf(path);
  const lines = examples.length === 0 ? [] : ['', 'Examples:', ...examples.map((example) => `  ${example}`)];
  return [...lines, ...(guide === undefined ? [] : ['', `Guide: docs/${guide}`])].join('\n');
}
