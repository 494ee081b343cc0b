import type { Command } from 'commander';
import { ask, withConnection } from '../../connection/connection.ts';
import { type OrganizationOptions, organizationOf, withOrganization } from '../../connection/organization.ts';
import { type OutputOptions, print, withOutput } from '../../output/output.ts';
import { allPages } from '../pages.ts';
import type { Resource } from '../resource.ts';
import { dataOf, organizationPath, projectIdOf } from '../workspace-requests.ts';

type Options = OrganizationOptions & OutputOptions;

/** Command `lockkeeper project`: projects of an organization. */
export function addProject(program: Command): void {
  const project = program.command('project').description('List and show projects');
  withOutput(withConnection(withOrganization(project.command('list'))))
    .description('List the projects of an organization')
    .option('--search <text>', 'only projects whose name contains this text')
    .action(list);
  withOutput(withConnection(withOrganization(project.command('show'))))
    .description('Show a project and the defaults of its workspaces')
    .argument('<project>', 'project ID, name, or ORGANIZATION/NAME')
    .action(show);
}

async function list(options: Options & { readonly search?: string }): Promise<void> {
  const query: Record<string, string> = options.search === undefined ? {} : { q: options.search };
  const found = await allPages(options, `${organizationPath(organizationOf(options))}/projects`, query);
  await print({ whole: { data: found }, brief: found.map(rowOf) }, options);
}

async function show(named: string, options: Options): Promise<void> {
  const { body } = await ask(options, 'workspaces', 'GET', `/api/v2/projects/${await projectIdOf(named, options)}`);
  const { attributes } = dataOf(body);
  const brief = {
    ...rowOf(dataOf(body)),
    'default-execution-mode': attributes['default-execution-mode'],
    'auto-destroy-activity-duration': attributes['auto-destroy-activity-duration'],
    'created-at': attributes['created-at'],
  };
  await print({ whole: body, brief: options.field === undefined ? brief : { ...attributes, ...brief } }, options);
}

function rowOf({ id, attributes }: Resource): Record<string, unknown> {
  return {
    ...{ name: attributes.name, id, workspaces: attributes['workspace-count'], teams: attributes['team-count'] },
    description: attributes.description,
  };
}
