import Type from 'typebox';
import { objectId, senderOf } from '../delivery.ts';
import { deliveryMembers } from '../http/delivery-json.ts';
import { optional, optionalText } from '../http/optional.ts';
import { reader } from '../http/untrusted.ts';
import type { Hint, RawDelivery } from '../port.ts';
import { linkUrl } from '../text.ts';
import { link } from './api.ts';

const repository = Type.Object({ uuid: Type.String() });
const actor = optional(
  Type.Object({
    nickname: optionalText,
    display_name: optionalText,
    links: optional(Type.Object({ avatar: optional(link), html: optional(link) })),
  }),
);
const tip = optional(
  Type.Object({ type: Type.String(), name: Type.String(), target: optional(Type.Object({ hash: Type.String() })) }),
);
const change = Type.Object({ new: tip, old: tip, links: optional(Type.Object({ html: optional(link) })) });
const readPush = reader(
  'Bitbucket push event',
  Type.Object({ repository, actor, push: Type.Object({ changes: Type.Array(change) }) }),
);
const readPull = reader(
  'Bitbucket pull request event',
  Type.Object({ repository, actor, pullrequest: Type.Object({ id: Type.Integer({ minimum: 1 }) }) }),
);
const readRepositoryEvent = reader('Bitbucket repository event', Type.Object({ repository }));

const MEMBERS: ReadonlySet<string> = new Set(['repository', 'actor', 'push', 'pullrequest']);

/** Reads a delivery of Bitbucket Cloud. Its pull requests have abbreviated commits, so hints have none. */
export function parseBitbucketCloud({ headers, body }: RawDelivery): Hint[] {
  switch (headers['x-event-key']) {
    case 'repo:push':
      return pushHints(readPush(deliveryMembers(body, MEMBERS)));
    case 'pullrequest:created':
    case 'pullrequest:updated':
    case 'pullrequest:fulfilled':
    case 'pullrequest:rejected':
      return [pullHint(readPull(deliveryMembers(body, MEMBERS)))];
    case 'repo:updated':
    case 'repo:transfer':
    case 'repo:deleted':
      return [
        { kind: 'repository', repositoryId: readRepositoryEvent(deliveryMembers(body, MEMBERS)).repository.uuid },
      ];
    default:
      return [];
  }
}

function pushHints(event: ReturnType<typeof readPush>): Hint[] {
  return event.push.changes.flatMap((changed): Hint[] => {
    const tip = changed.new ?? changed.old;
    if (!tip) return [];
    return [
      {
        ...{ kind: 'push', repositoryId: event.repository.uuid },
        ref: `refs/${tip.type === 'tag' ? 'tags' : 'heads'}/${tip.name}`,
        before: objectId(changed.old?.target?.hash),
        after: objectId(changed.new?.target?.hash),
        ...{ sender: actorOf(event.actor), compareUrl: linkUrl(changed.links?.html?.href) },
      },
    ];
  });
}

function pullHint({ repository, actor, pullrequest }: ReturnType<typeof readPull>): Hint {
  return { kind: 'pull', repositoryId: repository.uuid, number: pullrequest.id, sender: actorOf(actor) };
}

function actorOf(person: ReturnType<typeof readPush>['actor']) {
  const { nickname, display_name, links } = person ?? {};
  return senderOf({ name: nickname ?? display_name, avatarUrl: links?.avatar?.href, url: links?.html?.href });
}
