import { workspaces } from '../../api/client.ts';
import { NotificationList } from '../../components/notifications/NotificationList.tsx';
import { NotForYou, usePart } from './part.tsx';
import * as texts from './texts.ts';

const LIST = 'GET /organizations/{organization_name}/notification-configurations';

/** Notifications about all workspaces of an organization. */
export function Notifications() {
  const { organization, may } = usePart(
    texts.notifications,
    (name) => workspaces.request(LIST, { path: { organization_name: name } }),
    (name) => `lockkeeper api GET organizations/${name}/notification-configurations`,
  );
  if (!may) return null;
  if (!may['can-update']) return <NotForYou needs="can-update" />;
  return <NotificationList scope={{ type: 'organizations', id: organization, organization }} needs="can-update" />;
}
