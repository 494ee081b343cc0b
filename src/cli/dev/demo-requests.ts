import type { Client } from '../client/client.ts';
import { CommandError } from '../errors/command-error.ts';

/** Returns the response to a request that makes sample data. @throws CommandError for an error */
export async function expectDone<Resource>(answer: ReturnType<Client>): Promise<{ readonly data?: Resource }> {
  const { status, body } = await answer;
  if (status >= 300) {
    throw new CommandError(
      `the sample data could not be made (${status} ${JSON.stringify(body)}); try again with --fresh`,
    );
  }
  return (body ?? {}) as { readonly data?: Resource };
}
