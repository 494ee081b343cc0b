import type { Keyring } from '../../../storage/index.ts';

// 43 characters of base64url hold two bits more than the 32 bytes: only those that are zero there are ours.
const TEXT = /^lkr\.(taskrs-[1-9A-Za-z]{16})\.([A-Za-z0-9_-]{42}[AEIMQUYcgkosw048])$/;
const PURPOSE = 'task-result';

/**
 * What a service proves itself by when it says what it thinks of a run: `lkr.<id of the result>.<keyed hash>`. It opens that one
 * result, as long as that is waited for; the same text is sent with each try of a request.
 */
export function callbackToken(keyring: Keyring, resultId: string): string {
  return `lkr.${resultId}.${Buffer.from(keyring.hash(resultId, PURPOSE)).toString('base64url')}`;
}

/** Whether a text is meant to be such a token. */
export const isCallbackToken = (text: string): boolean => text.startsWith('lkr.');

/** The result that a text opens; undefined for a text that is none of ours. In constant time. */
export function resultOpenedBy(keyring: Keyring, text: string): string | undefined {
  const [, id = '', hash = ''] = TEXT.exec(text) ?? [];
  return id !== '' && keyring.matches(id, PURPOSE, Buffer.from(hash, 'base64url')) ? id : undefined;
}
