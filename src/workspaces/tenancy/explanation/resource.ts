import { Type } from 'typebox';
import { toOne } from '../../jsonapi/document.ts';
import { nullableEnum } from '../../jsonapi/schema.ts';
import { attribute, is, relationship, resourceOf, toOneOf } from '../../resource/index.ts';
import { REASONS, SOURCES, type Source, type Verdict } from '../permissions/explain.ts';
import type { Explanation } from './organization-explanation.ts';
import type { Subject } from './subjects.ts';

const Shown = Type.Object({
  permission: is.text,
  allowed: is.flag,
  reason: Type.Enum([...REASONS]),
  setting: is.textOrNull,
  from: Type.Array(
    Type.Object({
      kind: Type.Enum([...SOURCES]),
      'team-id': is.textOrNull,
      'team-name': is.textOrNull,
      gives: is.textOrNull,
      'access-id': is.textOrNull,
    }),
  ),
  'given-by': is.texts,
});

/** Permissions on an organization or a workspace with their reasons. HCP Terraform does not have it. */
export const ExplanationResource = resourceOf<Explanation>()('access-explanations', {
  attributes: {
    'subject-name': attribute(is.textOrNull, ({ subject }) => subject.name),
    token: attribute(
      nullableEnum(['user', 'machine', 'team', 'organization', 'agent', 'task']),
      ({ subject }) => subject.token,
    ),
    permissions: attribute(Type.Array(Shown), ({ verdicts, subject }) =>
      verdicts.map((verdict) => shown(verdict, subject)),
    ),
  },
  relationships: {
    target: toOneOf(['organizations', 'workspaces'], ({ target }) => ({ type: target.type, id: target.id })),
    subject: relationship(is.toOne(), ({ subject }) => toOne(subject.type, subject.id)),
  },
  id: ({ target, subject }) => `${target.id}~${subject.id}`,
});

function shown({ permission, allowed, reason, setting, from, givenBy }: Verdict, subject: Subject) {
  const sources = from.map((source) => shownSource(source, subject));
  return { permission, allowed, reason, setting, from: sources, 'given-by': givenBy };
}

/** Omits name and id of teams that the caller may not see. */
function shownSource({ kind, teamId, gives, accessId }: Source, { teamNames }: Subject) {
  const name = teamId === null ? null : (teamNames.get(teamId) ?? null);
  return {
    kind,
    'team-id': teamId !== null && teamNames.has(teamId) ? teamId : null,
    'team-name': name,
    gives,
    'access-id': accessId,
  };
}
