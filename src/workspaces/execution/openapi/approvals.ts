import { Type } from 'typebox';
import { nullable } from '../../jsonapi/schema.ts';
import * as is from '../../openapi/resource.ts';
import { RULE_OPERATIONS } from '../approval/approval.ts';

const team = Type.Object({ id: is.text, name: is.textOrNull, exists: is.flag });
const teams = Type.Array(team);

/** Approvals that a run has and needs; null if no rule applies to it, or its apply has started. */
export const APPROVALS_OF_RUN = nullable(
  Type.Object({
    required: is.integer,
    given: is.integer,
    missing: is.textOrNull,
    confirmed: is.flag,
    'cannot-approve-because': is.textOrNull,
  }),
);

/** `meta` of the approvals of a run. */
export const APPROVALS_META = Type.Object({
  approvals: APPROVALS_OF_RUN,
  rules: Type.Array(
    Type.Object({
      id: is.text,
      name: is.text,
      required: is.integer,
      given: is.integer,
      missing: is.integer,
      'requester-may-approve': is.flag,
      'user-ids': is.texts,
      'of-project': is.flag,
      teams,
    }),
  ),
});

/** Resources of approvals, by type. */
export const APPROVAL_RESOURCES = {
  'approval-rules': is.resource(
    'approval-rules',
    {
      'created-at': is.time,
      name: is.text,
      operations: Type.Enum([...RULE_OPERATIONS]),
      'requester-may-approve': is.flag,
      'required-approvals': is.integer,
      teams,
      'updated-at': is.time,
      warning: is.textOrNull,
    },
    { project: is.toOne('projects'), teams: is.toMany('teams'), workspace: is.toOne('workspaces') },
  ),
  'run-approvals': is.resource(
    'run-approvals',
    {
      comment: is.textOrNull,
      counts: nullable(Type.Boolean()),
      'counts-not-because': is.textOrNull,
      'created-at': is.time,
      'user-name': is.text,
    },
    { run: is.toOne('runs'), user: is.toOne('users') },
  ),
};
