import type { AccessDependencies } from './access.ts';
import { PolicyResolver } from './authorization/index.ts';
import { CertMethod } from './cert/index.ts';
import { IdentityService } from './identity/index.ts';
import { JwtMethod } from './jwt/index.ts';
import { Mounts } from './mounts/index.ts';
import { PolicyService } from './policies/index.ts';
import { serverFacts, VersionHistory } from './sys/index.ts';
import { TokenService } from './tokens/index.ts';
import { Wrapping } from './wrapping/index.ts';

/** Creates the domains of the access API in dependency order. Starts no background work. */
export function createAccessDomains(dependencies: AccessDependencies) {
  const { database, keyring, clock, limits, allowSha1, fetch, version, report } = dependencies;
  const facts = serverFacts(version, keyring, database.dialect);
  const history = new VersionHistory(database);
  const policies = new PolicyService(database, clock);
  const identities = new IdentityService(database, clock);
  const tokens = new TokenService(database, keyring, clock);
  const policyResolver = new PolicyResolver(database, tokens, policies, identities);
  const wrapping = new Wrapping({ database, keyring, tokens, clock, limits });
  const cert = ({ id: mountId }: { readonly id: string }) =>
    new CertMethod({ mountId, limits, allowSha1, database, tokens, identities, fetch, clock, report });
  const jwt = ({ id: mountId }: { readonly id: string }) =>
    new JwtMethod({ mountId, limits, database, tokens, identities, fetch, clock });
  const owned = [
    (mountId: string) => tokens.removeSomeOfMount(mountId),
    (mountId: string) => identities.removeSomeOfMount(mountId),
  ];
  const mounts = new Mounts({ database, catalog: { cert, jwt, oidc: jwt }, owned, limits, clock, report });
  return { facts, history, policies, identities, tokens, authorities: policyResolver, wrapping, cert, jwt, mounts };
}

export type AccessDomains = ReturnType<typeof createAccessDomains>;
