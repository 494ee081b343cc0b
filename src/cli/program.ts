import { Command, CommanderError } from 'commander';
import { version } from '../version.ts';
import { addClientCommands } from './client-commands.ts';
import { addCompletion } from './completion/completion-command.ts';
import { CommandError } from './errors/command-error.ts';
import { EXIT, EXIT_CODES, type ExitCode } from './errors/exit-codes.ts';
import { ignoreClosedPipe } from './output/closed-pipe.ts';

/** Runs the `lockkeeper` command. Returns the exit code, one of EXIT_CODES. */
export async function run(args: readonly string[]): Promise<ExitCode> {
  const program = createProgram();
  // The server's log writes to standard output itself.
  if (args[0] !== 'serve') ignoreClosedPipe();
  await addServer(program, args[0]);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (error instanceof CommandError) return complain(error, error.exitCode);
    const { isOperatorError, operatorText } = await import('./operator-errors.ts');
    if (isOperatorError(error)) return complain(error, EXIT.failed, operatorText(error));
    throw error;
  }
}

/** Server code is loaded on demand, because it costs time and memory that the supervisor does not need. */
async function addServer(program: Command, name = ''): Promise<void> {
  const isLight = name === '--version' || program.commands.some((command) => command.name() === name);
  if (name === 'serve') (await import('./installation/serve-command.ts')).addServe(program);
  else if (name === 'status') (await import('./installation/status-command.ts')).addStatus(program);
  else if (!isLight) (await import('./server-commands.ts')).addServerCommands(program);
}

/** Returns all commands, for completion and the reference page. */
export async function wholeProgram(): Promise<Command> {
  const program = createProgram();
  const { addServerCommands } = await import('./server-commands.ts');
  addServerCommands(program);
  return program;
}

function createProgram(): Command {
  const program = new Command('lockkeeper')
    .description('Certificate authentication for machines, and infrastructure workspaces for OpenTofu and Terraform.')
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

function complain({ message }: Error, code: ExitCode, text = message): ExitCode {
  if (text !== '') process.stderr.write(`lockkeeper: ${text}\n`);
  return code;
}
