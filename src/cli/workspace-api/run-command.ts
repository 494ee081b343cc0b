import type { Command } from 'commander';
import { withConnection } from '../connection/connection.ts';
import type { StartOptions } from './run-start.ts';
import { type OrganizationOptions, WORKSPACE_ARGUMENT, withOrganization } from './workspace-requests.ts';

/** `lockkeeper run`: runs that a server carries out, followed from here. */
export function addRun(program: Command): void {
  const run = program.command('run').description('runs, as the server carries them out');
  const start = run
    .command('start')
    .description('start a run of a workspace, follow its log, and ask before it is applied')
    .argument(...WORKSPACE_ARGUMENT)
    .option('--message <text>', 'why, for others to read')
    .option('--destroy', 'plan to destroy everything')
    .option('--plan-only', 'plan, and apply nothing')
    .option('--auto-approve', 'apply without asking');
  withConnection(withOrganization(start)).action(async (named: string, options: StartOptions) => {
    await (await import('./run-start.ts')).start(named, options);
  });
  const follow = run
    .command('follow')
    .description('follow the log of a run, and ask before it is applied')
    .argument('<run>', 'its id');
  withConnection(follow).action(async (id: string, options: OrganizationOptions) => {
    await (await import('./run-start.ts')).follow(id, options);
  });
}
