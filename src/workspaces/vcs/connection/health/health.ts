import type { ProviderError } from '../../provider/provider-error.ts';
import type { ConnectionStatus } from '../connection.ts';

/** Result of a check. */
export interface Checked {
  readonly status: ConnectionStatus;
  /** Reason for the owner of the connection; null if the status is ok. */
  readonly reason: string | null;
  /** Account of the credential; undefined keeps the known one. */
  readonly account?: string | undefined;
  /** Scopes that the provider reports; undefined keeps the known ones. */
  readonly scopes?: readonly string[] | undefined;
}

/** Converts the failure of a request. */
export function failedCheck(error: ProviderError): Checked {
  const isRefused = error.kind === 'refused' || error.kind === 'forbidden';
  return { status: isRefused ? 'refused' : 'unreachable', reason: error.message };
}

/** Scopes that the server never needs, and that would do much harm in the wrong hands. */
const TOO_WIDE: ReadonlySet<string> = new Set([
  'admin:enterprise',
  'admin:gpg_key',
  'admin:org',
  'admin:org_hook',
  'admin:public_key',
  'admin:ssh_signing_key',
  'all',
  'delete:packages',
  'delete_repo',
  'site_admin',
  'sudo',
  'admin_mode',
  'write:admin',
  'write:organization',
  'write:user',
]);

/** Returns the scopes that are wider than the server needs. */
export const excessScopes = (scopes: readonly string[]): string[] => scopes.filter((scope) => TOO_WIDE.has(scope));
