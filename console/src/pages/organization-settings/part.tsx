import { getRouteApi } from '@tanstack/react-router';
import type { Request } from '../../api/request.ts';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { useOrganization } from '../../shell/organization.ts';
import { usePlace } from '../../shell/page.ts';
import * as texts from './texts.ts';

const route = getRouteApi('/signed-in/$organization/settings');

/**
 * Sets the breadcrumbs and the request line of a settings tab, and returns the organization and permissions.
 * @param above breadcrumbs of a page below a tab, with paths below the settings
 */
export function usePart(
  label: string,
  requestOf: (organization: string) => Request,
  commandOf?: (organization: string) => string,
  above: readonly { readonly label: string; readonly to: string }[] = [],
) {
  const { organization } = route.useParams();
  const { query, may } = useOrganization(organization);
  usePlace([
    { label: organization, to: `/${organization}/workspaces` },
    { label: texts.settings, to: `/${organization}/settings` },
    ...above.map((one) => ({ label: one.label, to: `/${organization}/settings${one.to}` })),
    { label },
  ]);
  usePathLine({ request: requestOf(organization), command: commandOf?.(organization) });
  return { organization, path: { organization_name: organization }, answer: query.data, may };
}

/** Shown instead of a tab if the user has no permission for it. */
export function NotForYou({ needs }: { readonly needs: string }) {
  return (
    <p>
      {texts.youHaveNoAccess} <code>{needs}</code>
    </p>
  );
}
