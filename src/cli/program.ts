import { Command, CommanderError } from 'commander';
import { version } from '../version.ts';
import { addClientCommands } from './client-commands.ts';
import { addCompletion } from './completion/completion-command.ts';
import { EXIT, type ExitCode } from './errors/exit-codes.ts';
import { failureOf } from './errors/failure.ts';
import { addHelp } from './help/add-help.ts';
import { exitCodeLines } from './help/exit-code-lines.ts';
import { ignoreClosedPipe } from './output/closed-pipe.ts';
import { printable } from './output/printable.ts';

/** Runs the `lockkeeper` command. Returns the exit code, one of EXIT_CODES. */
export async function run(args: readonly string[]): Promise<ExitCode> {
  const program = createProgram();
  // The server's log writes to standard output itself.
  if (args[0] !== 'serve') ignoreClosedPipe();
  await addServer(program, args);
  addHelp(program);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    const failure = await failureOf(error);
    if (failure === undefined) throw error;
    if (failure.text !== '') process.stderr.write(`lockkeeper: ${printable(failure.text)}\n`);
    return failure.exitCode;
  }
}

/** Server code is loaded on demand, because it costs time and memory that the supervisor does not need. */
async function addServer(program: Command, [name = '', below = '']: readonly string[]): Promise<void> {
  const known = program.commands.find((command) => command.name() === name);
  // Some groups have commands of both kinds: `state pull` asks a server, `state export` opens the databases.
  const isShared = known !== undefined && SHARED_GROUPS.includes(name);
  const isKnown = isShared ? known.commands.some((command) => command.name() === below) : known !== undefined;
  const isLight = name === '--version' || isKnown;
  if (name === 'serve') (await import('./installation/serve-command.ts')).addServe(program);
  else if (name === 'status') (await import('./installation/status-command.ts')).addStatus(program);
  else if (!isLight) (await import('./server-commands.ts')).addServerCommands(program);
}

/** Returns all commands, for completion and the reference page. */
export async function wholeProgram(): Promise<Command> {
  const program = createProgram();
  const { addServerCommands } = await import('./server-commands.ts');
  addServerCommands(program);
  addHelp(program);
  return program;
}

/** Groups with commands of the client and of the server. */
const SHARED_GROUPS: readonly string[] = ['state', 'user'];

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
