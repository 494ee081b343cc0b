import { CommandError } from '../errors/command-error.ts';
import { EXIT } from '../errors/exit-codes.ts';
import type { KeyUse } from './keyring-use.ts';

/** Maximum lifetime of a batch token in seconds (0: batch tokens may be dropped), and the current time in milliseconds. */
export interface PruneTerms {
  readonly batchTokenLife: number;
  readonly now: number;
}

/** @throws CommandError with the reason why the key must stay, and until when */
export function requirePrunable(key: number, uses: readonly KeyUse[], { batchTokenLife, now }: PruneTerms): void {
  const use = uses.find((one) => one.key === key);
  if (use === undefined || use.role === 'missing') throw new CommandError(`no such key: ${key}`, EXIT.notFound);
  if (use.role !== 'old')
    throw kept(`key ${key} encrypts new values ${use.role === 'next' ? 'soon' : 'now'}, so it must stay`);
  if (use.values > 0) {
    const columns = Object.entries(use.columns).map(([column, count]) => `${column} ${count}`);
    throw kept(
      `key ${key} encrypts ${use.values} values that are still there (${columns.join(', ')}), so the key must stay. ` +
        'A running server re-encrypts them in the background; check with `lockkeeper keyring list`',
    );
  }
  const until = lastSealed(key, uses) + batchTokenLife * 1000;
  if (batchTokenLife > 0 && now < until) {
    throw kept(
      `batch tokens encrypted with key ${key} may be in use until ${new Date(until).toISOString()}, so the key must stay. ` +
        'Use --drop-batch-tokens to remove the key and invalidate these tokens',
    );
  }
}

/** @throws CommandError if a newer version may have encrypted values that this one does not know */
export function requireAllCounted(ahead: readonly string[]): void {
  if (ahead.length === 0) return;
  throw kept(
    `a newer version has used the database (${ahead.at(-1)}) and may have encrypted values that this version does not know. Run \`keyring prune\` of the newer version`,
  );
}

/** Time at which the next key replaced it. */
function lastSealed(key: number, uses: readonly KeyUse[]): number {
  const next = uses.findLast((one) => one.key > key && one.role !== 'missing');
  return Date.parse(next?.seals_from ?? next?.created ?? '') || 0;
}

function kept(message: string): CommandError {
  return new CommandError(message, EXIT.conflict);
}
