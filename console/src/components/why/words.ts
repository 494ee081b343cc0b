import type { Resources } from '../../api/client.ts';

export type Verdict = Resources['access-explanations']['attributes']['permissions'][number];
export type Source = Verdict['from'][number];

/** What a source gives, after the name of the team. */
export function givenBy({ kind, gives }: Source): string {
  switch (kind) {
    case 'owners':
      return 'owns the organization';
    case 'organization-access':
      return `${gives?.replaceAll('-', ' ')}, in the whole organization`;
    case 'project-access':
      return `${gives} on the project`;
    case 'workspace-access':
      return `${gives} on the workspace`;
    case 'membership':
      return 'every member of the organization';
    case 'organization-token':
      return 'the token of the organization';
    case 'job':
      return 'the job of an agent';
    default:
      return 'a run task that judges its run';
  }
}

/** Why something is not allowed, and what would allow it. */
export function refusedBecause({ reason, setting, 'given-by': levels, from }: Verdict): string {
  if (reason === 'setting') return `the setting ${setting} is off`;
  if (reason === 'suspended') return 'the user is suspended: no token of theirs lets anybody in';
  if (reason === 'user-tokens') return 'the organization takes no tokens of users';
  if (from.length > 0) return '';
  return levels.length === 0 ? 'nothing gives it' : `nothing gives it; ${oneOf(levels)} would`;
}

function oneOf(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}
