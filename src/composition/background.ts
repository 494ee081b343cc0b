import { ALWAYS_LEADER, type BackgroundWork, type Leadership } from '../lib/background-work.ts';
import { type FileKeyring, Resealing } from '../storage/index.ts';
import { type Databases, sealedDatabases } from './databases.ts';

/** Begins all of it, in order. What has begun ends with `opened`: in the opposite order, and before what is in there already. */
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

/** The file of the keyring is read anew when it changes; what older keys have sealed moves to the one that seals now. */
export function keyringWork(
  keyring: FileKeyring,
  databases: Databases,
  report: (error: unknown) => void,
): BackgroundWork[] {
  return [
    { start: () => keyring.follow(report), stop: () => keyring.unfollow() },
    new Resealing(sealedDatabases(databases), keyring, report),
  ];
}
