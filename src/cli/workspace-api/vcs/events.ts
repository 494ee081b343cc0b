import type { Command } from 'commander';
import { ask, withConnection } from '../../connection/connection.ts';
import { organizationOf, withOrganization } from '../../connection/organization.ts';
import { type OutputOptions, print, withOutput } from '../../output/output.ts';
import type { Resource } from '../resource.ts';
import { workspaceIdOf } from '../workspace-requests.ts';
import type { VcsOptions } from './connection-requests.ts';
import { type CountOptions, countOption, linkedId } from './shown.ts';

const NONE =
  'No events yet. The first look at a repository makes none: the next push, tag or pull request does. To look now: lockkeeper vcs look-up\n';

type EventsOptions = VcsOptions & OutputOptions & CountOptions;

/** Command `lockkeeper vcs events`. */
export function addEvents(vcs: Command): void {
  const command = vcs
    .command('events')
    .description('List pushes, tags and pull requests, newest first; for a workspace with its verdict on each')
    .argument('[workspace]', 'workspace ID, name, or ORGANIZATION/NAME (default: all of the organization)')
    .addOption(countOption(20, 100));
  withOutput(withConnection(withOrganization(command))).action(events);
}

async function events(named: string | undefined, options: EventsOptions): Promise<void> {
  const of =
    named === undefined
      ? `organizations/${encodeURIComponent(organizationOf(options))}`
      : `workspaces/${await workspaceIdOf(named, options)}`;
  const query = new URLSearchParams({ 'page[size]': String(options.count) });
  const { body } = await ask(options, 'workspaces', 'GET', `/api/v2/${of}/vcs-events?${query}`);
  const { data } = body as { readonly data: readonly Resource[] };
  await print({ whole: body, brief: data.map(named === undefined ? rowOf : judgedRowOf) }, options);
  if (data.length === 0) process.stderr.write(NONE);
}

/** The server writes the time as HCP Terraform does: `2026-11-27 13:04:35.463 +0000 UTC`. Other lists have ISO 8601. */
const timeOf = ({ 'created-at': time }: Resource['attributes']) =>
  String(time).replace(/^(\S+) (\S+) \+0000 UTC$/, '$1T$2Z');

function rowOf({ attributes }: Resource): Record<string, unknown> {
  return {
    time: timeOf(attributes),
    level: attributes.level,
    event: attributes.message,
    problem: attributes['suggested-action'],
  };
}

function judgedRowOf({ attributes, relationships }: Resource): Record<string, unknown> {
  const verdict = attributes.verdict as { readonly outcome: string; readonly text: string };
  return {
    time: timeOf(attributes),
    event: eventText(attributes),
    verdict: verdict.outcome,
    because: verdict.text,
    run: linkedId(relationships?.run),
  };
}

function eventText(attributes: Resource['attributes']): string {
  const { kind, ref, 'after-sha': after, 'pull-request-number': pull } = attributes;
  const names: Readonly<Record<string, string>> = { pull: `pull request ${String(pull)}`, tag: `tag ${String(ref)}` };
  const what = names[String(kind)] ?? `branch ${String(ref)}`;
  return `${what} ${typeof after === 'string' ? after.slice(0, 7) : kind === 'pull' ? 'closed' : 'deleted'}`;
}
