import type { Resources } from '../../api/client.ts';
import { State } from '../../components/state/State.tsx';
import type { Column } from '../../components/table/columns.ts';
import * as texts from './texts.ts';
import { UserMenu } from './UserMenu.tsx';
import styles from './users.module.css';

export type SiteUser = Resources['users'];

/** Columns of the user list. */
export function columnsOf(onToken: (username: string, text: string) => void): readonly Column<SiteUser>[] {
  return [
    {
      id: 'name',
      head: texts.name,
      isName: true,
      className: styles.name,
      cell: ({ attributes: { username } }) => <span title={username}>{username}</span>,
    },
    {
      id: 'email',
      head: texts.email,
      className: styles.email,
      cell: ({ attributes: { email } }) => <span title={email ?? ''}>{email}</span>,
    },
    {
      id: 'state',
      head: texts.state,
      className: styles.state,
      cell: ({ attributes }) =>
        attributes['is-suspended'] ? (
          <State icon="slash" is="bad">
            {texts.suspended}
          </State>
        ) : (
          <State icon="ok" is="good">
            {texts.active}
          </State>
        ),
    },
    {
      id: 'admin',
      head: texts.role,
      className: styles.admin,
      cell: ({ attributes }) => (attributes['is-admin'] ? texts.siteAdministrator2 : ''),
    },
    {
      id: 'do',
      head: texts.actions,
      hideHead: true,
      className: styles.do,
      cell: (user) => <UserMenu user={user} onToken={(text) => onToken(user.attributes.username, text)} />,
    },
  ];
}
