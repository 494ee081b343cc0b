import type { Resources } from '../../api/client.ts';
import * as texts from './texts.ts';

export type Verdict = Resources['access-explanations']['attributes']['permissions'][number];
export type Source = Verdict['from'][number];

/** Describes the permission that a source grants; shown after the team's name. */
export function givenBy({ kind, gives }: Source): string {
  switch (kind) {
    case 'owners':
      return texts.ownerOfTheOrganization;
    case 'organization-access':
      return texts.inOrganization(gives?.replaceAll('-', ' '));
    case 'project-access':
      return texts.onProject(gives);
    case 'workspace-access':
      return texts.onWorkspace(gives);
    case 'membership':
      return texts.everyMemberOfTheOrganization;
    case 'organization-token':
      return texts.theTokenOfTheOrganization;
    case 'job':
      return texts.theJobOfAnAgent;
    default:
      return texts.aRunTaskOf;
  }
}

/** Explains why a permission is missing, and what would grant it. */
export function refusedBecause({ reason, setting, 'given-by': levels, from }: Verdict): string {
  if (reason === 'setting') return texts.settingOff(setting);
  if (reason === 'suspended') return texts.theUserIsSuspended;
  if (reason === 'user-tokens') return texts.theOrganizationDoesNot;
  if (from.length > 0) return '';
  return levels.length === 0 ? texts.notGranted : texts.notGrantedWouldGrantIt(oneOf(levels));
}

function oneOf(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : texts.or(words.slice(0, -1).join(', '), last);
}
