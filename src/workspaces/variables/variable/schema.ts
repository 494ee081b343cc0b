import { type Static, Type } from 'typebox';
import { text, typed } from '../../jsonapi/schema.ts';
import { VariableResource } from './resource.ts';

/**
 * Maximum number of variables in one request.
 * @limit variables in one request, variables -> 422
 */
const MAX_ENTRIES = 500;

const type = typed('vars');
const { create, update } = VariableResource;

export const CreateVariable = Type.Object({ data: Type.Object({ type, attributes: create }) });
export const UpdateVariable = Type.Object({ data: Type.Object({ type, attributes: Type.Optional(update) }) });

/** Complete variables, as part of a set. */
export const VariableEntries = Type.Array(Type.Object({ type, attributes: create }), { maxItems: MAX_ENTRIES });

/**
 * Replacement for all variables of a workspace. Entries with an id keep that variable and change the given attributes.
 */
export const ReplaceVariables = Type.Object({
  data: Type.Array(Type.Object({ type, id: Type.Optional(text(100)), attributes: Type.Optional(update) }), {
    maxItems: MAX_ENTRIES,
  }),
});

/** The older way to name the workspace. */
export const CreateByRelationship = Type.Object({
  data: Type.Object({
    type,
    attributes: create,
    relationships: Type.Object({ workspace: Type.Object({ data: Type.Object({ id: text(100) }) }) }),
  }),
});

/** Attributes from a client; absent ones stay. */
export type VariableInput = Static<typeof update>;
/** One entry of ReplaceVariables. */
export type ReplacingVariable = Static<typeof ReplaceVariables>['data'][number];
