import { boundFingerprint, type KeyFacts, listKeys, openKeyring } from '../../storage/index.ts';
import { secretFileFinding } from '../disk/permissions.ts';
import { NotAvailable, type Subject } from '../model/check.ts';
import { type Finding, failure, skipped, success } from '../model/finding.ts';
import type { Site } from '../model/site.ts';

const DAY = 86_400_000;

/** The keys of what is encrypted. */
export const keyring: Subject = {
  name: 'keyring',
  checks: [
    { name: 'file', run: ({ config }) => secretFileFinding(config.keyringFile), isCheap: true },
    { name: 'keys', run: keys, isCheap: true },
    { name: 'database', run: database, isCheap: true },
  ],
};

async function keys({ config: { keyringFile: file }, clock }: Site): Promise<Finding> {
  const all = await listKeys(file, clock).catch((error: Error) => error);
  if (all instanceof Error)
    return failure('it cannot be used', 'restore the keyring of this installation, with mode 0600', all.message);
  const sealing = all.find(({ role }) => role === 'primary');
  const next = all.findLast(({ role }) => role === 'next');
  return success(
    [
      `${all.length} ${all.length === 1 ? 'key' : 'keys'}`,
      ...(sealing ? [`key ${sealing.version} seals${ageText(sealing, clock())}`] : []),
      ...(next ? [`key ${next.version} takes its place at ${new Date(next.sealsFrom).toISOString()}`] : []),
    ].join(', '),
    file,
  );
}

function ageText({ created }: KeyFacts, now: number): string {
  return created === undefined ? '' : `, ${Math.floor((now - created) / DAY)} d old`;
}

/** Whether what is stored was sealed by this keyring. */
async function database(site: Site): Promise<Finding> {
  const own = await openKeyring(site.config.keyringFile).catch(() => {
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
      'restore the keyring file that it was created with: without it what is sealed in the database cannot be read',
      `fingerprint ${other} in the database, ${own.fingerprint} of ${site.config.keyringFile}`,
    );
  }
  return success('the database was sealed with it', `fingerprint ${own.fingerprint}`);
}
