import { triggerText } from '../../../lib/provenance/run-trigger.ts';
import { ask } from '../../connection/connection.ts';
import type { OrganizationOptions } from '../../connection/organization.ts';
import { CommandError } from '../../errors/command-error.ts';
import { EXIT } from '../../errors/exit-codes.ts';
import { linkedId, type Resource } from '../resource.ts';
import { dataOf, workspaceOf } from '../workspace-requests.ts';

const RUN_ID = /^run-\w{16}$/;

export const RUN_ARGUMENT = [
  '<run>',
  'ID of the run, or a workspace for its current run: NAME, ORGANIZATION/NAME',
] as const;

/** Returns the ID of a run: as it is, or the current run of a workspace. @throws CommandError if there is none */
export async function runIdOf(named: string, options: OrganizationOptions): Promise<string> {
  if (RUN_ID.test(named)) return named;
  const { relationships } = await workspaceOf(named, options);
  const current = linkedId(relationships?.['current-run']);
  if (current !== undefined) return current;
  throw new CommandError(
    `the workspace ${named} has no run; \`lockkeeper run start ${named}\` starts one`,
    EXIT.notFound,
  );
}

/** Returns what to do with a run that waits for confirmation. */
export const waitHint = (id: string): string =>
  `The run waits: lockkeeper run confirm ${id} or lockkeeper run discard ${id}`;

export const runPath = (id: string): string => `/api/v2/runs/${encodeURIComponent(id)}`;

export async function runOf(id: string, options: OrganizationOptions): Promise<Resource> {
  return dataOf((await ask(options, 'workspaces', 'GET', runPath(id))).body);
}

/** Returns how a run was started, and by which program. */
export function triggerOf(attributes: Resource['attributes']): string {
  const client = attributes.client as string | null | undefined;
  return triggerText(String(attributes.source), String(attributes['trigger-reason']), client ?? null);
}

/** Fields that the table of a list shows. */
export function rowOf({ id, attributes }: Resource): Record<string, unknown> {
  return {
    id,
    status: attributes.status,
    message: attributes.message,
    trigger: triggerOf(attributes),
    'created-by': attributes['created-by-name'],
    'created-at': attributes['created-at'],
    'waiting-for': attributes['waiting-for'] ?? undefined,
  };
}
