import { type Keyring, KeyringError } from '../../storage/index.ts';
import type { Token } from './token.ts';

const PREFIX = 'lkb.';
/** What the keyring seals it as: nothing else that is sealed can pass for a token. */
const CONTEXT = 'batch-token';

/** What tokens that were sealed before these members came are read with. */
const BEFORE = { parentId: null, entityId: null, role: null, renewable: false } satisfies Partial<Token>;

/** A batch token carries its whole record, sealed by the keyring, so that a million of them cost no storage. */
export function sealBatchToken(keyring: Keyring, token: Token): string {
  const sealed = keyring.encrypt(Buffer.from(JSON.stringify(token)), CONTEXT);
  return PREFIX + Buffer.from(sealed).toString('base64url');
}

export const isBatchText = (text: string): boolean => text.startsWith(PREFIX);

/** Undefined for a text that this keyring did not seal. */
export function openBatchToken(keyring: Keyring, text: string): Token | undefined {
  try {
    const sealed = Buffer.from(text.slice(PREFIX.length), 'base64url');
    return { ...BEFORE, ...(JSON.parse(Buffer.from(keyring.decrypt(sealed, CONTEXT)).toString()) as Token) };
  } catch (error) {
    if (error instanceof KeyringError) return undefined;
    throw error;
  }
}
