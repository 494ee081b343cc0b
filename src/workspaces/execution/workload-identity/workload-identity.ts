import type { BackgroundWork } from '../../../lib/background/background-work.ts';
import type { Clock } from '../../../lib/clock.ts';
import { type Answered, granted, type IdentityRequest, wantedBy } from './granted.ts';
import type { JobIdentity } from './job-identity.ts';
import { Incomplete, type Variables } from './settings.ts';
import type { SigningKeys } from './signing-keys.ts';
import { claimsOf, signedToken, type Workload } from './token.ts';

/**
 * Environment variable of a workspace. With `true`, the subject of speculative plans differs, for clouds whose conditions
 * read only the subject.
 */
const TELLS_APART = 'LOCKKEEPER_WORKLOAD_IDENTITY_SPECULATIVE_SUBJECT';

/** A variable of a run with its decrypted value. */
export interface GivenVariable {
  readonly key: string;
  readonly value: string;
  readonly category: string;
}

/** Issues identity tokens, with which engines authenticate to systems that trust this server. */
export class WorkloadIdentity {
  /** Public URL of this server, such as `https://lockkeeper.example.com`. Undefined if not configured. */
  readonly issuer: string | undefined;
  readonly keys: SigningKeys;
  readonly #clock: Clock;

  constructor(issuer: string | undefined, keys: SigningKeys, clock: Clock) {
    this.issuer = issuer;
    this.keys = keys;
    this.#clock = clock;
  }

  get background(): BackgroundWork {
    return this.keys.background;
  }

  /**
   * Returns the identities that a job's variables request. The caller must pass the result only to the job's agent.
   * @param variables all variables of the run; a later one overrides an earlier one of this name
   * @param timeout maximum duration of the phase and lifetime of its tokens, seconds
   * @returns null if nothing is requested. Errors are returned as `problem` and not thrown
   */
  async forJob(workload: Workload, variables: readonly GivenVariable[], timeout: number): Promise<JobIdentity | null> {
    const environment: Variables = new Map(
      variables.filter(({ category }) => category === 'env').map(({ key, value }) => [key, value]),
    );
    try {
      const wanted = wantedBy(environment, workload.phase);
      return wanted.length === 0
        ? null
        : granted(await this.#answer(wanted, workload, timeout, environment), workload.runId);
    } catch (error) {
      if (!(error instanceof Incomplete)) throw error;
      return { problem: error.message, environment: {}, files: [], logins: [], secrets: [] };
    }
  }

  async #answer(
    wanted: readonly IdentityRequest[],
    workload: Workload,
    timeout: number,
    environment: Variables,
  ): Promise<Answered[]> {
    const { issuer } = this;
    if (issuer === undefined) {
      throw new Incomplete(
        'The workspace requests an identity for its runs, but the server has no public URL. The operator has to set workspaces.address',
      );
    }
    const from = this.#clock();
    const until = from + timeout * 1000;
    const signer = await this.keys.signer(until);
    const tellsApart = environment.get(TELLS_APART) === 'true';
    const token = (audience: string) =>
      signedToken(claimsOf(workload, issuer, audience, { from, until }, tellsApart), signer);
    return Promise.all(wanted.map(async (one) => ({ ...one, token: await token(one.audience) })));
  }
}
