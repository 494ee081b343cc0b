import { kept } from '../../session/kept.ts';

/**
 * A recently opened item: its kind and its name. For workspaces and teams the organization (and team id) comes first.
 */
export interface Recent {
  readonly kind: 'place' | 'workspace' | 'role' | 'policy' | 'team';
  readonly names: readonly string[];
}

const list = kept('recent');
const MOST = 6;

export function readRecent(): readonly Recent[] {
  try {
    const found = JSON.parse(list.read() ?? '[]') as unknown;
    return Array.isArray(found) ? found.filter(isRecent).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** Stores names only, in this browser only. */
export function remember(one: Recent): void {
  const others = readRecent().filter((other) => JSON.stringify(other) !== JSON.stringify(one));
  list.keep(JSON.stringify([one, ...others].slice(0, MOST)));
}

/** Clears the list at sign-out, because the next user may be another person. */
export const forgetRecent = list.forget;

function isRecent(one: unknown): one is Recent {
  const { kind, names } = (one ?? {}) as Partial<Recent>;
  return typeof kind === 'string' && Array.isArray(names) && names.every((name) => typeof name === 'string');
}
