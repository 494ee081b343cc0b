import { LRUCache } from 'lru-cache';
import type { AliasKey, KnownAlias } from './login-store.ts';

/** @limit aliases of recent logins in memory (estimated), bytes -> the least recently used one is read again */
const MOST_BYTES = 4 * 1024 * 1024;
const ENTRY_BYTES = 500;

interface Remembered {
  readonly mountVersion: number;
  readonly alias: KnownAlias;
}

/**
 * Cache of aliases from recent logins (optimistic concurrency). Entries are valid while neither the identities nor
 * the mount change. Both have a version, and a caller must check both versions in its following write.
 */
export class KnownAliases {
  readonly #kept = new LRUCache<string, Remembered>({ maxSize: MOST_BYTES });

  find(key: AliasKey, mountVersion: number): KnownAlias | undefined {
    const known = this.#kept.get(textOf(key));
    return known?.mountVersion === mountVersion ? known.alias : undefined;
  }

  /** Caches an alias. Skips aliases with metadata, which logins change without a new version, and disabled entities. */
  keep(key: AliasKey, mountVersion: number, alias: KnownAlias): void {
    if (alias.metadata !== null || alias.disabled === 1) return;
    const text = textOf(key);
    if (this.#kept.get(text)?.alias !== alias) {
      this.#kept.set(text, { mountVersion, alias }, { size: ENTRY_BYTES + text.length });
    }
  }
}

const textOf = ({ mountId, name, issuer }: AliasKey): string => `${mountId}/${issuer}/${name}`;
