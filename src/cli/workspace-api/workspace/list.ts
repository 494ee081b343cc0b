import type { Command } from 'commander';
import { withConnection } from '../../connection/connection.ts';
import { type OrganizationOptions, organizationOf, withOrganization } from '../../connection/organization.ts';
import { type OutputOptions, print, withOutput } from '../../output/output.ts';
import { allPages } from '../pages.ts';
import { rowOf } from '../workspace-requests.ts';

interface ListOptions extends OrganizationOptions, OutputOptions {
  readonly search?: string;
}

/** Command `lockkeeper workspace list`: reads all pages. */
export function addWorkspaceList(workspace: Command): void {
  const command = workspace
    .command('list')
    .description('List the workspaces of an organization')
    .option('--search <text>', 'only workspaces whose name contains this text');
  withOutput(withConnection(withOrganization(command))).action(list);
}

async function list(options: ListOptions): Promise<void> {
  const path = `/api/v2/organizations/${encodeURIComponent(organizationOf(options))}/workspaces`;
  const search: Record<string, string> = options.search === undefined ? {} : { 'search[name]': options.search };
  const found = await allPages(options, path, search);
  await print({ whole: { data: found }, brief: found.map(rowOf) }, options);
}
