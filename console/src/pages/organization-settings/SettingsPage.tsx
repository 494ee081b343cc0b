import { getRouteApi, Outlet } from '@tanstack/react-router';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Tabs } from '../../components/tabs/Tabs.tsx';
import { useOrganization } from '../../shell/organization.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { partsFor } from './parts.ts';
import * as texts from './texts.ts';

const route = getRouteApi('/signed-in/$organization/settings');

/** Settings of an organization. Each tab needs its own permission. */
export function SettingsPage() {
  const { organization } = route.useParams();
  const { query } = useOrganization(organization);
  return (
    <QueryResult query={query} what={texts.theOrganization(organization)} missing={<code>can-traverse</code>} isPage>
      {({ data }) => (
        <>
          <PageHead title={texts.settings} lede={texts.settingsOfTheOrganization(organization)} />
          <Tabs
            label={texts.partsOfTheSettings}
            tabs={partsFor(data.attributes.permissions).map((part) => ({
              label: part.label,
              to: part.to,
              params: { organization },
              hasParts: 'hasParts' in part,
            }))}
          />
          <Outlet />
        </>
      )}
    </QueryResult>
  );
}
