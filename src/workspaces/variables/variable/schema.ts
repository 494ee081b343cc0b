import { type Static, Type } from 'typebox';
import { nullable, text, typed } from '../../jsonapi/schema.ts';
import { CATEGORIES } from './variable.ts';

/** Maximum length in characters, as in HCP Terraform. The rules count the bytes of the value. */
const KEY = 128;
const VALUE = 262_144;
const DESCRIPTION = 512;
/**
 * Maximum number of variables in one request.
 * @limit variables in one request, variables -> 422
 */
const MAX_ENTRIES = 500;

const flag = Type.Optional(nullable(Type.Boolean()));
const key = text(KEY);
const category = Type.Enum([...CATEGORIES]);
const optional = {
  value: Type.Optional(nullable(text(VALUE))),
  description: Type.Optional(nullable(text(DESCRIPTION))),
  hcl: flag,
  sensitive: flag,
  'apply-only': flag,
};

const type = typed('vars');
const NewAttributes = Type.Object({ key, category, ...optional });
const Attributes = Type.Object({ key: Type.Optional(key), category: Type.Optional(category), ...optional });

export const CreateVariable = Type.Object({ data: Type.Object({ type, attributes: NewAttributes }) });
export const UpdateVariable = Type.Object({ data: Type.Object({ type, attributes: Type.Optional(Attributes) }) });

/** Complete variables, as part of a set. */
export const VariableEntries = Type.Array(Type.Object({ type, attributes: NewAttributes }), { maxItems: MAX_ENTRIES });

/**
 * Replacement for all variables of a workspace. Entries with an id keep that variable and change the given attributes.
 */
export const ReplaceVariables = Type.Object({
  data: Type.Array(Type.Object({ type, id: Type.Optional(text(100)), attributes: Type.Optional(Attributes) }), {
    maxItems: MAX_ENTRIES,
  }),
});

/** The older way to name the workspace. */
export const CreateByRelationship = Type.Object({
  data: Type.Object({
    type,
    attributes: NewAttributes,
    relationships: Type.Object({ workspace: Type.Object({ data: Type.Object({ id: text(100) }) }) }),
  }),
});

/** Attributes from a client; absent ones stay. */
export type VariableInput = Static<typeof Attributes>;
/** One entry of ReplaceVariables. */
export type ReplacingVariable = Static<typeof ReplaceVariables>['data'][number];
