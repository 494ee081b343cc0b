import type { Command } from 'commander';

/** Command `lockkeeper policy`: policy files of the access API. It needs no server. */
export function addPolicy(program: Command): void {
  const policy = program.command('policy').description('Format and check policy files of the access API');
  policy
    .command('fmt')
    .description('Format policy files, and print the names of those that changed')
    .argument('<files...>', 'policy files, or - for standard input, which prints the result')
    .option('--check', 'change nothing; exit code 1 if a file is not formatted')
    .action(async (files: readonly string[], options: { readonly check?: true }) => {
      await (await import('./policy-files.ts')).formatFiles(files, options);
    });
  policy
    .command('check')
    .description('Check policy files, and print faults and warnings with their positions')
    .argument('<files...>', 'policy files, or - for standard input')
    .action(async (files: readonly string[]) => {
      await (await import('./policy-files.ts')).checkFiles(files);
    });
}
