import { signingKey } from '../../../support/jwt/issuer.ts';
import type { PageGroup } from '../../support/console.ts';

const pages: PageGroup = {
  name: 'JWT roles and configuration',
  prepare: async ({ server }) => {
    for (const path of ['jwt', 'ci/empty']) await server.root('POST', `/v1/sys/auth/${path}`, { type: 'jwt' });
    await server.root('POST', '/v1/auth/jwt/config', {
      jwt_validation_pubkeys: [signingKey('one').publicPem],
      bound_issuer: 'https://issuer.example',
      default_role: 'deploy',
    });
    const pairs = ['a', 'b'].map((name) => ({ jwks_url: `https://${name}.example/keys` }));
    await server.root('POST', '/v1/auth/ci/empty/config', { jwks_pairs: pairs, skip_jwks_validation: true });
    await server.root('POST', '/v1/auth/jwt/role/deploy', {
      user_claim: 'repository',
      bound_audiences: ['https://lockkeeper.example.com'],
      bound_claims: { repository_id: '123456789', ref: ['refs/heads/main', '<script>alert(1)</script>'] },
      claim_mappings: { actor: 'actor' },
      token_policies: ['deploy'],
      token_ttl: '15m',
    });
    await server.root('POST', `/v1/auth/jwt/role/${'x'.repeat(90)}`, {
      user_claim: 'sub',
      bound_subject: `project_path:שלום/${'y'.repeat(90)}`,
    });
    return [
      '/~access/jwt',
      '/~access/jwt?mount=ci/empty',
      '/~access/jwt/roles/deploy',
      '/~access/jwt/roles/~new',
      '/~access/jwt/configuration',
      '/~access/jwt/configuration?mount=ci/empty',
      '/~access/jwt/inspect',
      '/~access/jwt/inspect?mount=jwt&role=deploy',
      '/~access/mounts?mount=jwt',
    ];
  },
};

export default pages;
