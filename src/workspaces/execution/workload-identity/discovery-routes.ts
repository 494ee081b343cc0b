import type { FastifyInstance } from 'fastify';
import { AppError } from '../../../lib/errors.ts';
import type { WorkloadIdentity } from './workload-identity.ts';

/** Cache time of the keys. Much shorter than the publication period before a key signs. */
const CACHED = 'public, max-age=3600';
const KEYS = '/jwks';

const CLAIMS = [
  ...['jti', 'iss', 'aud', 'iat', 'nbf', 'exp', 'sub', 'cnf'],
  ...['terraform_organization_id', 'terraform_organization_name', 'terraform_project_id', 'terraform_project_name'],
  ...['terraform_workspace_id', 'terraform_workspace_name', 'terraform_full_workspace', 'terraform_run_id'],
  ...[
    'terraform_run_phase',
    'lockkeeper_speculative',
    'lockkeeper_agent_mount',
    'lockkeeper_agent_role',
    'lockkeeper_agent_common_name',
  ],
  ...['lockkeeper_agent_subject', 'lockkeeper_agent_serial'],
];

/** Public discovery of the issuer's keys (OpenID Connect Discovery 1.0). */
export function identityRoutes(app: FastifyInstance, { issuer, keys }: WorkloadIdentity): void {
  const config = { audit: false } as const;
  app.get('/openid-configuration', { config }, async (_request, reply) => {
    const known = knownIssuer(issuer);
    reply.header('cache-control', CACHED);
    return {
      issuer: known,
      jwks_uri: `${known}/.well-known${KEYS}`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      scopes_supported: ['openid'],
      claims_supported: CLAIMS,
    };
  });

  app.get(KEYS, { config }, async (_request, reply) => {
    knownIssuer(issuer);
    reply.header('cache-control', CACHED);
    return { keys: await keys.published() };
  });
}

function knownIssuer(issuer: string | undefined): string {
  if (issuer !== undefined) return issuer;
  throw new AppError(
    'not-found',
    'workload identity is not available, because the operator has not set workspaces.address',
  );
}
