import { FOLDER } from '../job-identity.ts';
import type { Settings } from '../settings.ts';
import { type Cloud, fileOf } from './cloud.ts';

/** Audience of a workload identity provider. */
function providerOf(settings: Settings): string {
  const name = settings.get('WORKLOAD_PROVIDER_NAME');
  if (name !== undefined) return `//iam.googleapis.com/${name}`;
  const project = settings.need('PROJECT_NUMBER');
  const pool = settings.need('WORKLOAD_POOL_ID');
  const provider = settings.need('WORKLOAD_PROVIDER_ID');
  return `//iam.googleapis.com/projects/${project}/locations/global/workloadIdentityPools/${pool}/providers/${provider}`;
}

/** Google Cloud: the provider exchanges the token and impersonates a service account. */
export const gcp: Cloud = {
  name: 'GCP',
  audience: (settings) => settings.get('WORKLOAD_IDENTITY_AUDIENCE') ?? providerOf(settings),
  grant(settings, content) {
    const account = encodeURIComponent(settings.needInPhase('SERVICE_ACCOUNT_EMAIL'));
    const [token, credentials] = [fileOf('gcp', settings, 'token'), fileOf('gcp', settings, 'json')];
    const external = {
      type: 'external_account',
      audience: providerOf(settings),
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      token_url: 'https://sts.googleapis.com/v1/token',
      service_account_impersonation_url: `https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/${account}:generateAccessToken`,
      credential_source: { file: `${FOLDER}/${token}`, format: { type: 'text' } },
    };
    return {
      environment: { GOOGLE_CREDENTIALS: `${FOLDER}/${credentials}` },
      files: [
        { name: token, content },
        { name: credentials, content: JSON.stringify(external) },
      ],
      credentials: { credentials: `${FOLDER}/${credentials}` },
    };
  },
};
