import type { Command } from 'commander';
import { withConnection } from '../../connection/connection.ts';
import { withOrganization } from '../../connection/organization.ts';
import { type OutputOptions, print, withOutput } from '../../output/output.ts';
import { allPages } from '../pages.ts';
import type { Resource } from '../resource.ts';
import { OWNER_ARGUMENT, type OwnerOptions, rowOf, schedulePath, schedulesPath, withProject } from './owner.ts';

/** Command `lockkeeper schedule list`. */
export function addList(schedule: Command): void {
  const command = schedule
    .command('list')
    .description('List the schedules that act in a workspace, or those of a project')
    .argument(...OWNER_ARGUMENT);
  withOutput(withConnection(withOrganization(withProject(command)))).action(list);
}

async function list(workspace: string | undefined, options: OwnerOptions & OutputOptions): Promise<void> {
  const found = await allPages(options, await schedulesPath(workspace, options));
  await print({ whole: { data: found }, brief: found.map(rowOf) }, options);
}

/** Command `lockkeeper schedule outcomes`. */
export function addOutcomes(schedule: Command): void {
  const command = schedule
    .command('outcomes')
    .description('Show what a schedule started, and why it started nothing, newest first')
    .argument('<schedule>', 'ID of the schedule');
  withOutput(withConnection(command)).action(outcomes);
}

async function outcomes(id: string, options: OwnerOptions & OutputOptions): Promise<void> {
  const found = await allPages(options, `${schedulePath(id)}/outcomes`);
  await print({ whole: { data: found }, brief: found.map(outcomeRow) }, options);
}

function outcomeRow({ attributes, relationships = {} }: Resource): Record<string, unknown> {
  const run = relationships.run?.data as { readonly id: string } | null | undefined;
  return {
    ...{ time: attributes['scheduled-at'], workspace: attributes['workspace-name'], status: attributes.status },
    ...{ run: run?.id ?? '', 'run-status': attributes['run-status'] ?? '', reason: attributes.reason ?? '' },
  };
}
