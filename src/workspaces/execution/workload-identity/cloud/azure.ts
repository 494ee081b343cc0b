import { FOLDER } from '../job-identity.ts';
import { type Cloud, fileOf } from './cloud.ts';

/** Azure: for the providers azurerm and azuread. */
export const azure: Cloud = {
  name: 'AZURE',
  audience: (settings) => settings.get('WORKLOAD_IDENTITY_AUDIENCE') ?? 'api://AzureADTokenExchange',
  grant(settings, content) {
    const client = settings.needInPhase('CLIENT_ID');
    const [token, clientId] = [fileOf('azure', settings, 'token'), fileOf('azure', settings, 'client-id')];
    return {
      environment: { ARM_USE_OIDC: 'true', ARM_OIDC_TOKEN: content, ARM_CLIENT_ID: client },
      files: [
        { name: token, content },
        { name: clientId, content: client },
      ],
      credentials: {
        client_id_file_path: `${FOLDER}/${clientId}`,
        oidc_token_file_path: `${FOLDER}/${token}`,
      },
    };
  },
};
