import { getRouteApi, Outlet } from '@tanstack/react-router';
import { Answered } from '../../components/faces/Answered.tsx';
import { Tabs } from '../../components/tabs/Tabs.tsx';
import { useOrganization } from '../../shell/organization.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { partsFor } from './parts.ts';

const route = getRouteApi('/signed-in/$organization/settings');

/** The settings of an organization, in parts; each is there for whom it is. */
export function SettingsPage() {
  const { organization } = route.useParams();
  const { query } = useOrganization(organization);
  return (
    <Answered query={query} what={`The organization ${organization}`} missing={<code>can-traverse</code>} isPage>
      {({ data }) => (
        <>
          <PageHead
            title="Settings"
            lede={
              <>Of the organization {organization}. What is set here holds for all of its projects and workspaces.</>
            }
          />
          <Tabs
            label="Parts of the settings"
            tabs={partsFor(data.attributes.permissions).map(({ label, to }) => ({
              label,
              to,
              params: { organization },
            }))}
          />
          <Outlet />
        </>
      )}
    </Answered>
  );
}
