import { type Finding, failure, success, warning } from '../../lib/finding/finding.ts';
import type { Check } from '../model/check.ts';
import type { Site } from '../model/site.ts';

/** Whether the database has the schema that this version needs. */
export const schema: Check = { name: 'schema', run: standing, isCheap: true };

async function standing(site: Site): Promise<Finding> {
  const stores = await site.stores().catch((error: Error) => error);
  if (stores instanceof Error) {
    if (!(stores.cause instanceof Error)) throw stores;
    return failure('the database cannot be opened', 'fix the reported problem', reasonOf(stores.cause));
  }
  const state = await site.schema().catch((error: Error) => error);
  if (state instanceof Error) {
    return failure(
      'this version cannot work with the database',
      'run the version that the message names',
      state.message,
    );
  }
  const { isFounded, pending, ahead } = state;
  if (!isFounded) return failure('there are no tables', 'run lockkeeper init');
  if (pending.length > 0) {
    const found = `older than this version: ${pending.length} ${pending.length === 1 ? 'migration' : 'migrations'} to be applied`;
    return warning(
      found,
      'review them with lockkeeper migrate --check; the next start of the server applies them',
      pending.join(', '),
    );
  }
  if (ahead.length === 0) return success('up to date');
  return success('a newer version has added to it; this version can still work with it', ahead.join(', '));
}

/** Returns the message with its cause, which callers of the APIs do not see. */
function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
