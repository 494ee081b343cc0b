import { type Static, Type } from 'typebox';
import type { Resource } from '../../jsonapi/document.ts';
import { nullable } from '../../jsonapi/schema.ts';
import { attribute, is, linkedToOneOf, optional, resourceOf } from '../../resource/index.ts';
import { POLICY_TYPES, type PolicyType } from '../model/retention-types.ts';
import { FLAGS, NUMBERS, type RetentionPolicy } from './policy.ts';
import { camelCase } from './rules.ts';

/**
 * A hundred years, and more items than any workspace has.
 * @limit days or versions of a retention policy, days or versions -> 422
 */
const MAX = 36_500;

const numbers = (name: (typeof NUMBERS)[number]) =>
  attribute(
    Type.Optional(is.integer),
    ({ settings }: RetentionPolicy) => settings[name],
    optional(nullable(Type.Integer({ minimum: 1, maximum: MAX }))),
  );
const flags = (name: (typeof FLAGS)[number]) =>
  attribute(
    Type.Optional(is.flag),
    ({ settings }: RetentionPolicy) => settings[name],
    optional(nullable(Type.Boolean())),
  );

/** Official clients use names with dashes, the documentation of HCP Terraform has camel case. */
function bothSpellings<Name extends string, A>(names: readonly Name[], declare: (name: Name) => A): Record<string, A> {
  return Object.fromEntries(
    names.flatMap((name) => [name, camelCase(name)].map((spelling) => [spelling, declare(name)])),
  );
}

/** Declares the retention policies of a type. Unset attributes are absent. */
function policies(type: PolicyType) {
  return resourceOf<RetentionPolicy>()(type, {
    attributes: { ...bothSpellings(NUMBERS, numbers), ...bothSpellings(FLAGS, flags) },
    relationships: {
      target: linkedToOneOf(['workspaces', 'organizations'], targetOf),
    },
  });
}

function targetOf({ workspaceId, organizationName }: RetentionPolicy) {
  return workspaceId === null
    ? { type: 'organizations', id: organizationName }
    : { type: 'workspaces', id: workspaceId };
}

const RESOURCES = Object.fromEntries(POLICY_TYPES.map((type) => [type, policies(type)])) as Record<
  PolicyType,
  ReturnType<typeof policies>
>;

/** Retention policies of all types. They have the same attributes. */
export const RETENTION_POLICIES = Object.values(RESOURCES);

/** Returns the document of a policy. */
export function retentionPolicyDocument(policy: RetentionPolicy): Resource {
  return RESOURCES[policy.type].document(policy);
}

/** Body of a request that sets a policy. */
export const SetPolicy = Type.Object({
  data: Type.Object({
    type: Type.Enum([...POLICY_TYPES]),
    attributes: Type.Optional(
      Type.Unsafe<Readonly<Record<string, unknown>>>(RESOURCES['data-retention-policies'].update),
    ),
  }),
});

/** `data` of a body that sets a policy. */
export type PolicyInput = Static<typeof SetPolicy>['data'];
