import { byTime, type Header, MAX_HEADER, openEnvelope } from '../../backup/index.ts';
import { placeOf } from '../../composition/index.ts';
import type { Keyring } from '../../storage/index.ts';
import { usageError } from '../errors/command-error.ts';
import { table } from '../output/table.ts';
import { readConfigFile } from '../process/config-file.ts';
import { openKeyringOf } from '../process/keyring.ts';
import { absoluteLocation, type BackupOptions, megabytes, printJson } from './places.ts';

interface Listed {
  readonly backup: string;
  /** Creation time (RFC 3339). Null if the header has none. */
  readonly created_at: string | null;
  readonly version: string | null;
  readonly bytes: number;
  /** Whether this keyring can decrypt it, or the reason why not. */
  readonly opens: 'yes' | 'another keyring' | 'key is missing' | 'damaged';
}

/** Only a damaged backup has a header above MAX_HEADER bytes. */
const HEAD_BYTES = 2 * MAX_HEADER;

export async function list(said: string | undefined, options: BackupOptions): Promise<void> {
  const config = readConfigFile(options);
  const keyring = await openKeyringOf(config);
  const { place, name } = await placeOf(config, absoluteLocation(said));
  try {
    if (name !== undefined)
      throw usageError(`${said ?? name}: expected a folder, or s3://bucket/prefix/ with a trailing slash`);
    const listed: Listed[] = [];
    for (const found of byTime(await place.list())) {
      const opened = await openEnvelope(await place.read(found.name, HEAD_BYTES)).catch(() => undefined);
      const { created_at = null, version = null } = opened?.header ?? {};
      listed.push({
        backup: found.name,
        created_at,
        version,
        bytes: found.bytes,
        opens: opensBy(opened?.header, keyring),
      });
    }
    if (options.format === 'json') printJson({ place: place.address, backups: listed });
    else if (listed.length === 0) process.stdout.write(`no backups in ${place.address}\n`);
    else process.stdout.write(table(listed.map(({ bytes, ...rest }) => ({ ...rest, size: megabytes(bytes) }))));
  } finally {
    place.close();
  }
}

function opensBy(header: Header | undefined, keyring: Keyring): Listed['opens'] {
  if (header === undefined) return 'damaged';
  if (header.fingerprint !== keyring.fingerprint) return 'another keyring';
  return keyring.versions.includes(header.key) ? 'yes' : 'key is missing';
}
