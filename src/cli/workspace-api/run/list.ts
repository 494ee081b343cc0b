import type { Command } from 'commander';
import { ask, withConnection } from '../../connection/connection.ts';
import { type OrganizationOptions, organizationOf, withOrganization } from '../../connection/organization.ts';
import { usageError } from '../../errors/command-error.ts';
import { type OutputOptions, print, withOutput } from '../../output/output.ts';
import { linkedId, type Resource } from '../resource.ts';
import { type CountOptions, countOption } from '../vcs/shown.ts';
import { organizationPath, workspaceOf } from '../workspace-requests.ts';
import { rowOf } from './runs.ts';
import { STATUSES } from './statuses.ts';

interface ListOptions extends OrganizationOptions, OutputOptions, CountOptions {
  readonly status?: string;
}

/** Command `lockkeeper run list`. */
export function addRunList(run: Command): void {
  const command = run
    .command('list')
    .description('List the newest runs of a workspace, or of an organization')
    .argument('[workspace]', 'workspace ID, name, or ORGANIZATION/NAME (default: all of the organization)')
    .option('--status <names>', 'only runs with these statuses, separated by commas: planned,errored')
    .addOption(countOption(20, 100));
  withOutput(withConnection(withOrganization(command))).action(list);
}

async function list(named: string | undefined, options: ListOptions): Promise<void> {
  const { status, count } = options;
  const unknown = status?.split(',').find((name) => !STATUSES.includes(name));
  if (unknown !== undefined) {
    throw usageError(`there is no status ${unknown}. Statuses: ${STATUSES.join(', ')}`);
  }
  const query = new URLSearchParams({
    ...{ 'page[size]': String(count), include: 'workspace' },
    ...(status !== undefined && { 'filter[status]': status }),
  });
  const place =
    named === undefined
      ? organizationPath(organizationOf(options))
      : `/api/v2/workspaces/${(await workspaceOf(named, options)).id}`;
  const { body } = await ask(options, 'workspaces', 'GET', `${place}/runs?${query}`);
  const { data, included = [] } = body as {
    readonly data: readonly Resource[];
    readonly included?: readonly Resource[];
  };
  const names = new Map(included.map(({ id, attributes }) => [id, attributes.name]));
  const brief = data.map((run) => ({
    ...(named === undefined && { workspace: names.get(linkedId(run.relationships?.workspace) ?? '') }),
    ...rowOf(run),
  }));
  if (data.length === 0) process.stderr.write('no runs\n');
  await print({ whole: { data }, brief }, options);
}
