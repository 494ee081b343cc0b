import { AppError } from '../../lib/errors.ts';
import { isRoot, type Token } from '../tokens/token.ts';

export type Capability = 'create' | 'read' | 'update' | 'delete' | 'list' | 'sudo';

/** What the `default` policy lets every token do with itself. */
const DEFAULT_POLICY: Readonly<Record<string, Capability>> = {
  'auth/token/lookup-self': 'read',
  'auth/token/renew-self': 'update',
  'auth/token/revoke-self': 'update',
};

/**
 * @param path as in a policy: without `/v1/`, without a leading slash.
 * @throws AppError forbidden
 */
export function authorize(token: Token, capability: Capability, path: string): void {
  if (isRoot(token)) return;
  if (token.policies.includes('default') && DEFAULT_POLICY[path] === capability) return;
  throw new AppError('forbidden', '1 error occurred:\n\t* permission denied\n\n');
}
