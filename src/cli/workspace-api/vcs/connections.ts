import type { Command } from 'commander';
import { ask, withConnection } from '../../connection/connection.ts';
import { withOrganization } from '../../connection/organization.ts';
import { CommandError } from '../../errors/command-error.ts';
import { type OutputOptions, print, withOutput } from '../../output/output.ts';
import type { Resource } from '../resource.ts';
import { dataOf } from '../workspace-requests.ts';
import { CONNECTION_ARGUMENT, connectionOf, connectionsOf, type VcsOptions } from './connection-requests.ts';

type Options = VcsOptions & OutputOptions;

/** Command `lockkeeper vcs connections`. */
export function addConnections(vcs: Command): void {
  const command = vcs
    .command('connections')
    .description('List the connections of an organization to VCS providers, with their health');
  withOutput(withConnection(withOrganization(command))).action(async (options: Options) => {
    const found = await connectionsOf(options);
    await print({ whole: { data: found }, brief: found.map(rowOf) }, options);
  });
}

/** Command `lockkeeper vcs check`. */
export function addCheck(vcs: Command): void {
  const command = vcs
    .command('check')
    .description('Ask the provider whether the token of a connection works')
    .argument(...CONNECTION_ARGUMENT);
  withOutput(withConnection(withOrganization(command))).action(async (named: string, options: Options) => {
    await check((await connectionOf(named, options)).id, options);
  });
}

/** Checks a connection and prints it. @throws CommandError with the reason if it does not work */
export async function check(id: string, options: Options): Promise<void> {
  const { body } = await ask(options, 'workspaces', 'POST', `/api/v2/oauth-clients/${id}/actions/check`);
  const { attributes } = dataOf(body);
  const brief = rowOf(dataOf(body));
  await print({ whole: body, brief: options.field === undefined ? brief : { ...attributes, ...brief } }, options);
  if (attributes['connection-status'] === 'ok') return;
  throw new CommandError(
    `the connection does not work: ${String(attributes['connection-status-reason'] ?? 'the provider gave no reason')}\n` +
      `correct it, then run \`lockkeeper vcs check ${id}\``,
  );
}

function rowOf({ id, attributes }: Resource): Record<string, unknown> {
  return {
    name: attributes.name,
    id,
    provider: attributes['service-provider'],
    url: attributes['http-url'],
    status: attributes['connection-status'],
    since: attributes['connection-status-since'],
    reason: attributes['connection-status-reason'],
  };
}
