import { FOLDER } from '../job-identity.ts';
import { type Cloud, fileOf } from './cloud.ts';

/** Kubernetes: the cluster accepts the token directly. */
export const kubernetes: Cloud = {
  name: 'KUBERNETES',
  audience: (settings) => settings.need('WORKLOAD_IDENTITY_AUDIENCE'),
  grant(settings, content) {
    const token = fileOf('kubernetes', settings, 'token');
    return {
      environment: { KUBE_TOKEN: content },
      files: [{ name: token, content }],
      credentials: { token_path: `${FOLDER}/${token}` },
    };
  },
};
