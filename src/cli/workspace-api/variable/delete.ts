import { type Command, Option } from 'commander';
import { ask, withConnection } from '../../connection/connection.ts';
import { type OrganizationOptions, withOrganization } from '../../connection/organization.ts';
import { WORKSPACE_ARGUMENT } from '../workspace-requests.ts';
import { variableIn, variablesAt, variablesPath } from './requests.ts';

interface DeleteOptions extends OrganizationOptions {
  readonly env?: true;
  readonly terraform?: true;
}

/** Command `lockkeeper variable delete`. */
export function addVariableDelete(variable: Command): void {
  const command = variable
    .command('delete')
    .description('Delete a variable of a workspace')
    .argument(...WORKSPACE_ARGUMENT)
    .argument('<name>', 'name of the variable')
    .addOption(new Option('--env', 'the environment variable of this name').conflicts('terraform'))
    .option('--terraform', 'the variable of the configuration');
  withConnection(withOrganization(command)).action(remove);
}

async function remove(named: string, key: string, options: DeleteOptions): Promise<void> {
  const path = await variablesPath(named, options);
  const category = options.env ? 'env' : options.terraform ? 'terraform' : undefined;
  const { id } = variableIn(await variablesAt(path, options), key, category);
  await ask(options, 'workspaces', 'DELETE', `${path}/${id}`);
  process.stdout.write(`Deleted the variable ${key}\n`);
}
