import { Argument, type Command } from 'commander';
import { outlineOf } from './command-outline.ts';
import { completionScript, SHELLS, type Shell } from './shell-scripts.ts';

/** Command `lockkeeper completion`. */
export function addCompletion(program: Command, wholeProgram: () => Promise<Command>): void {
  program
    .command('completion')
    .description('Print a shell completion script')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText('after', '\nFor bash: eval "$(lockkeeper completion bash)"')
    .action(async (shell: Shell) => {
      process.stdout.write(completionScript(shell, outlineOf(await wholeProgram())));
    });
}
