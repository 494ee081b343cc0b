import { type Static, type TSchema, Type } from 'typebox';
import { nullable } from '../../jsonapi/schema.ts';
import { FLAGS, NUMBERS, POLICY_TYPES } from './policy.ts';
import { camelCase } from './rules.ts';

/**
 * A hundred years, and more items than any workspace has.
 * @limit days or versions of a retention policy, days or versions -> 422
 */
const MAX = 36_500;

const number = Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: MAX })));
const flag = Type.Optional(nullable(Type.Boolean()));

/** Official clients send names with dashes, the documentation of HCP Terraform has camel case. */
function bothSpellings(names: readonly string[], schema: TSchema): Record<string, TSchema> {
  return Object.fromEntries(names.flatMap((name) => [name, camelCase(name)]).map((name) => [name, schema]));
}
const Attributes = Type.Object({ ...bothSpellings(NUMBERS, number), ...bothSpellings(FLAGS, flag) });

export const SetPolicy = Type.Object({
  data: Type.Object({
    type: Type.Enum([...POLICY_TYPES]),
    attributes: Type.Optional(Type.Unsafe<Readonly<Record<string, unknown>>>(Attributes)),
  }),
});

/** `data` of a body that sets a policy. */
export type PolicyInput = Static<typeof SetPolicy>['data'];
