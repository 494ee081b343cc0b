import type { Command } from 'commander';
import { ask, targetOf, withConnection } from '../connection/connection.ts';
import { type OrganizationOptions, withOrganization } from '../connection/organization.ts';
import { openBrowser } from '../process/browser.ts';
import { linkedId, type Resource } from './resource.ts';
import { dataOf, workspaceOf } from './workspace-requests.ts';

/** Command `lockkeeper open`: opens a page of the console. */
export function addOpen(program: Command): void {
  const command = program
    .command('open')
    .description('Open the console, a workspace or a run in the browser; print the address if there is no browser')
    .argument('[workspace-or-run]', 'workspace as NAME, ORGANIZATION/NAME or ID, or the ID of a run');
  withConnection(withOrganization(command)).option('--print', 'only print the address').action(open);
}

async function open(
  named: string | undefined,
  options: OrganizationOptions & { readonly print?: true },
): Promise<void> {
  const url = new URL(await pathOf(named, options), targetOf(options).address).href;
  process.stdout.write(`${url}\n`);
  if (!options.print) await openBrowser(url);
}

async function pathOf(named: string | undefined, options: OrganizationOptions): Promise<string> {
  if (named === undefined) return '/app/';
  if (!/^run-\w{16}$/.test(named)) return pageOf(await workspaceOf(named, options));
  const run = dataOf((await ask(options, 'workspaces', 'GET', `/api/v2/runs/${named}`)).body);
  const workspace = linkedId(run.relationships?.workspace) ?? '';
  return `${pageOf(await workspaceOf(workspace, options))}/runs/${named}`;
}

function pageOf({ attributes, relationships }: Resource): string {
  const organization = linkedId(relationships?.organization) ?? '';
  return `/app/${encodeURIComponent(organization)}/workspaces/${encodeURIComponent(String(attributes.name))}`;
}
