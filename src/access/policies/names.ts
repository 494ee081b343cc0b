/** Policy names as they are compared and stored: trimmed, lower-cased, each once, sorted. */
export function normalizePolicies(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.trim().toLowerCase()).filter((name) => name !== ''))].sort();
}

/** What a token gets: the given ones, and `default` unless it is ruled out. */
export function tokenPolicies(names: readonly string[], withoutDefault: boolean): string[] {
  return normalizePolicies(withoutDefault ? names : [...names, 'default']);
}
