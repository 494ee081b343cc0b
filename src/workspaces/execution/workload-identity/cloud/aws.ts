import { FOLDER } from '../job-identity.ts';
import { type Cloud, fileOf } from './cloud.ts';

/** AWS: the provider assumes the role with the token. The session name identifies the run in AWS logs. */
export const aws: Cloud = {
  name: 'AWS',
  audience: (settings) => settings.get('WORKLOAD_IDENTITY_AUDIENCE') ?? 'aws.workload.identity',
  grant(settings, content, runId) {
    const role = settings.needInPhase('ROLE_ARN');
    const [token, config] = [fileOf('aws', settings, 'token'), fileOf('aws', settings, 'config')];
    const profile = [
      '[default]',
      `role_arn = ${role}`,
      `web_identity_token_file = ${FOLDER}/${token}`,
      `role_session_name = ${runId}`,
    ];
    return {
      environment: {
        AWS_ROLE_ARN: role,
        AWS_WEB_IDENTITY_TOKEN_FILE: `${FOLDER}/${token}`,
        AWS_ROLE_SESSION_NAME: runId,
      },
      files: [
        { name: token, content },
        { name: config, content: `${profile.join('\n')}\n` },
      ],
      credentials: { shared_config_file: `${FOLDER}/${config}` },
    };
  },
};
