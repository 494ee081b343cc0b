/**
 * A recently opened item: its kind and its name. For workspaces and teams the organization (and team id) comes first.
 */
export interface Recent {
  readonly kind: 'place' | 'workspace' | 'role' | 'policy' | 'team';
  readonly names: readonly string[];
}

const KEY = 'recent';
const MOST = 6;

export function readRecent(): readonly Recent[] {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '[]') as unknown;
    return Array.isArray(kept) ? kept.filter(isRecent).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** Stores names only, in this browser only. */
export function remember(one: Recent): void {
  const others = readRecent().filter((other) => JSON.stringify(other) !== JSON.stringify(one));
  try {
    localStorage.setItem(KEY, JSON.stringify([one, ...others].slice(0, MOST)));
  } catch {
    // Without storage there is no list of recent items.
  }
}

/** Clears the list at sign-out, because the next user may be another person. */
export function forgetRecent(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Storage is not available, so there is nothing to clear.
  }
}

function isRecent(one: unknown): one is Recent {
  const { kind, names } = (one ?? {}) as Partial<Recent>;
  return typeof kind === 'string' && Array.isArray(names) && names.every((name) => typeof name === 'string');
}
