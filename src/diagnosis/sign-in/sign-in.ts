import { type KeyPlace, KeysError, RemoteKeys } from '../../jwt/index.ts';
import { createGuardedFetch } from '../../outbound/guarded-fetch.ts';
import { createTenantFetch } from '../../outbound/tenant-fetch.ts';
import type { Subject } from '../model/check.ts';
import { type Finding, failure, type NamedFinding, skipped, success } from '../model/finding.ts';
import { sideBySide } from '../model/side-by-side.ts';
import type { IssuerFacts, Site } from '../model/site.ts';

/** Those who say who somebody is: what they publish about themselves, and their keys. */
export const signIn: Subject = { name: 'identity providers', checks: [{ name: 'keys', run: keys }] };

async function keys(site: Site, signal: AbortSignal): Promise<Finding | NamedFinding[]> {
  const all = await site.issuers();
  if (all.length === 0) return skipped('nobody else is asked who somebody is');
  const asked = all.map((issuer) => ({
    name: issuer.name,
    look: (over: AbortSignal) => keysFinding(issuer, site, over),
  }));
  return sideBySide(asked, signal);
}

async function keysFinding({ place, reach }: IssuerFacts, site: Site, signal: AbortSignal): Promise<Finding> {
  const remote = new RemoteKeys(fetchFor(reach, site), place, site.clock);
  signal.addEventListener('abort', () => remote.stop(), { once: true });
  try {
    await remote.check();
    const { keys: count } = remote.figures();
    return success(`${count} ${count === 1 ? 'key' : 'keys'}`, place.url);
  } catch (error) {
    if (!(error instanceof KeysError)) throw error;
    return failure(`no keys: ${error.message}`, ADVICE(place, reach), place.url);
  } finally {
    remote.stop();
  }
}

/** As whoever fetches them for a login does. */
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

const ADVICE = ({ type }: KeyPlace, reach: IssuerFacts['reach']) =>
  `see the way there and its certificate, and what it answers${type === 'discovery' ? ' below /.well-known/openid-configuration' : ''}; on a private network: ${SETTING[reach]}`;
