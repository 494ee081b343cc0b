import Type from 'typebox';
import { objectId, senderOf } from '../delivery.ts';
import { deliveryMembers } from '../http/delivery-json.ts';
import { optionalText } from '../http/optional.ts';
import { reader } from '../http/untrusted.ts';
import type { Hint, RawDelivery } from '../port.ts';
import { linkUrl } from '../text.ts';

const readKind = reader('GitLab event', Type.Object({ object_kind: optionalText, event_name: optionalText }));
const readPush = reader(
  'GitLab push event',
  Type.Object({
    ref: Type.String(),
    before: Type.String(),
    after: Type.String(),
    project_id: Type.Integer(),
    user_username: optionalText,
    user_name: optionalText,
    user_avatar: optionalText,
    project: Type.Optional(Type.Object({ web_url: optionalText })),
  }),
);
const readPull = reader(
  'GitLab merge request event',
  Type.Object({
    object_attributes: Type.Object({ iid: Type.Integer(), target_project_id: Type.Integer() }),
    user: Type.Optional(Type.Object({ username: optionalText, name: optionalText, avatar_url: optionalText })),
  }),
);
const readProjectEvent = reader('GitLab project event', Type.Object({ project_id: Type.Integer() }));

const MEMBERS: ReadonlySet<string> = new Set([
  ...['object_kind', 'event_name', 'project_id', 'project', 'object_attributes', 'user'],
  ...['ref', 'before', 'after', 'user_username', 'user_name', 'user_avatar'],
]);

/** Reads a delivery of a project hook, or of a system hook, which has no `object_kind`. */
export function parseGitlab(delivery: RawDelivery): Hint[] {
  const body = deliveryMembers(delivery.body, MEMBERS);
  const { object_kind, event_name } = readKind(body);
  switch (object_kind ?? event_name) {
    case 'push':
    case 'tag_push':
      return [pushHint(readPush(body))];
    case 'merge_request':
      return [pullHint(readPull(body))];
    case 'project_rename':
    case 'project_transfer':
    case 'project_update':
    case 'project_destroy':
      return [{ kind: 'repository', repositoryId: String(readProjectEvent(body).project_id) }];
    default:
      return [];
  }
}

function pushHint(event: ReturnType<typeof readPush>): Hint {
  const before = objectId(event.before);
  const after = objectId(event.after);
  const page = event.project?.web_url;
  return {
    ...{ kind: 'push', repositoryId: String(event.project_id), ref: event.ref, before, after },
    sender: senderOf({ name: event.user_username ?? event.user_name, avatarUrl: event.user_avatar }),
    compareUrl: page && before && after ? linkUrl(`${page}/-/compare/${before}...${after}`) : null,
  };
}

function pullHint({ object_attributes: { iid, target_project_id }, user }: ReturnType<typeof readPull>): Hint {
  return {
    ...{ kind: 'pull', repositoryId: String(target_project_id), number: iid },
    sender: senderOf({ name: user?.username ?? user?.name, avatarUrl: user?.avatar_url }),
  };
}
