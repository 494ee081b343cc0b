import type { Command } from 'commander';
import { withConnection } from '../../connection/connection.ts';
import { addRunApproval } from './approval.ts';
import type { StartOptions } from './start.ts';
import { type OrganizationOptions, WORKSPACE_ARGUMENT, withOrganization } from '../workspace-requests.ts';

/** Command `lockkeeper run`: starts, follows and approves runs on the server. */
export function addRun(program: Command): void {
  const run = program.command('run').description('Start, follow and approve runs');
  const start = run
    .command('start')
    .description('Start a run, follow its log, and ask before the apply')
    .argument(...WORKSPACE_ARGUMENT)
    .option('--vcs-ref <ref>', 'fetch a branch, tag or commit of the repository first; HEAD: the newest commit')
    .option('--message <text>', 'message of the run')
    .option('--destroy', 'plan the destruction of all resources')
    .option('--plan-only', 'plan only, without an apply')
    .option('--auto-approve', 'apply without confirmation');
  withConnection(withOrganization(start)).action(async (named: string, options: StartOptions) => {
    await (await import('./start.ts')).start(named, options);
  });
  const follow = run
    .command('follow')
    .description('Follow the log of a run, and ask before the apply')
    .argument('<run>', 'ID of the run');
  withConnection(follow).action(async (id: string, options: OrganizationOptions) => {
    await (await import('./start.ts')).follow(id, options);
  });
  addRunApproval(run);
}
