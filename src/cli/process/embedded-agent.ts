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

/** What an agent has to know that this server starts. */
export interface EmbeddedAgentOptions extends EmbeddedAgentConfig {
  /** Of a listener of the workspaces, as this machine reaches it. */
  readonly address: string;
  readonly trust: Trust | undefined;
  /** Whether runs reach this server. */
  readonly reachServer: boolean;
  /** A token for it, which lives for an hour; undefined while nobody can give one. */
  issue(): Promise<string | undefined>;
  readonly logger: Logger;
}

/** Whom the agent takes the server for; undefined without TLS. */
export interface Trust {
  /** PEM of the server's certificate or of its authority, read anew with each token: certificates are exchanged. */
  readonly certificateFile: string;
}

/** A token is handed over that often, ms; it lives three times as long. */
const TOKEN_EVERY = 1_200_000;
/** Between the end of one and the start of the next: longer each time it fails, ms. */
const PAUSES = { first: 1_000, longest: 30_000 };
/** @limit what the embedded agent may take to hand over what it carries out when the server stops, ms -> it is killed */
const STOP_LIMIT = 60_000;
/** One that ran for so long did not fail at its start, ms. */
const RAN = 60_000;

/**
 * The agent that the server starts for itself: a process of its own that speaks to it as any other agent does, so that nothing a plan does to
 * its memory takes the server along. What it must not show anybody it is told on its standard input, whose end it takes for the word to stop.
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

  /** It takes no further run, gives up what it carries out, and is gone. */
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
    // Written to after its end, which is told of below.
    child.stdin.on('error', () => {});
    void this.#begin();
    this.#ended = new Promise((resolve) => {
      child.once('error', (err) => logger.error({ err }, 'the embedded agent could not be started'));
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
    // Without one it ends, and is started again.
    if (token === undefined) this.#process?.stdin?.end();
    else this.#tell({ ...settings, token, ...this.#trusted() });
  }

  async #renew(): Promise<void> {
    const token = await this.#options.issue();
    if (token !== undefined) this.#tell({ token, ...this.#trusted() });
  }

  #again(ran: number, ended: object): void {
    this.#pause = ran > RAN ? PAUSES.first : Math.min(2 * this.#pause, PAUSES.longest);
    this.#options.logger.error({ ...ended, again_in_ms: this.#pause }, 'the embedded agent has ended by itself');
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

/** Variables of ours that it needs: to find programs, and to reach where engines are downloaded from. */
const PASSED_ON = /^(PATH|TMPDIR|LANG|NODE_USE_ENV_PROXY|NODE_EXTRA_CA_CERTS|(HTTP|HTTPS|NO)_PROXY)$/i;

/** Returns what it needs of our environment: no token, no address of a database. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED_ON.test(name)));
}

/** A name that the certificate is for; none where it is for addresses alone. */
function nameIn(pem: string): string | undefined {
  const names = new X509Certificate(pem).subjectAltName?.split(', ') ?? [];
  const name = names.find((one) => one.startsWith('DNS:'))?.slice('DNS:'.length);
  return name?.replace(/^\*\./, 'lockkeeper.');
}

/**
 * Where the configuration asks for one.
 * @param addresses of the listeners
 */
export function startEmbeddedAgent(
  { embeddedAgent, listeners }: Config,
  addresses: readonly string[],
  { issue, logger }: Pick<EmbeddedAgentOptions, 'issue' | 'logger'>,
): EmbeddedAgent | undefined {
  const place = embeddedAgent && ownAddress(listeners, addresses);
  if (embeddedAgent === undefined || place === undefined) return undefined;
  const reachServer = !trustsThisMachine(listeners);
  if (!reachServer) logger.warn('runs do not reach this server: trusted_proxies of a listener cover this machine');
  return new EmbeddedAgent({ ...embeddedAgent, ...place, reachServer, issue, logger });
}

/** Whether a connection from this machine may say whose certificate it brings. */
export function trustsThisMachine(listeners: readonly ListenerConfig[]): boolean {
  const proxies = listeners.flatMap(({ forwarded }) => forwarded?.trustedProxies ?? []);
  return proxies.length > 0 && ownAddresses().some((address) => withinBlocks(address, proxies));
}

/** How this machine reaches a listener of the workspaces. Undefined where there is none. */
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
