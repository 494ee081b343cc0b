import type { Issue } from '../../../lib/errors.ts';
import { UniqueViolation } from '../../../storage/index.ts';
import { alreadyTaken, attributeIssue, unprocessable } from '../../jsonapi/errors.ts';

/**
 * Names of organizations, teams and workspaces are parts of URLs (spec §2.1). The limit of 90 characters is HCP
 * Terraform's.
 */
const NAME = /^[A-Za-z0-9_-]{1,90}$/;
const RULE = 'Name must have 1 to 90 letters, digits, - and _';

/** Returns the errors of a name. Empty if the name is valid. */
export function nameIssues(name: string): Issue[] {
  return NAME.test(name) ? [] : [attributeIssue('name', RULE)];
}

/**
 * Checks the format of a name.
 * @throws 422 for an invalid name
 */
export function checkName(name: string): void {
  const issues = nameIssues(name);
  if (issues.length > 0) throw unprocessable(issues);
}

/**
 * Runs `work`, which stores a unique name.
 * @throws 422 if the name is taken
 */
export async function takingName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof UniqueViolation ? alreadyTaken('name') : error;
  }
}
