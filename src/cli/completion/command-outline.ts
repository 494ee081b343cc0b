import type { Command } from 'commander';

/** A word that can come next, and what it is. */
export interface Word {
  readonly name: string;
  readonly description: string;
}

export interface OutlineOption extends Word {
  /** What may follow it; empty for anything. */
  readonly choices: readonly string[];
  readonly takesValue: boolean;
}

/** What may be written after a command. */
export interface Place {
  /** `workspace list`; empty for the program itself. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly OutlineOption[];
}

/** The program and every command below it, as the definitions of the commands say. */
export function outlineOf(program: Command): Place[] {
  return placesOf(program, '');
}

function placesOf(command: Command, path: string): Place[] {
  const commands = command.commands.map((one) => ({ name: one.name(), description: one.description() }));
  const help = { name: '--help', description: 'show the help', choices: [], takesValue: false };
  const options = command.options.map(({ long, short, description, argChoices = [], required, optional }) => ({
    name: long ?? short ?? '',
    description,
    choices: argChoices,
    takesValue: required || optional,
  }));
  const below = command.commands.flatMap((one) => placesOf(one, `${path} ${one.name()}`.trim()));
  return [{ path, commands, options: [...options, help] }, ...below];
}
