import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Icon } from '../components/icon/Icon.tsx';
import { Menu, MenuItem, MenuSeparator } from '../components/menu/Menu.tsx';
import { organizationsQuery } from './last-organization.ts';
import styles from './rail.module.css';
import * as texts from './texts.ts';

/** Menu that shows the current organization and switches to another one. */
export function OrganizationSwitch({ current }: { readonly current: string | undefined }) {
  const organizations = useQuery(organizationsQuery);
  const names = organizations.data?.data.map(({ attributes }) => attributes.name) ?? [];
  return (
    <Menu
      className={styles.organization ?? ''}
      button={
        <>
          <span>
            <span className="sr">{texts.organization} </span>
            {current ?? texts.organizations}
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
      <MenuItem render={<Link to="/~organizations" />}>{texts.allOrganizations}</MenuItem>
    </Menu>
  );
}
