import { CommandError } from '../errors/command-error.ts';
import { EXIT } from '../errors/exit-codes.ts';
import type { KeyUse } from './keyring-use.ts';

/** What a batch token may live for, in seconds (0: it may be dropped), and the time, in milliseconds. */
export interface PruneTerms {
  readonly batchTokenLife: number;
  readonly now: number;
}

/** @throws CommandError that says why a key has to stay, and until when */
export function requirePrunable(key: number, uses: readonly KeyUse[], { batchTokenLife, now }: PruneTerms): void {
  const use = uses.find((one) => one.key === key);
  if (use === undefined || use.role === 'missing') throw new CommandError(`there is no key ${key}`, EXIT.notFound);
  if (use.role !== 'old')
    throw kept(`key ${key} seals what is written ${use.role === 'next' ? 'soon' : 'now'}: it stays`);
  if (use.values > 0) {
    const columns = Object.entries(use.columns).map(([column, count]) => `${column} ${count}`);
    throw kept(
      `key ${key} has sealed ${use.values} values that are still there (${columns.join(', ')}): it stays. ` +
        'A server that runs seals them anew; look again with `lockkeeper keyring list`',
    );
  }
  const until = lastSealed(key, uses) + batchTokenLife * 1000;
  if (batchTokenLife > 0 && now < until) {
    throw kept(
      `batch tokens that key ${key} has sealed may be in use until ${new Date(until).toISOString()}: it stays. ` +
        'With --drop-batch-tokens it goes, and they stop working',
    );
  }
}

/** @throws CommandError where a newer version may have sealed what this one does not see */
export function requireAllCounted(ahead: readonly string[]): void {
  if (ahead.length === 0) return;
  throw kept(
    `a newer version has used the database (${ahead.at(-1)}), and may have sealed what this one does not count: run its \`keyring prune\``,
  );
}

/** When the next key took its place. */
function lastSealed(key: number, uses: readonly KeyUse[]): number {
  const next = uses.findLast((one) => one.key > key && one.role !== 'missing');
  return Date.parse(next?.seals_from ?? next?.created ?? '') || 0;
}

function kept(message: string): CommandError {
  return new CommandError(message, EXIT.conflict);
}
