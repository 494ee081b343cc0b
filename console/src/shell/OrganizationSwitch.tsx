import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Icon } from '../components/icon/Icon.tsx';
import { Menu, MenuItem, MenuSeparator } from '../components/menu/Menu.tsx';
import { organizationsQuery } from './last-organization.ts';
import styles from './rail.module.css';

/** Which organization one is in, and the way to others. */
export function OrganizationSwitch({ current }: { readonly current: string | undefined }) {
  const organizations = useQuery(organizationsQuery);
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
