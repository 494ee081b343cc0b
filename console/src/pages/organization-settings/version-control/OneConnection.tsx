import { getRouteApi } from '@tanstack/react-router';
import { workspaces } from '../../../api/client.ts';
import { NotForYou, usePart } from '../part.tsx';
import { ClientPage } from './ClientPage.tsx';
import { InstallationPage } from './InstallationPage.tsx';
import * as texts from './texts.ts';

const route = getRouteApi('/signed-in/$organization/settings/version-control/$connection');

/** A connection by a token, or by an installation of a GitHub App. */
export function OneConnection() {
  const { connection: id } = route.useParams();
  const isInstallation = id.startsWith('ghain-');
  const { organization, may } = usePart(
    texts.connection,
    () =>
      isInstallation
        ? workspaces.request('GET /github-app/installation/{github_app_installation_id}', {
            path: { github_app_installation_id: id },
          })
        : workspaces.request('GET /oauth-clients/{oauth_client_id}', { path: { oauth_client_id: id } }),
    () => `lockkeeper api GET ${isInstallation ? 'github-app/installation' : 'oauth-clients'}/${id}`,
    [{ label: texts.versionControl, to: '/version-control' }],
  );
  if (!may) return null;
  if (!may['can-update-oauth']) return <NotForYou needs="can-update-oauth" />;
  return isInstallation ? (
    <InstallationPage organization={organization} id={id} />
  ) : (
    <ClientPage organization={organization} id={id} />
  );
}
