import type { Command } from 'commander';
import { ask, withConnection } from '../connection/connection.ts';
import { type OutputOptions, print, withOutput } from '../output/output.ts';
import type { Resource } from './resource.ts';
import { type OrganizationOptions, organizationOf, rowOf, withOrganization } from './workspace-requests.ts';

const PAGE_SIZE = 100;

interface ListOptions extends OrganizationOptions, OutputOptions {
  readonly search?: string;
}

interface Page {
  readonly data: readonly Resource[];
  readonly meta?: { readonly pagination?: { readonly 'next-page'?: number | null } };
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
  const found: Resource[] = [];
  let next: number | null | undefined = 1;
  while (next) {
    const query = new URLSearchParams({ ...search, 'page[number]': String(next), 'page[size]': String(PAGE_SIZE) });
    const page = (await ask(options, 'workspaces', 'GET', `${path}?${query}`)).body as Page;
    found.push(...page.data);
    next = page.meta?.pagination?.['next-page'];
  }
  await print({ whole: { data: found }, brief: found.map(rowOf) }, options);
}
