import { type Keyring, KeyringError } from '../../../storage/index.ts';
import type { Token } from '../../model/token.ts';

const PREFIX = 'lkb.';
/** Encryption context, so that no other encrypted data is accepted as a token. */
const CONTEXT = 'batch-token';

/** Defaults for tokens from older releases without these members. */
const BEFORE = { parentId: null, entityId: null, role: null, renewable: false } satisfies Partial<Token>;

/**
 * Encodes a batch token. It contains all of its data, encrypted with the keyring, so that a million of them need no
 * storage.
 */
export function sealBatchToken(keyring: Keyring, token: Token): string {
  const sealed = keyring.encrypt(Buffer.from(JSON.stringify(token)), CONTEXT);
  return PREFIX + Buffer.from(sealed).toString('base64url');
}

export const isBatchText = (text: string): boolean => text.startsWith(PREFIX);

/**
 * Decodes a batch token. Returns undefined for a text that this keyring did not encrypt, and for another encoding of
 * the same bytes: audit hashes and deny lists identify tokens by their text.
 */
export function openBatchToken(keyring: Keyring, text: string): Token | undefined {
  try {
    const spelled = text.slice(PREFIX.length);
    const sealed = Buffer.from(spelled, 'base64url');
    // Node ignores invalid characters, and accepts the other base64 alphabet, padding and surplus bits.
    if (sealed.toString('base64url') !== spelled) return undefined;
    return { ...BEFORE, ...(JSON.parse(Buffer.from(keyring.decrypt(sealed, CONTEXT)).toString()) as Token) };
  } catch (error) {
    if (error instanceof KeyringError) return undefined;
    throw error;
  }
}
