import type { Command } from 'commander';
import { hostVariable } from '../../lib/engines/host-variable.ts';
import type { StateChoice } from '../../migration/index.ts';
import { setting } from '../connection/connection.ts';
import { organizationOf } from '../connection/organization.ts';
import { type SourceOptions, sourceAddressOf, sourceOf, withSource } from './migrating.ts';
import {
  importOrganization,
  type OrganizationImportOptions,
  statesOption,
  withOrganizationImport,
} from './organization-options.ts';

interface HcpOptions extends OrganizationImportOptions, SourceOptions {
  readonly sourceOrganization?: string;
  readonly workspaces?: string;
  readonly project?: string;
  readonly states: StateChoice;
  readonly lockSource?: true;
}

const HCP = 'https://app.terraform.io';

/** Command `lockkeeper import hcp-terraform`. Another Lockkeeper has the same API. */
export function addImportHcp(command: Command): void {
  const hcp = command
    .command('hcp-terraform')
    .description(
      'Take an organization of HCP Terraform, Terraform Enterprise, OTF or another Lockkeeper; its token is in LOCKKEEPER_SOURCE_TOKEN or TFE_TOKEN',
    )
    .option('--source-organization <name>', 'organization at the source (default: that of --organization)')
    .option('--workspaces <pattern>', 'workspaces to take; * matches any characters')
    .option('--project <name>', 'take only this project')
    .addOption(statesOption())
    .option('--lock-source', 'lock each workspace at the source before its state is copied, and leave it locked');
  withOrganizationImport(withSource(hcp, ` or TFE_ADDRESS, or ${HCP}`)).action(importHcp);
}

async function importHcp(options: HcpOptions): Promise<void> {
  await importOrganization(options, async (migration) => {
    const address = sourceAddressOf(options, setting('TFE_ADDRESS') ?? HCP);
    const host = hostVariable(address);
    return migration.apiSource({
      connection: sourceOf(migration, address, options, ['TFE_TOKEN', ...(host ? [host] : [])]),
      organization: options.sourceOrganization ?? organizationOf(options),
      workspaces: options.workspaces,
      project: options.project,
      states: options.states,
      locksSource: options.lockSource === true,
    });
  });
}
