import type { Command } from 'commander';
import { usageError } from '../errors/command-error.ts';
import { type ConnectionOptions, setting } from './connection.ts';

/** Options of commands that work in an organization. */
export interface OrganizationOptions extends ConnectionOptions {
  readonly organization?: string;
}

export function withOrganization(command: Command): Command {
  return command.option(
    '--organization <name>',
    'organization (default: LOCKKEEPER_ORGANIZATION or TF_CLOUD_ORGANIZATION)',
  );
}

/** @throws CommandError without an organization */
export function organizationOf({ organization }: OrganizationOptions): string {
  const name = organization ?? setting('LOCKKEEPER_ORGANIZATION', 'TF_CLOUD_ORGANIZATION');
  if (name !== undefined) return name;
  throw usageError('The organization is missing. Set --organization or LOCKKEEPER_ORGANIZATION');
}
