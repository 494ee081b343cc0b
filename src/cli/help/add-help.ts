import type { Command } from 'commander';
import { GROUPS, helpOf } from './groups.ts';

/** Adds examples and the guide to each command, and sorts the commands of the program into groups. */
export function addHelp(program: Command): void {
  for (const command of program.commands) {
    const group = GROUPS.find(({ commands }) => commands.includes(command.name()));
    if (group) command.helpGroup(`${group.title}:`);
    addTo(command, command.name());
  }
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
