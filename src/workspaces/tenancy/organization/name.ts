import type { Issue } from '../../../lib/errors.ts';
import { UniqueViolation } from '../../../storage/index.ts';
import { alreadyTaken, attributeIssue, unprocessable } from '../../jsonapi/errors.ts';

/** Organizations, teams and workspaces are part of addresses (spec §2.1; 90 characters: the original's limit). */
const NAME = /^[A-Za-z0-9_-]{1,90}$/;
const RULE = 'Name has 1 to 90 letters, digits, - and _';

/** What is wrong with a name; nothing when it is one. */
export function nameIssues(name: string): Issue[] {
  return NAME.test(name) ? [] : [attributeIssue('name', RULE)];
}

/** @throws 422 */
export function checkName(name: string): void {
  const issues = nameIssues(name);
  if (issues.length > 0) throw unprocessable(issues);
}

/** Runs what stores a name that has to be unique. @throws 422 when somebody has it. */
export async function takingName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof UniqueViolation ? alreadyTaken('name') : error;
  }
}
