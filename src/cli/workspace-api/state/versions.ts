import type { OrganizationOptions } from '../../connection/organization.ts';
import { CommandError } from '../../errors/command-error.ts';
import { EXIT } from '../../errors/exit-codes.ts';
import { allPages } from '../pages.ts';
import { linkedId, type Resource } from '../resource.ts';
import { workspaceOf } from '../workspace-requests.ts';

/** Returns the state versions of a workspace, newest first. */
export async function versionsOf(workspace: Resource, options: OrganizationOptions): Promise<readonly Resource[]> {
  const organization = linkedId(workspace.relationships?.organization) ?? '';
  return allPages(options, '/api/v2/state-versions', {
    'filter[organization][name]': organization,
    'filter[workspace][name]': String(workspace.attributes.name),
  });
}

/** Returns a state version by serial or ID. @throws CommandError if there is none, or the serial is not unique */
export async function versionOf(named: string, wanted: string, options: OrganizationOptions) {
  const workspace = await workspaceOf(named, options);
  const found = (await versionsOf(workspace, options)).filter(
    ({ id, attributes }) => id === wanted || String(attributes.serial) === wanted,
  );
  const [version, other] = found;
  if (other !== undefined) {
    throw new CommandError(`${found.length} states have the serial ${wanted}: use an ID of \`lockkeeper state list\``);
  }
  if (version !== undefined) return { workspace, version };
  throw new CommandError(`${named} has no state ${wanted}; \`lockkeeper state list\` lists them`, EXIT.notFound);
}

/** Fields that the table shows. */
export function rowOf({ id, attributes, relationships }: Resource): Record<string, unknown> {
  return {
    ...{ serial: attributes.serial, id, 'created-at': attributes['created-at'], size: attributes.size },
    ...{
      status: attributes.status,
      'terraform-version': attributes['terraform-version'],
      run: linkedId(relationships?.run),
    },
  };
}
