import { blockOf, CidrError } from '../../../lib/cidr.ts';
import { AppError } from '../../../lib/errors.ts';

/** What a role says about where its tokens may be used. */
interface Binding {
  readonly token_bound_cidrs: readonly string[];
  /** Where they were asked for, and nowhere else. */
  readonly token_strictly_bind_ip: boolean;
}

/** @throws AppError bad-request when both are set */
export function assertOneBinding({ token_bound_cidrs: blocks, token_strictly_bind_ip: strictly }: Binding): void {
  if (!strictly || blocks.length === 0) return;
  throw new AppError('bad-request', "'token_strictly_bind_ip' conflicts with 'token_bound_cidrs'; set only one");
}

/**
 * The blocks of a token that is asked for from an address.
 * @throws AppError bad-request when it is to be bound to an address that is not known
 */
export function blocksFor({ token_bound_cidrs: blocks, token_strictly_bind_ip: strictly }: Binding, address: string) {
  if (!strictly) return blocks;
  try {
    return [blockOf(address)];
  } catch (error) {
    if (!(error instanceof CidrError)) throw error;
    throw new AppError('bad-request', 'the token is to be bound to the address of the request, which is not known');
  }
}
