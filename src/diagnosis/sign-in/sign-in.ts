import { fetchKeys, type KeyPlace, KeysError } from '../../jwt/index.ts';
import { type Finding, failure, type NamedFinding, skipped, success, worst } from '../../lib/finding/finding.ts';
import { createGuardedFetch, type GuardedFetch } from '../../outbound/guarded-fetch.ts';
import { createTenantFetch } from '../../outbound/tenant-fetch.ts';
import type { Subject } from '../model/check.ts';
import { inParallel } from '../model/in-parallel.ts';
import type { IssuerFacts, Site } from '../model/site.ts';

/** Identity providers and their published metadata and keys. */
export const signIn: Subject = { name: 'identity providers', checks: [{ name: 'keys', run: keys }] };

async function keys(site: Site, signal: AbortSignal): Promise<Finding | NamedFinding[]> {
  const all = await site.issuers();
  if (all.length === 0) return skipped('no identity provider is configured');
  const asked = all.map((issuer) => ({
    name: issuer.name,
    look: (over: AbortSignal) => keysFinding(issuer, site, over),
  }));
  return inParallel(asked, signal);
}

async function keysFinding(issuer: IssuerFacts, site: Site, signal: AbortSignal): Promise<Finding> {
  const { place, reach } = issuer;
  const fetch = fetchFor(reach, site);
  if (reach !== 'revocation') return providerFinding(issuer, fetch, signal);
  try {
    const { keys } = await fetchKeys(fetch, place, signal);
    return success(`${keys.length} ${keys.length === 1 ? 'key' : 'keys'}`, place.url);
  } catch (error) {
    if (!(error instanceof KeysError)) throw error;
    return failure(`no keys: ${error.message}`, ADVICE(place), place.url);
  }
}

/** Returns the worst finding about an identity provider for sign-in. */
async function providerFinding(
  { place: { url, authorities: pem }, reach, asks }: IssuerFacts,
  fetch: GuardedFetch,
  signal: AbortSignal,
): Promise<Finding> {
  // Loaded on demand, because the module is large.
  const { checkProvider } = await import('../../oidc/check/check.ts');
  const authorities = pem === '' ? [] : [pem];
  const findings = await checkProvider({ issuer: url, fetch, authorities, opening: SETTING[reach], asks }, signal);
  const status = worst(findings.map((one) => one.status));
  const wrong = findings.find((one) => one.status === status && status !== 'success');
  if (wrong === undefined) return success(findings.find(({ name }) => name === 'keys')?.found ?? '', url);
  const { name, found, detail = url, ...rest } = wrong;
  return { ...rest, found: `${name}: ${found}`, detail };
}

/** Returns the client that a login uses to fetch the keys. */
function fetchFor(reach: IssuerFacts['reach'], { config }: Site) {
  if (reach === 'sign-in') return createGuardedFetch({ allowed: config.signIn?.oidc?.allowedAddresses });
  if (reach === 'tenants') return createTenantFetch(config.notifications?.allowedAddresses ?? []);
  return createGuardedFetch({ deniedBlocks: config.deniedAddresses, allowed: config.allowedAddresses });
}

const SETTING = {
  'sign-in': 'sign_in.oidc.allowed_addresses',
  tenants: 'notifications.allowed_addresses',
  revocation: 'revocation.allowed_addresses',
} as const;

const ADVICE = ({ type }: KeyPlace) =>
  `check the network, its certificate and its response${type === 'discovery' ? ' below /.well-known/openid-configuration' : ''}; on a private network: ${SETTING.revocation}`;
