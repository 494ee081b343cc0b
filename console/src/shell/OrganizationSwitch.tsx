import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { workspaces } from '../api/client.ts';
import { Icon } from '../components/icon/Icon.tsx';
import { Menu, MenuItem, MenuSeparator } from '../components/menu/Menu.tsx';
import styles from './rail.module.css';

/** Shown at once; whoever has more finds them on their page. */
const MOST = '20';

/** Which organization one is in, and the way to others. */
export function OrganizationSwitch({ current }: { readonly current: string | undefined }) {
  const organizations = useQuery(workspaces.query('GET /organizations', { query: { 'page[size]': MOST } }));
  const names = organizations.data?.data.map(({ attributes }) => attributes.name) ?? [];
  return (
    <Menu
      className={styles.organization ?? ''}
      button={
        <>
          <span>
            <span className="sr">Organization: </span>
            {current ?? 'Organizations'}
          </span>
          <Icon name="updown" />
        </>
      }
    >
      {names.map((name) => (
        <MenuItem
          key={name}
          checked={name === current}
          render={<Link to="/$organization/workspaces" params={{ organization: name }} />}
        >
          {name}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem render={<Link to="/~organizations" />}>All organizations</MenuItem>
    </Menu>
  );
}
