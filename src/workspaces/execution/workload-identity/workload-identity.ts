import type { BackgroundWork } from '../../../lib/background-work.ts';
import type { Clock } from '../../../lib/clock.ts';
import { type Answered, granted, type IdentityRequest, wantedBy } from './granted.ts';
import type { JobIdentity } from './job-identity.ts';
import { Incomplete, type Variables } from './settings.ts';
import type { SigningKeys } from './signing-keys.ts';
import { claimsOf, signedToken, type Workload } from './token.ts';

/** A variable of a run, its value open. */
export interface GivenVariable {
  readonly key: string;
  readonly value: string;
  readonly category: string;
}

/** Lets the engines of runs prove who they are, to whoever trusts this server. */
export class WorkloadIdentity {
  /** Where this server is found from everywhere: `https://lockkeeper.example.com`. Undefined where nobody has said so. */
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
   * What a job gets of what the variables of its workspace ask for. Whoever calls it has seen to it that the agent that carries out
   * the job gets it, and nobody else.
   * @param variables all that reach the run; of two with the same name, the later one counts
   * @param timeout how long the phase may take, seconds: its tokens live as long
   * @returns null where nothing is asked for. What cannot be given is said in it (`problem`), and does not throw
   */
  async forJob(workload: Workload, variables: readonly GivenVariable[], timeout: number): Promise<JobIdentity | null> {
    const environment: Variables = new Map(
      variables.filter(({ category }) => category === 'env').map(({ key, value }) => [key, value]),
    );
    try {
      const wanted = wantedBy(environment, workload.phase);
      return wanted.length === 0 ? null : granted(await this.#answer(wanted, workload, timeout), workload.runId);
    } catch (error) {
      if (!(error instanceof Incomplete)) throw error;
      return { problem: error.message, environment: {}, files: [], logins: [], secrets: [] };
    }
  }

  async #answer(wanted: readonly IdentityRequest[], workload: Workload, timeout: number): Promise<Answered[]> {
    const { issuer } = this;
    if (issuer === undefined) {
      throw new Incomplete(
        'The workspace asks for an identity of its runs, and the server does not know its own address: whoever runs it has to set workspaces.address',
      );
    }
    const from = this.#clock();
    const until = from + timeout * 1000;
    const signer = await this.keys.signer(until);
    const token = (audience: string) => signedToken(claimsOf(workload, issuer, audience, { from, until }), signer);
    return Promise.all(wanted.map(async (one) => ({ ...one, token: await token(one.audience) })));
  }
}
