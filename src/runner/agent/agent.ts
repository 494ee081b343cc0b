import { join } from 'node:path';
import { lockFile } from '../../lib/locks/file-lock.ts';
import { keptStates } from '../cleanup/cleanup.ts';
import { enginesHere, hasAnyEngine } from '../engine/engine.ts';
import { JobFailure } from '../ports.ts';
import type { Executor } from './executor.ts';
import type { Server, Trust } from './http/server.ts';
import { type AgentPlace, openWorkshop, type Workshop } from './job/workshop.ts';
import { type CertificateFiles, certificateSource } from './login/certificate.ts';
import { HandedTokens } from './login/handed-tokens.ts';
import { Session } from './login/session.ts';
import { tokenFileSource } from './login/token-file.ts';
import type { TokenSource } from './login/token-source.ts';
import { ProcessExecutor } from './process/executor.ts';
import { Registered, sayGoodbyes } from './registered.ts';
import type { OfferedEngines } from './registration.ts';
import { Slot } from './slot.ts';

/** In its folder, while it works. */
const LOCK = 'agent.lock';

/** Who an agent is: a certificate, a token in a file, or tokens that it is handed. */
export type Credential = CertificateFiles | { readonly tokenFile: string } | HandedTokens;

/** A long-lived one. */
export interface AgentOptions extends AgentPlace {
  readonly credential: Credential;
  readonly name: string;
  /** How many jobs at a time. */
  readonly slots: number;
  /** Executes the jobs. Default: each job in its own process on this machine. */
  readonly executor?: (workshop: Workshop) => Executor;
}

/** An agent: takes jobs from a server and carries them out, several at a time, until it is told to stop. */
export class Agent {
  readonly #options: AgentOptions;
  readonly #workshop: Workshop;
  readonly #executor: Executor;
  readonly #noMore = new AbortController();
  readonly #interrupt = new AbortController();
  readonly #kill = new AbortController();

  /** @throws JobFailure for an address that is none */
  constructor(options: AgentOptions) {
    this.#options = options;
    this.#workshop = openWorkshop(options);
    this.#executor = options.executor?.(this.#workshop) ?? new ProcessExecutor(this.#workshop);
  }

  /** Whom the server is trusted by from now on. */
  trust(trust: Trust): void {
    this.#workshop.server.trust(trust);
    this.#executor.trust?.(trust);
  }

  /** No further job. Those under way go on. */
  drain(): void {
    this.#noMore.abort();
  }

  /** The same, and those under way are interrupted. */
  interrupt(): void {
    this.drain();
    this.#interrupt.abort(new JobFailure('The agent was told to stop, and has interrupted the run'));
  }

  /** The same, and at once: what the server does not take is kept here. */
  kill(): void {
    this.interrupt();
    this.#kill.abort(new JobFailure('The agent was told to stop at once'));
  }

  /**
   * Works until it is told to stop.
   * @throws FileTaken while another agent works in its folder; JobFailure where its executor does not work
   */
  async run(): Promise<void> {
    const { credential, name, slots, folder, log } = this.#options;
    const executor = this.#executor;
    const begun = await executor.begun(this.#noMore.signal);
    const lock = lockFile(join(folder, LOCK));
    await logKeptStates(this.#options);
    const session = new Session(sourceOf(credential, this.#workshop.server), log);
    const registered = new Registered(folder, begun);
    const loggedOut = new AbortController();
    const sessionOver = session.run(loggedOut.signal);
    const goodbyes = sayGoodbyes(registered, { server: this.#workshop.server, session, log }, loggedOut.signal);
    const engines = await offeredEngines(this.#options);
    const stop = { interrupt: this.#interrupt.signal, kill: this.#kill.signal };
    const names = slots === 1 ? [name] : Array.from({ length: slots }, (_, n) => `${name}/${n + 1}`);
    const place = { session, workshop: this.#workshop, executor, registered };
    const all = names.map((one, n) => new Slot({ name: one, engines, before: begun[n] ?? null }, place, stop));
    await Promise.all(all.map((slot) => slot.run(this.#noMore.signal)));
    loggedOut.abort();
    await Promise.all([sessionOver, goodbyes]);
    this.#workshop.server.close();
    lock.release();
  }
}

/** Of agents that were killed here, and of those that did not get rid of a state. */
async function logKeptStates({ folder, log }: AgentPlace): Promise<void> {
  for (const { runId, path } of await keptStates(folder)) {
    log.warn(`a state that no server has taken is kept in ${path}: hand it to its workspace, then remove it`, {
      run: runId,
    });
  }
}

function sourceOf(credential: Credential, server: Server): TokenSource {
  if (credential instanceof HandedTokens) return credential;
  return 'tokenFile' in credential ? tokenFileSource(credential.tokenFile) : certificateSource(server, credential);
}

async function offeredEngines({ engines, executor, log }: AgentOptions): Promise<OfferedEngines> {
  // Engines elsewhere are known to whoever executes the job there.
  if (executor !== undefined) return { engines: [], 'any-engine': true };
  const names = (await enginesHere(engines)).map(({ kind, version }) => `${kind} ${version}`);
  if (names.length === 0)
    log.warn('there is no engine here: put tofu or terraform on the PATH, or name a folder of engines');
  else log.info(`engines: ${names.join(', ')}`);
  return { engines: names, 'any-engine': hasAnyEngine(engines) };
}
