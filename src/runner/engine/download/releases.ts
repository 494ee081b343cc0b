import type { EngineKind } from '../../job.ts';
import { PLATFORM } from '../platform.ts';

/** Where a release lies, and what it is called there. */
export interface Release {
  readonly zip: string;
  readonly sums: string;
  readonly signature: string;
  /** As the sums call it. */
  readonly name: string;
}

/** The vendors' own. A mirror is laid out like them. */
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

/** The release for this machine. */
export function releaseOf(kind: EngineKind, version: string, base: string): Release {
  const { prefix, folder, signature } = LAYOUTS[kind];
  const place = `${base.replace(/\/+$/, '')}/${folder(version)}`;
  const name = `${prefix}_${version}_${PLATFORM}.zip`;
  const sums = `${place}/${prefix}_${version}_SHA256SUMS`;
  return { zip: `${place}/${name}`, sums, signature: `${sums}${signature}`, name };
}

/**
 * The SHA-256 of a file, in hexadecimal.
 * @param sums as `sha256sum` prints them
 * @throws Error where it is not among them
 */
export function sumOf(name: string, sums: string): string {
  for (const line of sums.split('\n')) {
    const [, sum, file] = /^([0-9a-f]{64}) [ *](\S+)\s*$/i.exec(line) ?? [];
    if (sum !== undefined && file === name) return sum.toLowerCase();
  }
  throw new Error(`${name} is not among its checksums: there may be none for this machine`);
}
