import type { Issue } from '../../../lib/errors.ts';
import { attributeIssue, unprocessable } from '../../jsonapi/errors.ts';
import { FLAGS, NUMBERS, type PolicySettings, type PolicyType } from './policy.ts';

const NAMES = [...NUMBERS, ...FLAGS] as const;
const DAYS = NUMBERS.filter((name) => name.endsWith('-days'));

/** `stateVersionsDeleteAfterNDays`: the other spelling of a name. */
export function camelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_dash, letter: string) => letter.toUpperCase());
}

/**
 * The settings after a client's attributes, in either spelling: what is absent stays, null takes away.
 * @throws 422 when a policy that deletes does not say when
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
