import type { Command } from 'commander';
import { ask, withConnection } from '../connection/connection.ts';
import { type OrganizationOptions, organizationOf, withOrganization } from '../connection/organization.ts';
import { usageError } from '../errors/command-error.ts';
import { type OutputOptions, print, withOutput } from '../output/output.ts';
import { allPages } from './pages.ts';

interface ExplorerOptions extends OrganizationOptions, OutputOptions {
  readonly filter: readonly string[];
  readonly fields?: string;
  readonly sort?: string;
  readonly csv?: boolean;
}

/** Columns of the table for each view type. Programs get all fields with `--format json`. */
const BRIEF: Readonly<Record<string, string>> = {
  workspaces: 'workspace_name,project_name,current_run_status,drifted,workspace_terraform_version,days_since_apply',
  tf_versions: 'engine,version,workspace_count',
  providers: 'source,version,workspace_count',
  modules: 'name,source,version,workspace_count',
  resource_types: 'resource_type,provider,instance_count,workspace_count',
};

/** Command `lockkeeper explorer`: queries all workspaces of an organization. */
export function addExplorer(program: Command): void {
  const command = program
    .command('explorer')
    .description('Query all workspaces of an organization')
    .argument('<type>', Object.keys(BRIEF).join(', '))
    .option(
      '--filter <condition>',
      'FIELD OPERATOR VALUE, such as "days_since_apply gteq 30"; may be repeated, and all of them must hold',
      (one: string, others: readonly string[]) => [...others, one],
      [] as readonly string[],
    )
    .option('--fields <names>', 'fields of the rows, separated by commas')
    .option('--sort <fields>', 'fields to sort by, separated by commas; a hyphen before a name reverses the order')
    .option('--csv', 'print all rows as CSV');
  withOutput(withConnection(withOrganization(command))).action(query);
}

async function query(type: string, options: ExplorerOptions): Promise<void> {
  const path = `/api/v2/organizations/${encodeURIComponent(organizationOf(options))}/explorer`;
  const isTable = options.csv !== true && options.format === 'table' && options.field === undefined;
  const fields = options.fields ?? (isTable ? BRIEF[type] : undefined);
  const parameters = {
    type,
    ...Object.fromEntries(options.filter.map(filterOf)),
    ...(options.sort !== undefined && { sort: options.sort }),
    ...(fields !== undefined && { fields }),
  };
  if (options.csv === true) {
    const answer = await ask(options, 'workspaces', 'GET', `${path}/export/csv?${new URLSearchParams(parameters)}`);
    process.stdout.write(String(answer.body));
    return;
  }
  const rows = await allPages(options, path, parameters);
  await print({ whole: { data: rows }, brief: rows.map(({ attributes }) => attributes) }, options);
}

/** Returns the query parameter of a condition. @throws CommandError for text without an operator */
function filterOf(condition: string, index: number): [name: string, value: string] {
  const [, field, operator, value = ''] = /^\s*(\w+)\s+(\w+)(?:\s+(.*))?$/.exec(condition) ?? [];
  if (field === undefined) throw usageError(`--filter "${condition}": expected FIELD OPERATOR VALUE`);
  return [`filter[${index}][${field}][${operator}][0]`, value];
}
