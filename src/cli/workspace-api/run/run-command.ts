import { type Command, Option } from 'commander';
import { withConnection } from '../../connection/connection.ts';
import { type OrganizationOptions, withOrganization } from '../../connection/organization.ts';
import { WORKSPACE_ARGUMENT } from '../workspace-requests.ts';
import { addRunApproval } from './approval.ts';
import { addRunDecisions } from './decide.ts';
import { addRunList } from './list.ts';
import { RUN_ARGUMENT, runIdOf } from './runs.ts';
import type { StartOptions } from './start.ts';

/** Command `lockkeeper run`: starts, follows, shows and decides runs on the server. */
export function addRun(program: Command): void {
  const run = program.command('run').description('Start, follow, list, confirm and cancel runs');
  const start = run
    .command('start')
    .description('Start a run, follow its log, show the plan, and ask before the apply')
    .argument(...WORKSPACE_ARGUMENT)
    .option('--vcs-ref <ref>', 'fetch a branch, tag or commit of the repository first; HEAD: the newest commit')
    .addOption(
      new Option(
        '--upload <folder>',
        'upload a folder as the configuration first, without what its .terraformignore leaves out',
      ).conflicts('vcsRef'),
    )
    .option('--message <text>', 'message of the run')
    .option('--destroy', 'plan the destruction of all resources')
    .option('--plan-only', 'plan only, without an apply')
    .option('--auto-approve', 'apply without confirmation');
  withConnection(withOrganization(start)).action(async (named: string, options: StartOptions) => {
    await (await import('./start.ts')).start(named, options);
  });
  const follow = run
    .command('follow')
    .description('Follow the log of a run, show the plan, and ask before the apply')
    .argument(...RUN_ARGUMENT);
  withConnection(withOrganization(follow)).action(async (named: string, options: OrganizationOptions) => {
    await (await import('./start.ts')).follow(await runIdOf(named, options), options);
  });
  addRunList(run);
  addRunApproval(run);
  addRunDecisions(run);
}
