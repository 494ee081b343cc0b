import { ALWAYS_LEADER, type BackgroundWork, type Leadership } from '../../lib/background/background-work.ts';
import { type FileKeyring, Resealing } from '../../storage/index.ts';
import { type Databases, sealedDatabases } from '../databases.ts';

/**
 * Starts the background tasks in order. When `opened` is closed, they stop in reverse order, before its earlier
 * entries.
 */
export async function startAll(
  works: readonly BackgroundWork[],
  opened: AsyncDisposableStack,
  leadership: Leadership = ALWAYS_LEADER,
): Promise<void> {
  for (const work of works) {
    await work.start(leadership);
    opened.defer(() => work.stop());
  }
}

/** Reloads the keyring when its file changes, and re-encrypts values of older keys with the active key. */
export function keyringWork(
  keyring: FileKeyring,
  databases: Databases,
  report: (error: unknown) => void,
): BackgroundWork[] {
  return [keyring.following(report), new Resealing(sealedDatabases(databases), keyring, report)];
}
