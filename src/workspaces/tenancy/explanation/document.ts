import { type Resource, toOne } from '../../jsonapi/document.ts';
import type { Source, Verdict } from '../permissions/explain.ts';
import type { Explanation } from './organization-explanation.ts';

/** Resource type of Lockkeeper only; HCP Terraform does not have it. */
export function explanationResource({ target, subject, verdicts }: Explanation): Resource {
  const sourceOf = ({ kind, teamId, gives, accessId }: Source) => ({
    kind,
    // Omits name and id of teams that the caller may not see.
    'team-id': teamId !== null && subject.teamNames.has(teamId) ? teamId : null,
    'team-name': teamId === null ? null : (subject.teamNames.get(teamId) ?? null),
    gives,
    'access-id': accessId,
  });
  const shown = ({ permission, allowed, reason, setting, from, givenBy }: Verdict) => ({
    permission,
    allowed,
    reason,
    setting,
    from: from.map(sourceOf),
    'given-by': givenBy,
  });
  return {
    id: `${target.id}~${subject.id}`,
    type: 'access-explanations',
    attributes: { 'subject-name': subject.name, token: subject.token, permissions: verdicts.map(shown) },
    relationships: { target: toOne(target.type, target.id), subject: toOne(subject.type, subject.id) },
  };
}
