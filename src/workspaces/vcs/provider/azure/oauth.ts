import { standardOAuth } from '../http/oauth-flow.ts';
import type { OAuthApp } from '../port.ts';

/** Sign-in of Microsoft Entra, which has a host of its own. */
export const ENTRA_ORIGIN = 'https://login.microsoftonline.com';
/** Id of Azure DevOps in Microsoft Entra. */
const AZURE_DEVOPS = '499b84ac-1321-427f-aa17-267ca6975798';

const base = ({ tenant }: OAuthApp): string =>
  `${ENTRA_ORIGIN}/${encodeURIComponent(tenant || 'organizations')}/oauth2/v2.0`;

/** Sign-in at Microsoft Entra, with the permissions for Azure DevOps that the registered application has. */
export const entraOAuth = standardOAuth({
  page: (app) => `${base(app)}/authorize`,
  token: (app) => `${base(app)}/token`,
  scope: `${AZURE_DEVOPS}/.default offline_access`,
});
