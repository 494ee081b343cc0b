import { LRUCache } from 'lru-cache';
import type { AliasKey, KnownAlias } from './login-store.ts';

/** @limit aliases of the last logins in memory, estimated, bytes -> the one unused for longest is read again */
const MOST_BYTES = 4 * 1024 * 1024;
const ENTRY_BYTES = 500;

interface Remembered {
  readonly mountVersion: number;
  readonly alias: KnownAlias;
}

/**
 * What the last logins have read of aliases. It holds for as long as nobody has changed an identity or the mount: both have a
 * version, and whoever makes use of this has to make sure of them in the write that follows.
 */
export class KnownAliases {
  readonly #kept = new LRUCache<string, Remembered>({ maxSize: MOST_BYTES });

  find(key: AliasKey, mountVersion: number): KnownAlias | undefined {
    const known = this.#kept.get(textOf(key));
    return known?.mountVersion === mountVersion ? known.alias : undefined;
  }

  /** Not what logins change themselves, which has no version: metadata. Nor whom a login is refused for. */
  keep(key: AliasKey, mountVersion: number, alias: KnownAlias): void {
    if (alias.metadata !== null || alias.disabled === 1) return;
    const text = textOf(key);
    if (this.#kept.get(text)?.alias !== alias) {
      this.#kept.set(text, { mountVersion, alias }, { size: ENTRY_BYTES + text.length });
    }
  }
}

const textOf = ({ mountId, name, issuer }: AliasKey): string => `${mountId}/${issuer}/${name}`;
