import { type Command, Option } from 'commander';
import { ask, withConnection } from '../../connection/connection.ts';
import { withOrganization } from '../../connection/organization.ts';
import { usageError } from '../../errors/command-error.ts';
import { type OutputOptions, print, withOutput } from '../../output/output.ts';
import { OWNER_ARGUMENT, type OwnerOptions, schedulesPath, shownSchedule, withProject } from './owner.ts';

interface CreateOptions extends OwnerOptions, OutputOptions {
  readonly name: string;
  readonly operation: string;
  readonly cron: string;
  readonly timeZone: string;
  readonly jitter: string;
  readonly whenBusy: string;
}

/** Command `lockkeeper schedule create`. The server checks the values, so that its messages are the only ones. */
export function addCreate(schedule: Command): void {
  const command = schedule
    .command('create')
    .description('Create a schedule of a workspace or a project')
    .argument(...OWNER_ARGUMENT)
    .requiredOption('--name <name>', 'name of the schedule')
    .requiredOption('--cron <expression>', 'minute, hour, day of the month, month, day of the week: "30 2 * * 1-5"')
    .addOption(
      new Option('--operation <operation>', 'what it does')
        .choices(['plan', 'apply', 'refresh', 'drift'])
        .makeOptionMandatory(),
    )
    .option('--time-zone <name>', 'IANA time zone of the expression', 'UTC')
    .option('--jitter <seconds>', 'longest delay; each workspace has its own', '0')
    .addOption(new Option('--when-busy <action>', 'in a busy workspace').choices(['skip', 'queue']).default('skip'));
  withOutput(withConnection(withOrganization(withProject(command)))).action(create);
}

async function create(workspace: string | undefined, options: CreateOptions): Promise<void> {
  const { name, operation, cron, timeZone, jitter, whenBusy } = options;
  if (!/^\d{1,9}$/.test(jitter)) throw usageError(`--jitter ${jitter}: expected a number of seconds`);
  const attributes = {
    ...{ name, operation, cron, 'time-zone': timeZone, jitter: Number(jitter), 'when-busy': whenBusy },
  };
  const path = await schedulesPath(workspace, options);
  const { body } = await ask(options, 'workspaces', 'POST', path, { data: { type: 'schedules', attributes } });
  await print(shownSchedule(body, options), options);
}
