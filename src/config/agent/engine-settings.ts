import Type, { type Static } from 'typebox';
import { optional, path } from './setting.ts';

const mirror = optional(
  Type.String({ pattern: '^https?://[^/?#@\\s]+(/[^?#\\s]*)?$', maxLength: 2048 }),
  'an address without a user, such as https://mirror.example.com/opentofu',
  'It is laid out as the vendor lays out releases.',
);
const keyFile = path('a file with armored OpenPGP keys', 'RSA or Ed25519.');

/** Settings of where an agent finds engines, the same for every kind of agent. */
export const engineSettings = {
  engines: path(
    'a folder',
    'Engines by version: `opentofu/1.12.6/tofu`, `terraform/1.11.4/terraform`. Then comes the PATH. What is downloaded is put there; else `engines` in the folder of the agent.',
  ),
  engine: path('a program', 'An engine that is used whatever version a workspace wants.'),
  engine_downloads: optional(
    Type.Boolean({ default: true }),
    'true, false',
    'Whether engines that are not here are downloaded. Their checksums and signatures are checked. An agent that a server starts itself does so only if it is told to.',
  ),
  engine_mirrors: optional(
    Type.Object({ opentofu: mirror, terraform: mirror }, { additionalProperties: false }),
    'opentofu, terraform',
    'Where engines are downloaded from, in place of the vendors.',
  ),
  engine_keys: optional(
    Type.Object({ opentofu: keyFile, terraform: keyFile }, { additionalProperties: false }),
    'opentofu, terraform',
    'Who signs them, in place of the vendors.',
  ),
};

const schema = Type.Object(engineSettings);

/** Where an agent finds engines. Paths are absolute; null for what is not set. */
export interface EngineSettings {
  readonly engines: string | null;
  readonly engine: string | null;
  /** Null: engines are not downloaded. */
  readonly engineDownloads: {
    readonly mirrors: Readonly<Record<string, string>>;
    /** Files with keys, by the engine that they are for. */
    readonly keyFiles: Readonly<Record<string, string>>;
  } | null;
}

/**
 * @param downloads whether engines are downloaded, where nothing is said of it
 * @param at makes a path absolute
 */
export function toEngineSettings(
  tree: Static<typeof schema>,
  downloads: boolean,
  at: (path: string) => string = (path) => path,
): EngineSettings {
  const keyFiles = Object.entries(tree.engine_keys ?? {}).map(([kind, file]) => [kind, at(file)]);
  return {
    engines: tree.engines === undefined ? null : at(tree.engines),
    engine: tree.engine === undefined ? null : at(tree.engine),
    engineDownloads:
      (tree.engine_downloads ?? downloads)
        ? { mirrors: { ...tree.engine_mirrors }, keyFiles: Object.fromEntries(keyFiles) }
        : null,
  };
}

/** Returns them as settings of an agent. Null for what is not set. */
export const fromEngineSettings = ({ engines, engine, engineDownloads }: EngineSettings) => ({
  ...{ engines, engine, engine_downloads: engineDownloads !== null },
  ...{ engine_mirrors: engineDownloads?.mirrors ?? null, engine_keys: engineDownloads?.keyFiles ?? null },
});
