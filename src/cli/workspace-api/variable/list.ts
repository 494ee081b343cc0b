import type { Command } from 'commander';
import { withConnection } from '../../connection/connection.ts';
import { type OrganizationOptions, withOrganization } from '../../connection/organization.ts';
import { type OutputOptions, print, withOutput } from '../../output/output.ts';
import { WORKSPACE_ARGUMENT } from '../workspace-requests.ts';
import { rowOf, variablesAt, variablesPath } from './requests.ts';

/** Command `lockkeeper variable list`. */
export function addVariableList(variable: Command): void {
  const command = variable
    .command('list')
    .description('List the variables of a workspace; sensitive values are never shown')
    .argument(...WORKSPACE_ARGUMENT);
  withOutput(withConnection(withOrganization(command))).action(list);
}

async function list(named: string, options: OrganizationOptions & OutputOptions): Promise<void> {
  const found = await variablesAt(await variablesPath(named, options), options);
  await print({ whole: { data: found }, brief: found.map(rowOf) }, options);
}
