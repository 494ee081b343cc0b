import type { EngineKind } from '../../job.ts';
import { PLATFORM } from '../platform.ts';

/** URLs of a release, and the name of its archive. */
export interface Release {
  readonly zip: string;
  readonly sums: string;
  readonly signature: string;
  /** Name of the archive in the checksum file. */
  readonly name: string;
}

/** Download URLs of the vendors. Mirrors have the same layout. */
export const VENDORS: Readonly<Record<EngineKind, string>> = {
  opentofu: 'https://github.com/opentofu/opentofu/releases/download',
  terraform: 'https://releases.hashicorp.com/terraform',
};

const LAYOUTS: Readonly<
  Record<EngineKind, { readonly prefix: string; folder(version: string): string; readonly signature: string }>
> = {
  opentofu: { prefix: 'tofu', folder: (version) => `v${version}`, signature: '.gpgsig' },
  terraform: { prefix: 'terraform', folder: (version) => version, signature: '.sig' },
};

/** Returns the release for this platform. */
export function releaseOf(kind: EngineKind, version: string, base: string): Release {
  const { prefix, folder, signature } = LAYOUTS[kind];
  const place = `${base.replace(/\/+$/, '')}/${folder(version)}`;
  const name = `${prefix}_${version}_${PLATFORM}.zip`;
  const sums = `${place}/${prefix}_${version}_SHA256SUMS`;
  return { zip: `${place}/${name}`, sums, signature: `${sums}${signature}`, name };
}

/**
 * Finds the SHA-256 of a file, in hexadecimal.
 * @param sums checksum file in the format of `sha256sum`
 * @throws Error if the file is not listed
 */
export function sumOf(name: string, sums: string): string {
  for (const line of sums.split('\n')) {
    const [, sum, file] = /^([0-9a-f]{64}) [ *](\S+)\s*$/i.exec(line) ?? [];
    if (sum !== undefined && file === name) return sum.toLowerCase();
  }
  throw new Error(`${name} is not in the checksum file: this platform may not be supported`);
}
