import type { Command } from 'commander';

/** A possible next word, with its description. */
export interface Word {
  readonly name: string;
  readonly description: string;
}

export interface OutlineOption extends Word {
  /** Allowed values. Empty: any value. */
  readonly choices: readonly string[];
  readonly takesValue: boolean;
}

/** Options and subcommands of a command. */
export interface Place {
  /** Command path such as `workspace list`. Empty for the program itself. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly OutlineOption[];
}

/** Returns the outline of the program and all its commands, from the command definitions. */
export function outlineOf(program: Command): Place[] {
  return placesOf(program, '');
}

function placesOf(command: Command, path: string): Place[] {
  const commands = command.commands.map((one) => ({ name: one.name(), description: one.description() }));
  const help = { name: '--help', description: 'Show help', choices: [], takesValue: false };
  const options = command.options.map(({ long, short, description, argChoices = [], required, optional }) => ({
    name: long ?? short ?? '',
    description,
    choices: argChoices,
    takesValue: required || optional,
  }));
  const below = command.commands.flatMap((one) => placesOf(one, `${path} ${one.name()}`.trim()));
  return [{ path, commands, options: [...options, help] }, ...below];
}
