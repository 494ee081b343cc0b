import { type Command, Option } from 'commander';
import { ask, withConnection } from '../../connection/connection.ts';
import { type OrganizationOptions, withOrganization } from '../../connection/organization.ts';
import { usageError } from '../../errors/command-error.ts';
import { type OutputOptions, print, withOutput } from '../../output/output.ts';
import { printable } from '../../output/printable.ts';
import { teamIdOf } from '../people/team.ts';
import type { Resource } from '../resource.ts';
import { dataOf, organizationOfName, projectIdOf, workspaceIdOf } from '../workspace-requests.ts';

interface OwnerOptions extends OrganizationOptions, OutputOptions {
  readonly project?: string;
}

interface CreateOptions extends OwnerOptions {
  readonly name: string;
  readonly team: readonly string[];
  readonly approvals: string;
  readonly operations: string;
  readonly requesterMayApprove?: true;
}

/** Command `lockkeeper approval-rule`: which runs need approvals, and from which teams. */
export function addApprovalRule(program: Command): void {
  const rule = program
    .command('approval-rule')
    .description('List, create and delete the rules by which runs need approvals');
  withOutput(withOwner(rule.command('list')))
    .description('List the approval rules of a workspace with those of its project, or of a project')
    .action(list);
  withOutput(withOwner(rule.command('create')))
    .description('Create an approval rule of a workspace or a project')
    .requiredOption('--name <name>', 'name of the rule')
    .requiredOption('--team <teams...>', 'teams whose members may approve')
    .option('--approvals <number>', 'number of different users who must approve', '1')
    .addOption(new Option('--operations <runs>', 'runs that need approvals').choices(['all', 'destroy']).default('all'))
    .option('--requester-may-approve', 'count approvals of the user who started the run')
    .action(create);
  withConnection(rule.command('delete').argument('<rule>', 'ID of the rule, as `approval-rule list` shows it'))
    .description('Delete an approval rule; runs that wait must be confirmed again')
    .action(remove);
}

function withOwner(command: Command): Command {
  return withConnection(withOrganization(command))
    .argument('[workspace]', 'workspace ID, name, or ORGANIZATION/NAME')
    .option('--project <project>', 'ID or name of a project, instead of a workspace');
}

async function rulesPath(workspace: string | undefined, options: OwnerOptions): Promise<string> {
  const { project } = options;
  if ((workspace === undefined) === (project === undefined)) {
    throw usageError('Name either a workspace or a project: lockkeeper approval-rule list NAME, or --project NAME');
  }
  if (project !== undefined) return `/api/v2/projects/${await projectIdOf(project, options)}/approval-rules`;
  return `/api/v2/workspaces/${await workspaceIdOf(workspace ?? '', options)}/approval-rules`;
}

async function list(workspace: string | undefined, options: OwnerOptions): Promise<void> {
  const { body } = await ask(options, 'workspaces', 'GET', await rulesPath(workspace, options));
  const { data } = body as { readonly data: readonly Resource[] };
  await print({ whole: body, brief: data.map(rowOf) }, options);
}

async function create(workspace: string | undefined, options: CreateOptions): Promise<void> {
  const { name, approvals, operations, requesterMayApprove = false } = options;
  if (!/^\d{1,4}$/.test(approvals)) throw usageError(`--approvals ${approvals}: expected a number of users`);
  const path = await rulesPath(workspace, options);
  const inOrganization = { ...options, ...organizationOfName(workspace ?? options.project ?? '') };
  const teams = await Promise.all(options.team.map((team) => teamIdOf(team, inOrganization)));
  const attributes = {
    ...{ name, operations, 'required-approvals': Number(approvals), 'requester-may-approve': requesterMayApprove },
  };
  const relationships = { teams: { data: teams.map((id) => ({ type: 'teams', id })) } };
  const { body } = await ask(options, 'workspaces', 'POST', path, {
    data: { type: 'approval-rules', attributes, relationships },
  });
  const { warning } = dataOf(body).attributes;
  if (warning) process.stderr.write(`warning: ${printable(String(warning))}\n`);
  await print({ whole: body, brief: rowOf(dataOf(body)) }, options);
}

async function remove(id: string, options: OrganizationOptions): Promise<void> {
  await ask(options, 'workspaces', 'DELETE', `/api/v2/approval-rules/${encodeURIComponent(id)}`);
  process.stdout.write(`Deleted the approval rule ${id}\n`);
}

function rowOf({ id, attributes, relationships }: Resource): Record<string, unknown> {
  const teams = attributes.teams as readonly { readonly id: string; readonly name: string | null }[];
  return {
    ...{ name: attributes.name, id, approvals: attributes['required-approvals'] },
    teams: teams.map((team) => team.name ?? team.id).join(', '),
    ...{ operations: attributes.operations, 'requester-may-approve': attributes['requester-may-approve'] },
    of: relationships?.project?.data ? 'project' : 'workspace',
  };
}
