import { type Keyring, KeyringError } from '../../../storage/index.ts';
import type { Token } from '../../model/token.ts';

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

/**
 * Undefined for a text that this keyring did not seal, and for any other spelling of one that it did: what tells tokens by their
 * texts (the audit record's hashes, a deny list in front) is to know all of them.
 */
export function openBatchToken(keyring: Keyring, text: string): Token | undefined {
  try {
    const spelled = text.slice(PREFIX.length);
    const sealed = Buffer.from(spelled, 'base64url');
    // Node skips what is no base64url, and takes its other alphabet, padding and bits behind the end.
    if (sealed.toString('base64url') !== spelled) return undefined;
    return { ...BEFORE, ...(JSON.parse(Buffer.from(keyring.decrypt(sealed, CONTEXT)).toString()) as Token) };
  } catch (error) {
    if (error instanceof KeyringError) return undefined;
    throw error;
  }
}
