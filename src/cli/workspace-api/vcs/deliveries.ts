import type { Command } from 'commander';
import { withConnection } from '../../connection/connection.ts';
import { withOrganization } from '../../connection/organization.ts';
import { CommandError } from '../../errors/command-error.ts';
import { EXIT } from '../../errors/exit-codes.ts';
import { type OutputOptions, print, withOutput } from '../../output/output.ts';
import { printable } from '../../output/printable.ts';
import { allPages } from '../pages.ts';
import type { Resource } from '../resource.ts';
import { CONNECTION_ARGUMENT, connectionOf, type VcsOptions } from './connection-requests.ts';

type DeliveriesOptions = VcsOptions & OutputOptions;

/** Command `lockkeeper vcs deliveries`. */
export function addDeliveries(vcs: Command): void {
  const command = vcs
    .command('deliveries')
    .description('List the webhook deliveries of a repository, newest first, and what became of them')
    .argument(...CONNECTION_ARGUMENT)
    .argument('<repository>', 'identifier such as acme/infra, or ID');
  withOutput(withConnection(withOrganization(command))).action(deliveries);
}

async function deliveries(named: string, repository: string, options: DeliveriesOptions): Promise<void> {
  const { id } = await connectionOf(named, options);
  const followed = await allPages(options, `/api/v2/oauth-clients/${id}/vcs-repositories`);
  const found = followed.find((one) => one.id === repository || one.attributes.identifier === repository);
  if (found === undefined) {
    throw new CommandError(
      `no workspace follows ${repository} by this connection; \`lockkeeper vcs repositories ${id}\` lists those that are followed`,
      EXIT.notFound,
    );
  }
  const data = await allPages(options, `/api/v2/vcs-repositories/${found.id}/deliveries`);
  await print({ whole: { data }, brief: data.map(rowOf) }, options);
  const { 'webhook-state': state, 'webhook-problem': problem, 'webhook-url': url } = found.attributes;
  if (state !== 'made') process.stderr.write(`${noHookText(state, problem)}\n`);
  else if (data.length === 0) process.stderr.write(`${noneText(url)}\n`);
}

function noneText(url: unknown): string {
  return (
    `No deliveries yet. The provider must reach ${printable(String(url))} and trust its certificate. ` +
    'Until the first delivery the server looks for changes each minute.'
  );
}

/** Says why the server may get no deliveries. */
function noHookText(state: unknown, problem: unknown): string {
  if (state !== 'manual') return 'The repository has no webhook. The server looks for changes each minute.';
  return `The server may not make the webhook: ${printable(String(problem))}. Make it by hand, or the server looks each minute.`;
}

function rowOf({ attributes }: Resource): Record<string, unknown> {
  return {
    'received-at': attributes['received-at'],
    delivery: attributes['delivery-id'],
    about: (attributes.hints as readonly string[]).join(', '),
    outcome: attributes.outcome,
  };
}
