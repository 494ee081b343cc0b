import type { Config } from '../../config/index.ts';
import { type Finding, failure, skipped, success } from '../../lib/finding/finding.ts';
import { boundFingerprint, type KeyFacts, listKeys, openKeyring } from '../../storage/index.ts';
import { secretFileFinding } from '../disk/permissions.ts';
import { NotAvailable, type Subject } from '../model/check.ts';
import type { Site } from '../model/site.ts';

const DAY = 86_400_000;

/** The encryption keys. Unwrapping them may need an external service, so the check is not cheap. */
export const keyring = ({ wrap }: Config['keyring']): Subject => ({
  name: 'keyring',
  checks: [
    { name: 'file', run: ({ config }) => secretFileFinding(config.keyring.file), isCheap: true },
    { name: 'keys', run: keys, ...(!wrap && CHEAP) },
    { name: 'database', run: database, ...(!wrap && CHEAP) },
  ],
});
const CHEAP = { isCheap: true } as const;

/** Returns the keyring without retries: a check does not wait for a service that is unavailable. */
function placeOf({ keyring: { file, wrap } }: Config): Config['keyring'] {
  return { file, ...(wrap && { wrap: { ...wrap, waitSeconds: 0 } }) };
}

async function keys({ config, clock }: Site): Promise<Finding> {
  const { file, wrap } = config.keyring;
  const all = await listKeys(placeOf(config), clock).catch((error: Error) => error);
  if (all instanceof Error) {
    const advice = wrap
      ? 'make sure that the wrapping service can be reached, or open the file with `lockkeeper keyring recover`'
      : 'restore the keyring of this server, with mode 0600';
    return failure('the keyring cannot be used', advice, all.message);
  }
  const sealing = all.find(({ role }) => role === 'primary');
  const next = all.findLast(({ role }) => role === 'next');
  return success(
    [
      ...(wrap ? [`wrapped by ${wrap.by.type}`] : []),
      `${all.length} ${all.length === 1 ? 'key' : 'keys'}`,
      ...(sealing ? [`key ${sealing.version} encrypts${ageText(sealing, clock())}`] : []),
      ...(next ? [`key ${next.version} replaces it at ${new Date(next.sealsFrom).toISOString()}`] : []),
    ].join(', '),
    file,
  );
}

function ageText({ created }: KeyFacts, now: number): string {
  return created === undefined ? '' : `, ${Math.floor((now - created) / DAY)} d old`;
}

/** Checks that the database was encrypted with this keyring. */
async function database(site: Site): Promise<Finding> {
  const own = await openKeyring(placeOf(site.config)).catch(() => {
    throw new NotAvailable('the keyring cannot be used');
  });
  const { access, workspaces } = await site.stores();
  const { isFounded } = await site.schema().catch(() => ({ isFounded: true }));
  if (!isFounded) return skipped('the database has no tables yet');
  const bound = await Promise.all([access, workspaces].map(boundFingerprint));
  const other = bound.find((fingerprint) => fingerprint !== undefined && fingerprint !== own.fingerprint);
  if (other !== undefined) {
    return failure(
      'the database belongs to another keyring',
      'restore the keyring file that the database was created with: without it the encrypted data cannot be read',
      `fingerprint ${other} in the database, ${own.fingerprint} of ${site.config.keyring.file}`,
    );
  }
  return success('the database was encrypted with it', `fingerprint ${own.fingerprint}`);
}
