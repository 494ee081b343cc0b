import { createHash } from 'node:crypto';
import type { RawDelivery, Sender } from './port.ts';
import { linkUrl, titleText } from './text.ts';

/** Form of an id that a header may have. */
const ID = /^[\x21-\x7e]{1,200}$/;

/** Returns the id of a delivery: the first of some headers that has one, else the hash of the body. */
export function idOfDelivery({ headers, body }: RawDelivery, ...names: readonly string[]): string {
  const id = names.map((name) => headers[name]).find((value) => value !== undefined && ID.test(value));
  return id ?? createHash('sha256').update(body).digest('hex');
}

/** Returns an object id; null for the zeros by which providers say that there is none, and for an abbreviated id. */
export function objectId(text: string | null | undefined): string | null {
  return text && /^[0-9a-f]{40}$/.test(text) && !/^0+$/.test(text) ? text : null;
}

/** Creates the person of an event from a provider's texts. */
export function senderOf(person: {
  readonly name: string | null | undefined;
  readonly avatarUrl?: string | null | undefined;
  readonly url?: string | null | undefined;
}): Sender {
  return { name: titleText(person.name), avatarUrl: linkUrl(person.avatarUrl), url: linkUrl(person.url) };
}
