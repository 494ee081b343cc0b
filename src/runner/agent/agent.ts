import { join } from 'node:path';
import { lockFile } from '../../lib/locks/file-lock.ts';
import { keptStates } from '../cleanup/cleanup.ts';
import { enginesHere, hasAnyEngine } from '../engine/engine.ts';
import { JobFailure } from '../ports.ts';
import type { Executor } from './executor.ts';
import { Forwarder, type ForwardingFetch } from './forward/forwarder.ts';
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

/** Lock file in the folder of an agent. The agent holds the lock while it runs. */
const LOCK = 'agent.lock';

/** Credential of an agent: a client certificate, a token in a file, or tokens passed by the parent program. */
export type Credential = CertificateFiles | { readonly tokenFile: string } | HandedTokens;

/** Options of an agent that runs until it is stopped. */
export interface AgentOptions extends AgentPlace {
  readonly credential: Credential;
  readonly name: string;
  /** Maximum number of jobs at the same time. */
  readonly slots: number;
  /** Executes the jobs. Default: each job in its own process on this machine. */
  readonly executor?: (workshop: Workshop) => Executor;
  /** Sends requests of the server to VCS providers. Default: the agent forwards none. */
  readonly forwarding?: ForwardingFetch;
}

/** An agent: takes jobs from a server and executes them in parallel, until it is stopped. */
export class Agent {
  readonly #options: AgentOptions;
  readonly #workshop: Workshop;
  readonly #executor: Executor;
  readonly #noMore = new AbortController();
  readonly #interrupt = new AbortController();
  readonly #kill = new AbortController();

  /**
   * Creates an agent, which does nothing until it runs.
   * @throws JobFailure for an invalid server URL
   */
  constructor(options: AgentOptions) {
    this.#options = options;
    this.#workshop = openWorkshop(options);
    this.#executor = options.executor?.(this.#workshop) ?? new ProcessExecutor(this.#workshop);
  }

  /** Replaces the CA certificates that the server is verified with. */
  trust(trust: Trust): void {
    this.#workshop.server.trust(trust);
    this.#executor.trust?.(trust);
  }

  /** Takes no further jobs. Running jobs continue. */
  drain(): void {
    this.#noMore.abort();
  }

  /** Takes no further jobs and interrupts running jobs. */
  interrupt(): void {
    this.drain();
    this.#interrupt.abort(new JobFailure('The agent was stopped and interrupted the run'));
  }

  /** Takes no further jobs and kills running jobs. The agent keeps states that the server has not stored. */
  kill(): void {
    this.interrupt();
    this.#kill.abort(new JobFailure('The agent was stopped immediately'));
  }

  /**
   * Runs until the agent is stopped.
   * @throws FileTaken if another agent uses the folder; JobFailure if the executor does not work
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
    await Promise.all([...all.map((slot) => slot.run(this.#noMore.signal)), this.#forward(all[0])]);
    loggedOut.abort();
    await Promise.all([sessionOver, goodbyes]);
    this.#workshop.server.close();
    lock.release();
  }

  /** Forwards requests under the registration of a slot. */
  async #forward(slot: Slot | undefined): Promise<void> {
    const { forwarding: fetch, log } = this.#options;
    if (fetch === undefined || slot === undefined) return;
    const forwarder = new Forwarder({ fetch, registration: () => slot.registration, log });
    await forwarder.run(this.#noMore.signal, this.#interrupt.signal);
  }
}

/** Warns about states that earlier agents in this folder could not upload. */
async function logKeptStates({ folder, log }: AgentPlace): Promise<void> {
  for (const { runId, path } of await keptStates(folder)) {
    log.warn(`a state that was not uploaded is kept in ${path}: upload it to its workspace, then delete the file`, {
      run: runId,
    });
  }
}

function sourceOf(credential: Credential, server: Server): TokenSource {
  if (credential instanceof HandedTokens) return credential;
  return 'tokenFile' in credential ? tokenFileSource(credential.tokenFile) : certificateSource(server, credential);
}

async function offeredEngines({ engines, executor, log }: AgentOptions): Promise<OfferedEngines> {
  // An external executor chooses its own engine, so the agent reports none.
  if (executor !== undefined) return { engines: [], 'any-engine': true };
  const names = (await enginesHere(engines)).map(({ kind, version }) => `${kind} ${version}`);
  if (names.length === 0)
    log.warn('no engine found: put tofu or terraform on the PATH, or configure a folder of engines');
  else log.info(`engines: ${names.join(', ')}`);
  return { engines: names, 'any-engine': hasAnyEngine(engines) };
}
