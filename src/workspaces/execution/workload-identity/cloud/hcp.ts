import { FOLDER } from '../job-identity.ts';
import { type Cloud, fileOf } from './cloud.ts';

/** HCP: a credentials file that refers to the token. */
export const hcp: Cloud = {
  name: 'HCP',
  audience: (settings) => settings.get('WORKLOAD_IDENTITY_AUDIENCE') ?? settings.needInPhase('PROVIDER_RESOURCE_NAME'),
  grant(settings, content) {
    const [token, credentials] = [fileOf('hcp', settings, 'token'), fileOf('hcp', settings, 'json')];
    const workload = {
      provider_resource_name: settings.needInPhase('PROVIDER_RESOURCE_NAME'),
      file: { path: `${FOLDER}/${token}` },
    };
    return {
      environment: { HCP_CRED_FILE: `${FOLDER}/${credentials}` },
      files: [
        { name: token, content },
        { name: credentials, content: JSON.stringify({ scheme: 'workload', workload }) },
      ],
      credentials: { credential_file: `${FOLDER}/${credentials}` },
    };
  },
};
