import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { runInSlices } from '../../../lib/slices.ts';
import { Certificate } from '../../../x509/index.ts';
import { readBack, tokenType, type Verdict } from '../../method/index.ts';
import type { MountTuning } from '../../model/mount.ts';
import { limitsAt, type TtlLimits } from '../../model/ttl-limits.ts';
import { type CertConfig, mergeConfig } from '../settings/cert-config.ts';
import type { RoleSettings } from '../settings/role-settings.ts';
import type { CertRoleStore } from './cert-role-store.ts';
import { anchorsOf } from './role-certificates.ts';
import { refusalWarning, roleWarnings } from './role-warnings.ts';
import { roleWrite } from './role-write.ts';
import { readStored, type StoredCertificates } from './stored-certificates.ts';

/** A role in a list with details. */
export interface RoleWithCas {
  readonly settings: RoleSettings;
  readonly authorities: readonly Certificate[];
}

/** Checks a trusted certificate against the CRLs of a mount. */
export interface Revocation {
  refusals(anchor: Certificate): Promise<readonly Verdict[]>;
}

/**
 * Maximum number of a role's certificates that a write compares with the CRLs.
 * @limit certificates of a role that are compared with CRLs for warnings, certificates -> the others are not compared
 */
const MOST_CHECKED = 100;

/** Management of roles. Callers lower-case the names with `roleName`. */
export class RoleService {
  readonly #store: CertRoleStore;
  readonly #limits: TtlLimits;
  readonly #clock: Clock;
  readonly #revocation: Revocation;

  constructor(store: CertRoleStore, limits: TtlLimits, clock: Clock, revocation: Revocation) {
    this.#revocation = revocation;
    this.#store = store;
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Stores the fields of the body. Returns warnings about settings that can never work at a mount with this tuning. */
  async write(name: string, body: Readonly<Record<string, unknown>>, tuning: MountTuning): Promise<readonly string[]> {
    const { change, certificates } = await runInSlices(roleWrite(name, body));
    const { settings, config } = await this.#store.update(name, change);
    const stored = certificates ? { certificates, faults: [] } : await readAuthorities(settings);
    const surroundings = {
      config,
      certificates: stored.certificates,
      revocation: await this.#revocationWarnings(anchorsOf(stored.certificates)),
      limits: limitsAt(this.#limits, tuning),
      tokenType: tokenType(settings.token_type, tuning.token_type),
      now: this.#clock(),
    };
    return [...stored.faults, ...(await runInSlices(roleWarnings(settings, surroundings)))];
  }

  /** CRLs that cannot be loaded refuse every login. The role is stored anyway. */
  async #revocationWarnings(anchors: readonly Certificate[]): Promise<readonly string[]> {
    const warnings: string[] = [];
    try {
      for (const anchor of anchors.slice(0, MOST_CHECKED)) {
        const refusals = await this.#revocation.refusals(anchor);
        warnings.push(...refusals.map((verdict) => refusalWarning(anchor, verdict)));
      }
      return warnings;
    } catch {
      return ['the CRLs of this mount cannot be loaded; no login succeeds until they can'];
    }
  }

  /**
   * Returns the role, with a warning for each certificate that cannot be parsed.
   * @throws AppError not-found
   */
  async read(name: string): Promise<{ data: Record<string, unknown>; warnings: readonly string[] }> {
    const role = await this.#store.find(name);
    if (!role) throw new AppError('not-found', '');
    const { faults } = await readAuthorities(role.settings);
    return { data: readBack(role.settings), warnings: faults };
  }

  /** Removes a role. Does nothing if it does not exist. */
  remove(name: string): Promise<void> {
    return this.#store.remove(name);
  }

  /** Returns `most` names after `after`, in order. */
  names(after: string, most: number): Promise<string[]> {
    return this.#store.names(after, most);
  }

  /** Returns a page of roles with their fields and certificates. */
  async page(after: string, most: number): Promise<(readonly [name: string, role: RoleWithCas])[]> {
    const described: (readonly [string, RoleWithCas])[] = [];
    for (const { name, settings } of await this.#store.page(after, most)) {
      const { certificates: authorities } = await readAuthorities(settings);
      described.push([name, { settings, authorities }]);
    }
    return described;
  }

  async readConfig(): Promise<CertConfig> {
    return (await this.#store.state()).config;
  }

  writeConfig(body: Readonly<Record<string, unknown>>): Promise<void> {
    return this.#store.updateConfig((stored) => mergeConfig(stored, body));
  }
}

function readAuthorities({ certificate }: RoleSettings): Promise<StoredCertificates<Certificate>> {
  return runInSlices(readStored(certificate, Certificate.parse));
}
