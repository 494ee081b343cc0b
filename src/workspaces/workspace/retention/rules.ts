import type { Issue } from '../../../lib/errors.ts';
import { attributeIssue, unprocessable } from '../../jsonapi/errors.ts';
import type { PolicyType } from '../model/retention-types.ts';
import { FLAGS, NUMBERS, type PolicySettings } from './policy.ts';

const NAMES = [...NUMBERS, ...FLAGS] as const;
const DAYS = NUMBERS.filter((name) => name.endsWith('-days'));

/** The other spelling of a name, for example `stateVersionsDeleteAfterNDays`. */
export function camelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_dash, letter: string) => letter.toUpperCase());
}

/**
 * Applies a client's attributes, in either spelling: absent settings stay, null removes one.
 * @throws 422 when a policy that deletes has no number of days
 */
export function nextPolicySettings(
  type: PolicyType,
  attributes: Readonly<Record<string, unknown>>,
  current: PolicySettings,
): PolicySettings {
  if (type === 'data-retention-policy-dont-deletes') return {};
  const next = NAMES.map((name) => {
    const given = attributes[name] ?? attributes[camelCase(name)];
    const cleared = attributes[name] === null || attributes[camelCase(name)] === null;
    return [name, cleared ? undefined : (given ?? current[name])];
  });
  const settings = Object.fromEntries(next.filter(([, value]) => value !== undefined)) as PolicySettings;
  const issues: Issue[] = DAYS.some((name) => settings[name] !== undefined)
    ? []
    : [attributeIssue('delete-older-than-n-days', "Delete older than n days can't be blank")];
  if (issues.length > 0) throw unprocessable(issues);
  return settings;
}
