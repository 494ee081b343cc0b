import { type Command, Option } from 'commander';
import { secretText } from '../../../lib/secret/secret-text.ts';
import { ask, withConnection } from '../../connection/connection.ts';
import { withOrganization } from '../../connection/organization.ts';
import { readSource } from '../../connection/pem-source.ts';
import { type OutputOptions, print, withOutput } from '../../output/output.ts';
import { memberIdsOf } from '../people/members.ts';
import { organizationOfName } from '../workspace-requests.ts';
import { notificationsPath, SCOPE_ARGUMENT, type ScopeOptions, shown, withScope } from './scope.ts';

interface CreateOptions extends ScopeOptions, OutputOptions {
  readonly name: string;
  readonly type: string;
  readonly urlFile?: string;
  readonly tokenFile?: string;
  readonly trigger: readonly string[];
  readonly user: readonly string[];
  readonly email: readonly string[];
  readonly disabled?: boolean;
}

const TYPES = ['generic', 'slack', 'microsoft-teams', 'email'];
const collected = (one: string, others: readonly string[]) => [...others, one];

/** Command `lockkeeper notification create`. The server checks the values, so that its messages are the only ones. */
export function addCreate(notification: Command): void {
  const command = notification
    .command('create')
    .description('Create a notification of a workspace, a project, a team or the organization')
    .argument(...SCOPE_ARGUMENT)
    .requiredOption('--name <name>', 'name of the notification')
    .addOption(new Option('--type <type>', 'type of the receiver').choices(TYPES).makeOptionMandatory())
    .option('--trigger <event>', 'event, such as run:errored; may be repeated', collected, [])
    .option('--url-file <file>', 'file with the URL of the receiver; - for standard input')
    .option('--token-file <file>', 'file with the key that signs generic messages')
    .option(
      '--user <user>',
      'username, email address or ID of a member who gets emails; may be repeated',
      collected,
      [],
    )
    .option('--email <address>', 'address that gets emails; may be repeated', collected, [])
    .option('--disabled', 'store it without sending a verification');
  withOutput(withConnection(withOrganization(withScope(command)))).action(create);
}

async function create(workspace: string | undefined, options: CreateOptions): Promise<void> {
  const { disabled, email, name, tokenFile, trigger: triggers, type, urlFile, user } = options;
  const attributes = {
    ...{ name, 'destination-type': type, enabled: disabled !== true, triggers },
    ...(urlFile !== undefined && { url: secretText(readSource(urlFile, 'the URL of the receiver')) }),
    ...(tokenFile !== undefined && { token: secretText(readSource(tokenFile, 'the key of the signature')) }),
    ...(email.length > 0 && { 'email-addresses': email }),
  };
  const path = await notificationsPath(workspace, options);
  const scope = workspace ?? options.project ?? options.team ?? '';
  const ids = await memberIdsOf(user, () => ({ ...options, ...organizationOfName(scope) }));
  const relationships = { users: { data: ids.map((id) => ({ type: 'users', id })) } };
  const data = {
    type: 'notification-configurations',
    attributes,
    ...(ids.length > 0 && { relationships }),
  };
  const { body } = await ask(options, 'workspaces', 'POST', path, { data });
  await print(shown(body, options), options);
}
