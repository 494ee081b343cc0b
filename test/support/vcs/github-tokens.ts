import type { FakeState } from './fake-state.ts';

/** Permissions of a token of an installation. */
export interface InstallationToken {
  readonly installationId: number;
  readonly repositoryIds: readonly number[];
  readonly permissions: object;
}

const tokens = new WeakMap<FakeState, Map<string, InstallationToken>>();

/** Returns the tokens of a fake, which may be changed. */
export function installationTokens(state: FakeState): Map<string, InstallationToken> {
  const known = tokens.get(state) ?? new Map<string, InstallationToken>();
  tokens.set(state, known);
  return known;
}

/** Returns what a token may do. */
export function grantOf(state: FakeState, token: string): InstallationToken | undefined {
  return tokens.get(state)?.get(token);
}

export function isInstallationToken(state: FakeState, authorization: string | undefined): boolean {
  return grantOf(state, (authorization ?? '').replace(/^\S+ /, '')) !== undefined;
}
