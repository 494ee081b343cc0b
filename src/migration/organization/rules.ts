import type { Item, MissingSecret } from '../model/item.ts';
import type { PlanRules } from '../plan/plan.ts';
import { kindNamed } from './kinds/index.ts';
import { VARIABLE_KINDS } from './kinds/variables.ts';

/** Returns the rules by which items of an organization are compared; undefined for unknown kinds. */
export function organizationRules(name: string): PlanRules | undefined {
  const kind = kindNamed(name);
  if (kind === undefined) return undefined;
  return {
    words: kind.words,
    links: kind.links ?? {},
    ...(kind.owner !== undefined && { owner: kind.owner }),
    ...(kind.cannotCreate !== undefined && { cannotCreate: kind.cannotCreate }),
    ...(kind.cannotUpdate && { cannotUpdate: true }),
    ...(VARIABLE_KINDS.has(name) && { secretOf }),
  };
}

/** Returns the secret of a sensitive variable, whose value no server returns. */
function secretOf({ kind, owner, attributes }: Item): MissingSecret | undefined {
  const { sensitive, key, category, value } = attributes;
  if (sensitive !== true || (typeof value === 'string' && value !== '')) return undefined;
  const ownerKind = kind === 'variables' ? 'workspaces' : 'varsets';
  return { ownerKind, owner, name: String(key), category: String(category) };
}
