import { Command, CommanderError } from 'commander';
import { version } from '../version.ts';
import { addClientCommands } from './client-commands.ts';
import { addCompletion } from './completion/completion-command.ts';
import { CommandError } from './errors/command-error.ts';
import { EXIT, EXIT_CODES, type ExitCode } from './errors/exit-codes.ts';

/** The `lockkeeper` command. Returns the exit code, one of EXIT_CODES. */
export async function run(args: readonly string[]): Promise<ExitCode> {
  const program = createProgram();
  // The server is loaded only where it is needed: it takes its time.
  const isLight = args[0] === '--version' || program.commands.some((command) => command.name() === args[0]);
  const server = isLight ? undefined : await import('./server-commands.ts');
  server?.addServerCommands(program);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (error instanceof CommandError) return complain(error, error.exitCode);
    if (server?.isOperatorError(error)) return complain(error, EXIT.failed);
    throw error;
  }
}

/** All commands, for the completion and the reference page. */
export async function wholeProgram(): Promise<Command> {
  const program = createProgram();
  const { addServerCommands } = await import('./server-commands.ts');
  addServerCommands(program);
  return program;
}

function createProgram(): Command {
  const program = new Command('lockkeeper')
    .description('Lets machines in by certificate and keeps infrastructure workspaces.')
    .version(version)
    .addHelpText('after', `\nExit codes:\n${exitCodeLines()}`)
    .exitOverride();
  addClientCommands(program);
  addCompletion(program, wholeProgram);
  return program;
}

function exitCodeLines(): string {
  return Object.entries(EXIT_CODES)
    .map(([code, meaning]) => `  ${code}  ${meaning}`)
    .join('\n');
}

function complain(error: Error, code: ExitCode): ExitCode {
  process.stderr.write(`lockkeeper: ${error.message}\n`);
  return code;
}
