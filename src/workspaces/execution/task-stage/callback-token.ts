import type { Keyring } from '../../../storage/index.ts';

// 43 base64url characters hold two bits more than 32 bytes. Only the encoding with zero bits is accepted.
const TEXT = /^lkr\.(taskrs-[1-9A-Za-z]{16})\.([A-Za-z0-9_-]{42}[AEIMQUYcgkosw048])$/;
const PURPOSE = 'task-result';

/**
 * Returns the callback token of a result: `lkr.<id of the result>.<keyed hash>`. It gives access to that result until
 * the result is final. Every try of a request sends the same token.
 */
export function callbackToken(keyring: Keyring, resultId: string): string {
  return `lkr.${resultId}.${Buffer.from(keyring.hash(resultId, PURPOSE)).toString('base64url')}`;
}

/** Returns whether a text has the prefix of such tokens. */
export const isCallbackToken = (text: string): boolean => text.startsWith('lkr.');

/** Returns the result id of a token; undefined for an invalid one. Compares in constant time. */
export function resultOpenedBy(keyring: Keyring, text: string): string | undefined {
  const [, id = '', hash = ''] = TEXT.exec(text) ?? [];
  return id !== '' && keyring.matches(id, PURPOSE, Buffer.from(hash, 'base64url')) ? id : undefined;
}
