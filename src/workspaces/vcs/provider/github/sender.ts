import Type, { type Static } from 'typebox';
import type { Sender } from '../port.ts';
import { linkUrl, titleText } from '../text.ts';

const optional = Type.Optional(Type.Union([Type.String(), Type.Null()]));

export const userSchema = Type.Union([
  Type.Object({ login: optional, avatar_url: optional, html_url: optional }),
  Type.Null(),
]);

/** Returns the person in a response or delivery. GitHub replaces deleted accounts by null. */
export function senderOf(user: Static<typeof userSchema> | undefined): Sender {
  return {
    name: titleText(user?.login),
    avatarUrl: linkUrl(user?.avatar_url),
    url: linkUrl(user?.html_url),
  };
}
