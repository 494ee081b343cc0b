import { getRouteApi } from '@tanstack/react-router';
import type { Request } from '../../api/request.ts';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { useOrganization } from '../../shell/organization.ts';
import { usePlace } from '../../shell/page.ts';

const route = getRouteApi('/signed-in/$organization/settings');

/** Where a part of the settings is, whose it is, and what whoever looks may do. */
export function usePart(
  label: string,
  requestOf: (organization: string) => Request,
  commandOf?: (organization: string) => string,
) {
  const { organization } = route.useParams();
  const { query, may } = useOrganization(organization);
  usePlace([
    { label: organization, to: `/${organization}/workspaces` },
    { label: 'Settings', to: `/${organization}/settings` },
    { label },
  ]);
  usePathLine({ request: requestOf(organization), command: commandOf?.(organization) });
  return { organization, path: { organization_name: organization }, answer: query.data, may };
}

/** In the place of a part, for whoever came by an address that is not for them. */
export function NotForYou({ needs }: { readonly needs: string }) {
  return (
    <p>
      This is not for you: it takes <code>{needs}</code>. An owner of the organization can give it.
    </p>
  );
}
