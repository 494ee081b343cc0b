import Type, { type Static } from 'typebox';
import { defaulted, optional, optionalPath } from '../setting.ts';

const mirror = optional(
  Type.String({ pattern: '^https?://[^/?#@\\s]+(/[^?#\\s]*)?$', maxLength: 2048 }),
  'a URL without a user name, such as https://mirror.example.com/opentofu',
  "The mirror has the layout of the vendor's release server.",
);
const keyFile = optionalPath('a file with armored OpenPGP keys', 'RSA or Ed25519.');

/** Settings that say where an agent finds engines. Every kind of agent has them. @param downloads by default */
export const engineSettings = (downloads: boolean) => ({
  engines: optionalPath(
    'a folder',
    "Engines by version: `opentofu/1.12.6/tofu`, `terraform/1.11.4/terraform`. The PATH is searched next. Downloads are stored in this folder. Default: `engines` in the agent's folder.",
  ),
  engine: optionalPath('a program', 'Engine for all runs, regardless of the version that a workspace requests.'),
  engine_downloads: defaulted(
    Type.Boolean({ default: downloads }),
    'true, false',
    'Whether missing engines are downloaded. Checksums and signatures are verified. Default: true; false for the embedded agent.',
  ),
  engine_mirrors: optional(
    Type.Object({ opentofu: mirror, terraform: mirror }, { additionalProperties: false }),
    'opentofu, terraform',
    'URL of a mirror that engines are downloaded from, instead of the vendor.',
  ),
  engine_keys: optional(
    Type.Object({ opentofu: keyFile, terraform: keyFile }, { additionalProperties: false }),
    'opentofu, terraform',
    "File with the keys that sign the downloads, instead of the vendor's keys.",
  ),
});

const schema = Type.Object(engineSettings(true));

/** Sources of engines for an agent. Paths are absolute. Settings without a value are null. */
export interface EngineSettings {
  readonly engines: string | null;
  readonly engine: string | null;
  /** Download of engines. Null if engines are not downloaded. */
  readonly engineDownloads: {
    readonly mirrors: Readonly<Record<string, string>>;
    /** Files with OpenPGP keys, by engine. */
    readonly keyFiles: Readonly<Record<string, string>>;
  } | null;
}

/** @param at makes a path absolute */
export function toEngineSettings(
  tree: Static<typeof schema>,
  at: (path: string) => string = (path) => path,
): EngineSettings {
  const keyFiles = Object.entries(tree.engine_keys ?? {}).map(([kind, file]) => [kind, at(file)]);
  return {
    engines: tree.engines === undefined ? null : at(tree.engines),
    engine: tree.engine === undefined ? null : at(tree.engine),
    engineDownloads: tree.engine_downloads
      ? { mirrors: { ...tree.engine_mirrors }, keyFiles: Object.fromEntries(keyFiles) }
      : null,
  };
}

/** Returns the engine settings in the agent's form. Settings without a value are null. */
export const fromEngineSettings = ({ engines, engine, engineDownloads }: EngineSettings) => ({
  ...{ engines, engine, engine_downloads: engineDownloads !== null },
  ...{ engine_mirrors: engineDownloads?.mirrors ?? null, engine_keys: engineDownloads?.keyFiles ?? null },
});
