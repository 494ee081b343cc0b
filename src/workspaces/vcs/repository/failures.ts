import { GitError, type GitErrorKind } from '../../../git/index.ts';
import { ProviderError, type ProviderErrorKind } from '../provider/provider-error.ts';
import type { Health, HealthReport } from './repository.ts';

/** Failure at a provider or Git server, for the owner of the connection. */
export interface Failure extends HealthReport {
  readonly reason: string;
  /** Whether the same request may succeed later without a change by a user. */
  readonly isTemporary: boolean;
  /** Whether the provider says that there is no such repository or commit. */
  readonly isGone: boolean;
  /** Milliseconds until another request makes sense, if the provider says so. */
  readonly retryAfterMs: number;
}

const OF_GIT: Readonly<Record<GitErrorKind, Health>> = {
  unreachable: 'unreachable',
  refused: 'forbidden',
  gone: 'gone',
  unsupported: 'unreachable',
  limit: 'unreachable',
  invalid: 'unreachable',
};
const OF_PROVIDER: Readonly<Record<ProviderErrorKind, Health>> = {
  refused: 'forbidden',
  forbidden: 'forbidden',
  limited: 'unreachable',
  unreachable: 'unreachable',
  invalid: 'unreachable',
  rejected: 'unreachable',
};

/** Converts an error of a provider or Git server. @throws all other errors */
export function failureOf(error: unknown): Failure {
  if (error instanceof GitError) {
    const { kind, message: reason } = error;
    const isTemporary = kind === 'unreachable';
    return { health: OF_GIT[kind], reason, isTemporary, isGone: kind === 'gone', retryAfterMs: 0 };
  }
  if (error instanceof ProviderError) {
    const { kind, message: reason, isTemporary, retryAfterMs = 0 } = error;
    return { health: OF_PROVIDER[kind], reason, isTemporary, isGone: false, retryAfterMs };
  }
  throw error;
}

/** Failure for a repository that the provider does not show. */
export const NO_REPOSITORY: Failure = {
  health: 'gone',
  reason: 'The provider has no such repository, or the connection may not read it',
  isTemporary: false,
  isGone: true,
  retryAfterMs: 0,
};
