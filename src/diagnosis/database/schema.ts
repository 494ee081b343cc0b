import { type Finding, failure, success, warning } from '../../lib/finding/finding.ts';
import type { Check } from '../model/check.ts';
import type { Site } from '../model/site.ts';

/** Whether the tables are those that this program needs. */
export const schema: Check = { name: 'schema', run: standing, isCheap: true };

async function standing(site: Site): Promise<Finding> {
  const stores = await site.stores().catch((error: Error) => error);
  if (stores instanceof Error) {
    if (!(stores.cause instanceof Error)) throw stores;
    return failure('it cannot be opened', 'put right what its text names', reasonOf(stores.cause));
  }
  const state = await site.schema().catch((error: Error) => error);
  if (state instanceof Error) {
    return failure('this program cannot work with it', 'run the version that its text names', state.message);
  }
  const { isFounded, pending, ahead } = state;
  if (!isFounded) return failure('there are no tables', 'run lockkeeper init');
  if (pending.length > 0) {
    const found = `older than this program: ${pending.length} ${pending.length === 1 ? 'step' : 'steps'} to be applied`;
    return warning(
      found,
      'see what they do with lockkeeper migrate --check; a server that starts applies them',
      pending.join(', '),
    );
  }
  if (ahead.length === 0) return success('up to date');
  return success('a newer version has added to it; this program goes on beside it', ahead.join(', '));
}

/** What the caller of an API is not told. */
function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
