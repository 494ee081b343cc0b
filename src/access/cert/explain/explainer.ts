import { AppError } from '../../../lib/errors.ts';
import type { Peer } from '../../../lib/request.ts';
import { inSlices } from '../../../lib/slices.ts';
import type { Certificate } from '../../../x509/index.ts';
import type { LoginCall } from '../../method/index.ts';
import type { AdmissionOptions } from '../admission/admission.ts';
import type { ProvenIntermediates } from '../intermediate/proven-intermediates.ts';
import { readableCertificates } from '../intermediate/readable-certificates.ts';
import type { RoleEntry } from '../role/role-index.ts';
import type { LoadedRole, RoleRegistry } from '../role/role-registry.ts';
import { aliasName } from '../settings/alias-source.ts';
import { describeCertificate, explainRoles, readChain } from './explain-roles.ts';

/** What an administrator asks about a login that is not made. */
export interface ExplainRequest {
  /** Empty: every role. */
  readonly name: string;
  /** PEM, the leaf first; empty: what this connection presents. */
  readonly certificate: string;
  /** Where the login would come from; empty: the address of this connection. */
  readonly address: string;
}

/**
 * Roles beyond this many are left out, and the answer says so.
 * @limit roles that the answer speaks of, roles -> the others are counted in roles_left_out
 */
const MAX_ROLES = 100;

/** Says why a login would succeed or fail, role by role, path by path, check by check. Issues nothing. */
export class Explainer {
  readonly #options: AdmissionOptions;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  async explain(
    { name, certificate, address }: ExplainRequest,
    { peer, mount }: LoginCall,
  ): Promise<Record<string, unknown>> {
    const { registry, revocation, allowSha1, clock, proven } = this.#options;
    const chain = certificate === '' ? presentedChain(peer) : await inSlices(readChain(certificate));
    const { byName, config } = await registry.current(mount.version);
    await proven.current(mount.intermediates);
    const names = name === '' ? await registry.firstNames(MAX_ROLES) : [name.toLowerCase()];
    const entries = names.map((one) => byName.get(one)).filter((role) => role !== undefined);
    const roles = await loadAll(registry, entries);
    const context = {
      address: address || peer.address,
      revocation,
      config,
      mountVersion: mount.version,
      allowSha1,
      now: clock(),
    };
    const explained = await explainRoles(withProven(chain, proven), roles, context);
    return {
      certificates: chain.map(describeCertificate),
      alias_name: chain[0] && aliasName(chain[0], config.alias_source),
      admitted: explained.some(({ admitted }) => admitted),
      roles: explained,
      roles_left_out: name === '' ? Math.max(0, byName.size - MAX_ROLES) : 0,
    };
  }
}

function presentedChain(peer: Peer): Certificate[] {
  const leaf = peer.leaf();
  if (!leaf) throw new AppError('bad-request', 'certificate: missing, and this connection presents none');
  return readableCertificates([leaf, ...(peer.intermediates() ?? [])]);
}

/** What a login would take to build a path, too. */
function withProven(chain: readonly Certificate[], proven: ProvenIntermediates): readonly Certificate[] {
  return [...chain, ...proven.above(chain)];
}

async function loadAll(
  registry: RoleRegistry,
  entries: readonly RoleEntry[],
): Promise<(readonly [RoleEntry, LoadedRole])[]> {
  const pairs = await Promise.all(entries.map(async (entry) => [entry, await registry.load(entry)] as const));
  return pairs.filter((pair): pair is [RoleEntry, LoadedRole] => pair[1] !== undefined);
}
