import { blockOf, CidrError } from '../../../lib/cidr.ts';
import { AppError } from '../../../lib/errors.ts';

/** Settings of a role that bind tokens to IP addresses. */
interface Binding {
  readonly token_bound_cidrs: readonly string[];
  /** Binds a token to the IP address of its request. */
  readonly token_strictly_bind_ip: boolean;
}

/** @throws AppError bad-request if both are set */
export function assertOneBinding({ token_bound_cidrs: blocks, token_strictly_bind_ip: strictly }: Binding): void {
  if (!strictly || blocks.length === 0) return;
  throw new AppError('bad-request', "'token_strictly_bind_ip' conflicts with 'token_bound_cidrs'; set only one");
}

/**
 * Returns the blocks of a token that is requested from an address.
 * @throws AppError bad-request if the token must be bound to an unknown address
 */
export function blocksFor({ token_bound_cidrs: blocks, token_strictly_bind_ip: strictly }: Binding, address: string) {
  if (!strictly) return blocks;
  try {
    return [blockOf(address)];
  } catch (error) {
    if (!(error instanceof CidrError)) throw error;
    throw new AppError('bad-request', 'the token must be bound to the IP address of the request, which is unknown');
  }
}
