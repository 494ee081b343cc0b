import Type, { type Static } from 'typebox';
import { senderOf } from '../delivery.ts';
import { optionalText } from '../http/optional.ts';
import type { Sender } from '../port.ts';

export const userSchema = Type.Union([
  Type.Object({ login: optionalText, avatar_url: optionalText, html_url: optionalText }),
  Type.Null(),
]);

/** Returns the person in a response or delivery. GitHub replaces deleted accounts by null. */
export function userOf(user: Static<typeof userSchema> | undefined): Sender {
  return senderOf({ name: user?.login, avatarUrl: user?.avatar_url, url: user?.html_url });
}
