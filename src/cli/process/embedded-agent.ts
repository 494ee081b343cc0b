import { type ChildProcess, spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Logger } from 'pino';
import {
  asSettings,
  type Config,
  type EmbeddedAgentConfig,
  fromEngineSettings,
  type ListenerConfig,
} from '../../config/index.ts';
import { ownAddresses } from '../../lib/address/own-addresses.ts';
import { withinBlocks } from '../../lib/cidr.ts';

/** Settings of the embedded agent. */
export interface EmbeddedAgentOptions extends EmbeddedAgentConfig {
  /** URL of a workspace API listener, as this machine reaches it. */
  readonly address: string;
  readonly trust: Trust | undefined;
  /** Whether runs can connect to this server. */
  readonly reachServer: boolean;
  /** Returns a token with a lifetime of one hour. Undefined while none can be issued. */
  issue(): Promise<string | undefined>;
  readonly logger: Logger;
}

/** TLS identity of the server. Undefined without TLS. */
export interface Trust {
  /** Server certificate or its CA (PEM). Read with each token, because certificates are rotated. */
  readonly certificateFile: string;
}

/** Interval of new tokens, ms. A token lives three times as long. */
const TOKEN_EVERY = 1_200_000;
/** Back-off between restarts, ms. */
const PAUSES = { first: 1_000, longest: 30_000 };
/** @limit time to stop the embedded agent with the server, ms -> the agent is killed */
const STOP_LIMIT = 60_000;
/** Run time after which an exit does not count as a failed start, ms. */
const RAN = 60_000;

/**
 * Runs the embedded agent as a child process that uses the API like any other agent, so that memory use of a plan
 * cannot affect the server. Secrets go over its standard input. Closing the input stops it.
 */
export class EmbeddedAgent {
  readonly #options: EmbeddedAgentOptions;
  readonly #tokens: NodeJS.Timeout;
  #process: ChildProcess | undefined;
  #restart: NodeJS.Timeout | undefined;
  #ended: Promise<void> = Promise.resolve();
  #pause = PAUSES.first;
  #isStopping = false;

  constructor(options: EmbeddedAgentOptions) {
    this.#options = options;
    this.#start();
    this.#tokens = setInterval(() => void this.#renew(), TOKEN_EVERY).unref();
  }

  /** Stops the agent: it takes no new job, interrupts jobs that do not finish in time, and exits. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#tokens);
    clearTimeout(this.#restart);
    const child = this.#process;
    child?.stdin?.end();
    const late = setTimeout(() => child?.kill('SIGKILL'), STOP_LIMIT);
    await this.#ended;
    clearTimeout(late);
  }

  #start(): void {
    const { logger } = this.#options;
    const [program = ''] = process.argv.slice(1);
    const began = performance.now();
    const child = spawn(process.execPath, [...process.execArgv, program, 'agent', '--embedded'], {
      stdio: ['pipe', 'ignore', 'pipe'],
      env: environment(),
    });
    this.#process = child;
    const lines = createInterface({ input: child.stderr });
    lines.on('line', (line) => logger.info({ agent: line }, 'agent'));
    // Ignores write errors after the exit, which is handled below.
    child.stdin.on('error', () => {});
    void this.#begin();
    this.#ended = new Promise((resolve) => {
      child.once('error', (err) => logger.error({ err }, 'the embedded agent failed to start'));
      child.once('close', (code, signal) => {
        if (this.#process === child) this.#process = undefined;
        if (!this.#isStopping) this.#again(performance.now() - began, { code, signal });
        resolve();
      });
    });
  }

  async #begin(): Promise<void> {
    const { address, directory, isolation, network, providers, slots } = this.#options;
    const { deniedAddresses, reachServer, bounds, issue } = this.#options;
    const reach = { network, denied_addresses: deniedAddresses, reach_server: reachServer };
    const place = { folder: directory, ...fromEngineSettings(this.#options), providers };
    const settings = { address, slots, isolation, ...reach, ...asSettings(bounds), name: 'embedded', ...place };
    const token = await issue();
    // Without a token the agent exits and is restarted.
    if (token === undefined) this.#process?.stdin?.end();
    else this.#tell({ ...settings, token, ...this.#trusted() });
  }

  async #renew(): Promise<void> {
    const token = await this.#options.issue();
    if (token !== undefined) this.#tell({ token, ...this.#trusted() });
  }

  #again(ran: number, ended: object): void {
    this.#pause = ran > RAN ? PAUSES.first : Math.min(2 * this.#pause, PAUSES.longest);
    this.#options.logger.error({ ...ended, again_in_ms: this.#pause }, 'the embedded agent exited unexpectedly');
    this.#restart = setTimeout(() => this.#start(), this.#pause).unref();
  }

  #tell(message: object): void {
    this.#process?.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  #trusted(): object {
    const { trust } = this.#options;
    if (trust === undefined) return {};
    const ca = readFileSync(trust.certificateFile, 'utf8');
    return { ca, server_name: nameIn(ca) };
  }
}

/** Environment variables that the agent needs to find programs and to reach download servers. */
const PASSED_ON = /^(PATH|TMPDIR|LANG|NODE_USE_ENV_PROXY|NODE_EXTRA_CA_CERTS|(HTTP|HTTPS|NO)_PROXY)$/i;

/** Returns the agent's environment, without tokens and database URLs. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED_ON.test(name)));
}

/** Returns a DNS name of the certificate. Undefined if it names only IP addresses. */
function nameIn(pem: string): string | undefined {
  const names = new X509Certificate(pem).subjectAltName?.split(', ') ?? [];
  const name = names.find((one) => one.startsWith('DNS:'))?.slice('DNS:'.length);
  return name?.replace(/^\*\./, 'lockkeeper.');
}

/**
 * Creates the embedded agent if it is configured.
 * @param addresses listener addresses
 */
export function startEmbeddedAgent(
  { embeddedAgent, listeners }: Config,
  addresses: readonly string[],
  { issue, logger }: Pick<EmbeddedAgentOptions, 'issue' | 'logger'>,
): EmbeddedAgent | undefined {
  const place = embeddedAgent && ownAddress(listeners, addresses);
  if (embeddedAgent === undefined || place === undefined) return undefined;
  const reachServer = !trustsThisMachine(listeners);
  if (!reachServer)
    logger.warn('runs cannot connect to this server, because trusted_proxies of a listener include this machine');
  return new EmbeddedAgent({ ...embeddedAgent, ...place, reachServer, issue, logger });
}

/** Returns whether a connection from this machine may forward a client certificate. */
export function trustsThisMachine(listeners: readonly ListenerConfig[]): boolean {
  const proxies = listeners.flatMap(({ forwarded }) => forwarded?.trustedProxies ?? []);
  return proxies.length > 0 && ownAddresses().some((address) => withinBlocks(address, proxies));
}

/** Returns the URL of a workspace API listener on this machine. Undefined without one. */
function ownAddress(
  listeners: readonly ListenerConfig[],
  addresses: readonly string[],
): { readonly address: string; readonly trust: Trust | undefined } | undefined {
  const index = listeners.findIndex(({ services }) => services.includes('workspaces'));
  const [listener, address] = [listeners[index], addresses[index]];
  if (listener === undefined || address === undefined) return undefined;
  const url = new URL(address);
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.hostname === '[::]') url.hostname = '[::1]';
  return { address: url.origin, trust: listener.tls && { certificateFile: listener.tls.certificateFile } };
}
