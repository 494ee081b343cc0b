import type { Command } from 'commander';
import { ask, withConnection } from '../../connection/connection.ts';
import { withOrganization } from '../../connection/organization.ts';
import { usageError } from '../../errors/command-error.ts';
import { type OutputOptions, print, withOutput } from '../../output/output.ts';
import { allPages } from '../pages.ts';
import { dataOf } from '../workspace-requests.ts';
import { addCreate } from './create.ts';
import {
  notificationPath,
  notificationsPath,
  rowOf,
  SCOPE_ARGUMENT,
  type ScopeOptions,
  shown,
  withScope,
} from './scope.ts';

/** Command `lockkeeper notification`: messages about runs to URLs and mailboxes. */
export function addNotification(program: Command): void {
  const notification = program
    .command('notification')
    .description('Send messages about runs to a webhook, Slack, Microsoft Teams or mailboxes');
  addList(notification);
  addCreate(notification);
  addVerify(notification);
  addRemove(notification);
}

function addList(notification: Command): void {
  const command = notification
    .command('list')
    .description('List the notifications of a workspace, a project, a team or the organization')
    .argument(...SCOPE_ARGUMENT)
    .option('--inherited', 'those of the project, the teams and the organization of the workspace');
  withOutput(withConnection(withOrganization(withScope(command)))).action(list);
}

async function list(
  workspace: string | undefined,
  options: ScopeOptions & OutputOptions & { readonly inherited?: boolean },
): Promise<void> {
  if (options.inherited && workspace === undefined) throw usageError('Name the workspace whose notifications to list');
  const path = await notificationsPath(workspace, options);
  const found = options.inherited
    ? ((await ask(options, 'workspaces', 'GET', path.replace(/[^/]+$/, 'inherited-$&'))).body as { data: never[] }).data
    : await allPages(options, path);
  await print({ whole: { data: found }, brief: found.map(rowOf) }, options);
}

function addVerify(notification: Command): void {
  const command = notification
    .command('verify')
    .description('Send a test message')
    .argument('<notification>', 'ID of the notification');
  withOutput(withConnection(command)).action(verify);
}

async function verify(id: string, options: ScopeOptions & OutputOptions): Promise<void> {
  const { body } = await ask(options, 'workspaces', 'POST', `${notificationPath(id)}/actions/verify`);
  const [last] = dataOf(body).attributes['delivery-responses'] as readonly Readonly<Record<string, unknown>>[];
  const { whole, brief } = shown(body, options);
  await print({ whole, brief: { ...(brief as object), code: last?.code, response: last?.body } }, options);
}

function addRemove(notification: Command): void {
  const command = notification
    .command('delete')
    .description('Delete a notification with its unsent messages')
    .argument('<notification>', 'ID of the notification');
  withConnection(command).action(async (id: string, options: ScopeOptions) => {
    await ask(options, 'workspaces', 'DELETE', notificationPath(id));
    process.stdout.write(`Deleted ${id}\n`);
  });
}
