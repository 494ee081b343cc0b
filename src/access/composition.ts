import { AppError } from '../lib/errors.ts';
import type { Access, AccessDependencies, RevocationFigures } from './access.ts';
import { Authorities } from './authorization/authorities.ts';
import { CertMethod } from './cert/cert-method.ts';
import { CertificateLogins } from './cert/certificate-logins.ts';
import { IdentityService, identityOperations } from './identity/index.ts';
import { leaseOperations } from './leases/lease-operations.ts';
import type { Token } from './model/token.ts';
import {
  type FixedMount,
  IDENTITY_MOUNT,
  interfaceOperations,
  LeftoverStore,
  Methods,
  MountKeeper,
  MountService,
  MountStore,
  MountTable,
  mountOperations,
  pluginOperations,
  SYSTEM_MOUNT,
  TOKEN_MOUNT,
} from './mounts/index.ts';
import { renewByMethod } from './mounts/renew-by-method.ts';
import type { Surface } from './openapi/openapi-document.ts';
import { openApiOperations } from './openapi/openapi-operations.ts';
import { accessErrors } from './operation/envelope.ts';
import type { OpenCall, Operation } from './operation/operation.ts';
import { Backends } from './pipeline/backends.ts';
import { Pipeline } from './pipeline/pipeline.ts';
import { apiRoutes } from './pipeline/routes.ts';
import { policyOperations } from './policies/policy-operations.ts';
import { PolicyService } from './policies/policy-service.ts';
import { absentOperations } from './sys/absent-operations.ts';
import { serverFacts } from './sys/server-facts.ts';
import { sysOperations } from './sys/server-operations.ts';
import { toolsOperations } from './sys/tools-operations.ts';
import { VersionHistory, versionHistoryOperation } from './sys/version-history.ts';
import { TokenRoleStore } from './tokens/role/token-role-store.ts';
import { tokenOperations } from './tokens/token-operations.ts';
import { TokenService } from './tokens/token-service.ts';
import { Wrapping } from './wrapping/wrapping.ts';
import { wrappingOperations } from './wrapping/wrapping-operations.ts';

const SWEEP_INTERVAL_MS = 60_000;
/** Where the method is mounted in a new installation. */
const DEFAULT_MOUNT = 'cert';
/** Where tools look for the document of an API. */
const OPENAPI: FixedMount = { prefix: 'openapi.json', type: 'openapi', accessor: 'openapi', description: '' };

/** Puts the domains of the access API together. Nothing goes on in the background before `start`. */
export async function createAccess(dependencies: AccessDependencies): Promise<Access> {
  const domains = composeDomains(dependencies);
  const { table, methods, tokens, wrapping, keeper } = domains;
  await table.ensure('cert', DEFAULT_MOUNT);
  await domains.history.note(domains.facts.version, dependencies.clock());
  const surfaces = surfacesOf(domains, dependencies, {
    questionOf: (path, verb) => backends.questionOf(path, verb),
    spellingsOf: (path) => backends.spellingsOf(path),
  });
  const fixed = surfaces.flatMap(({ at, operations }) => (at ? [{ at, operations }] : []));
  const backends = new Backends(fixed, table, methods);
  const pipeline = new Pipeline({ ...domains, backends, version: dependencies.version });
  const logins = new CertificateLogins(tokens, table);
  const sweep = async () => {
    await tokens.sweep();
    await wrapping.sweep();
    await domains.policies.sweep();
  };
  let sweeping: NodeJS.Timeout | undefined;

  return {
    tokens,
    surfaces,
    service: {
      name: 'access',
      prefix: '/v1',
      errors: accessErrors,
      decodesSlashes: true,
      routes: (app) => apiRoutes(app, pipeline, wrapping),
      notFound: () => new AppError('method-not-allowed', '1 error occurred:\n\t* unsupported operation\n\n'),
    },
    async start() {
      sweeping = setInterval(() => sweep().catch(dependencies.report), SWEEP_INTERVAL_MS).unref();
      await keeper.start();
    },
    async stop() {
      clearInterval(sweeping);
      await keeper.stop();
      await methods.stop();
    },
    certificateLogin: (text, address) => logins.ofToken(text, address),
    certificateStanding: (reference, address) => logins.standing(reference, address),
    certMethod: (path) => certMethodAt(domains, path),
    revocationFigures: () => revocationFigures(domains),
  };
}

/** What depends on nothing but the database, the clock and what stands before it. */
function composeDomains(dependencies: AccessDependencies) {
  const { database, keyring, clock, limits, allowSha1, fetch, version, report } = dependencies;
  const facts = serverFacts(version, keyring, database.dialect);
  const history = new VersionHistory(database);
  const tokens = new TokenService(database, keyring, clock);
  const policies = new PolicyService(database, clock);
  const identities = new IdentityService(database, clock);
  const wrapping = new Wrapping({ database, keyring, tokens, clock, limits });
  const store = new MountStore(database);
  const table = new MountTable(store);
  const cert = ({ id: mountId }: { readonly id: string }) =>
    new CertMethod({ mountId, limits, allowSha1, database, tokens, identities, fetch, clock, report });
  const methods = new Methods({ cert });
  const owned = [
    (mountId: string) => tokens.removeSomeOfMount(mountId),
    (mountId: string) => identities.removeSomeOfMount(mountId),
  ];
  const keeper = new MountKeeper({ table, methods, leftovers: new LeftoverStore(database), owned, clock, report });
  const mounts = new MountService({ store, methods, limits, clock, changed: () => keeper.wake() });
  const authorities = new Authorities(database, policies, identities);
  return { tokens, policies, identities, authorities, wrapping, table, methods, cert, keeper, mounts, facts, history };
}

type Domains = ReturnType<typeof composeDomains>;
type PlacedSurface = Surface & { readonly at?: FixedMount };

/** Every operation, by where it lives. */
function surfacesOf(
  domains: Domains,
  dependencies: AccessDependencies,
  asked: Pick<Backends, 'questionOf' | 'spellingsOf'>,
): readonly PlacedSurface[] {
  const { tokens, policies, identities, authorities, wrapping, table, methods, cert, mounts, facts, history } = domains;
  const { database, clock, limits, version, audit, readiness } = dependencies;
  const policyParts = {
    lookup: (text: string) => tokens.find(text),
    lookupAccessor: (accessor: string) => tokens.findByAccessor(accessor),
    authorityOf: (token: Token) => authorities.ofToken(token),
    clock,
    ...asked,
  };
  const tokenParts = {
    tokens,
    roles: new TokenRoleStore(database),
    limits,
    clock,
    renewByMethod: renewByMethod(table, methods),
    policyExists: async (name: string) => (await policies.text(name)) !== undefined,
    entityOfAlias: (alias: string) => entityOfAlias(identities, alias),
    identityPolicies: (token: Token) => authorities.identityPolicies(token),
  };
  const aclOf = async ({ presented, peer }: OpenCall) => {
    const live = presented ? await tokens.peek(presented, peer.address) : undefined;
    return live && (await authorities.of(live)).acl;
  };
  const sys: Operation[] = [
    ...sysOperations({ facts, clock, ...(audit && { audit }), ...(readiness && { readiness }) }),
    ...policyOperations(policies, policyParts),
    ...mountOperations(mounts, facts.version),
    ...interfaceOperations({ mounts, table, aclOf, version: facts.version }),
    ...pluginOperations(methods.types, facts.version),
    ...leaseOperations(tokens, clock),
    ...wrappingOperations(wrapping),
    ...toolsOperations(),
    ...absentOperations(),
    versionHistoryOperation(history),
    ...openApiOperations('internal/specs/openapi', 'internal-generate-open-api-document', () => surfaces, version),
  ];
  const surfaces: readonly PlacedSurface[] = [
    { prefix: TOKEN_MOUNT.prefix, at: TOKEN_MOUNT, operations: tokenOperations(tokenParts) },
    { prefix: SYSTEM_MOUNT.prefix, at: SYSTEM_MOUNT, operations: sys },
    { prefix: IDENTITY_MOUNT.prefix, at: IDENTITY_MOUNT, operations: identityOperations(identities) },
    {
      prefix: OPENAPI.prefix,
      at: OPENAPI,
      operations: openApiOperations('', 'generate-open-api-document', () => surfaces, version),
    },
    { prefix: 'auth/{cert_mount_path}', operations: cert({ id: '' }).operations },
  ];
  return surfaces;
}

/** An alias below `auth/token`: for tokens that are made to stand for somebody. */
async function entityOfAlias(identities: IdentityService, alias: string): Promise<string> {
  const identity = await identities.forLogin({ mountId: TOKEN_MOUNT.accessor, aliasName: alias, metadata: undefined });
  if ('entityId' in identity) return identity.entityId;
  throw new AppError('bad-request', "'entity_alias' cannot be used");
}

async function certMethodAt({ table, methods }: Domains, path: string): Promise<CertMethod | undefined> {
  const found = await table.find(path);
  const method = found?.rest === '' ? methods.of(found.mount) : undefined;
  return method instanceof CertMethod ? method : undefined;
}

async function revocationFigures({ table, methods }: Domains): Promise<readonly RevocationFigures[]> {
  const figures = (await table.all()).map(async (mount) => {
    const method = methods.of(mount);
    if (!(method instanceof CertMethod)) return undefined;
    const { crls, ocsp } = method;
    return { mount: mount.path, crls: await crls.service.figures(), crlFetches: crls.fetches(), ocsp: ocsp.stats() };
  });
  return (await Promise.all(figures)).filter((one) => one !== undefined);
}
