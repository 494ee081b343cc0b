import type { Resources } from '../../api/client.ts';
import { State } from '../../components/state/State.tsx';
import type { Column } from '../../components/table/columns.ts';
import { UserMenu } from './UserMenu.tsx';
import styles from './users.module.css';

export type SiteUser = Resources['users'];

/** Who they are, and what can be done about them. */
export function columnsOf(onToken: (username: string, text: string) => void): readonly Column<SiteUser>[] {
  return [
    {
      id: 'name',
      head: 'Name',
      isName: true,
      className: styles.name,
      cell: ({ attributes: { username } }) => <span title={username}>{username}</span>,
    },
    {
      id: 'email',
      head: 'Email',
      className: styles.email,
      cell: ({ attributes: { email } }) => <span title={email ?? ''}>{email}</span>,
    },
    {
      id: 'state',
      head: 'State',
      className: styles.state,
      cell: ({ attributes }) =>
        attributes['is-suspended'] ? (
          <State icon="slash" is="bad">
            suspended
          </State>
        ) : (
          <State icon="ok" is="good">
            active
          </State>
        ),
    },
    {
      id: 'admin',
      head: 'Part',
      className: styles.admin,
      cell: ({ attributes }) => (attributes['is-admin'] ? 'site administrator' : ''),
    },
    {
      id: 'do',
      head: 'What can be done',
      hideHead: true,
      className: styles.do,
      cell: (user) => <UserMenu user={user} onToken={(text) => onToken(user.attributes.username, text)} />,
    },
  ];
}
