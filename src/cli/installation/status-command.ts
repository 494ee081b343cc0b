import { type Command, Option } from 'commander';
import type { ListenerConfig } from '../../config/index.ts';
import { type FetchError, reasonOf } from '../../lib/http/fetch-error.ts';
import { HttpClient } from '../../lib/http/http-client.ts';
import { CommandError } from '../errors/command-error.ts';
import { EXIT } from '../errors/exit-codes.ts';
import { type ConfigOptions, readConfigFile, withConfig } from '../process/config-file.ts';

/** @limit response time for `lockkeeper status`, ms -> the server counts as not ready */
const ANSWER_MS = 10_000;
/** @limit response that `lockkeeper status` reads, bytes -> the server counts as not ready */
const MAX_ANSWER = 65_536;

interface Readiness {
  readonly ready: boolean;
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly reason?: string }[];
}

/** Command `lockkeeper status`: health check for containers and service units. */
export function addStatus(program: Command): void {
  withConfig(program.command('status'))
    .description('Check that the server of this configuration is ready on this machine')
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'))
    .action(status);
}

async function status(options: ConfigOptions & { readonly format: 'text' | 'json' }): Promise<void> {
  const { listeners } = readConfigFile(options);
  const listener = listeners.find(({ port }) => port !== 0);
  if (!listener)
    throw new CommandError('no listener has a fixed port (0 picks a free port), so the server cannot be reached');
  const readiness = await ask(listener);
  process.stdout.write(options.format === 'json' ? `${JSON.stringify(readiness, null, 2)}\n` : textOf(readiness));
  if (!readiness.ready) throw new CommandError('the server is not ready', EXIT.unavailable);
}

function textOf({ ready, checks }: Readiness): string {
  const lines = checks.map(
    ({ name, ok, reason }) => `  ${name}: ${ok ? 'ok' : 'failed'}${reason ? ` (${reason})` : ''}`,
  );
  return `${[ready ? 'ready' : 'not ready', ...lines].join('\n')}\n`;
}

/** @throws CommandError without a response, or if another program responds */
async function ask(listener: ListenerConfig): Promise<Readiness> {
  const url = urlOf(listener);
  try {
    return parse(await answerOf(url));
  } catch (error) {
    const { code, kind } = error as Partial<FetchError>;
    const reason = kind === 'too-large' ? 'the response is too large' : (code ?? reasonOf(error));
    throw new CommandError(`${url} does not respond as a Lockkeeper server: ${reason}`, EXIT.unavailable);
  }
}

function urlOf({ host, port, tls }: ListenerConfig): string {
  const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  const reached = everywhere[host] ?? host;
  return `${tls ? 'https' : 'http'}://${reached.includes(':') ? `[${reached}]` : reached}:${port}/healthz/ready`;
}

/**
 * The certificate is not verified: the request goes to this machine, contains no secret, and only readiness is read.
 */
async function answerOf(url: string): Promise<string> {
  const client = new HttpClient({ connections: 'new', tls: { rejectUnauthorized: false } });
  const response = await client.send(new URL(url), { limits: { timeoutMs: ANSWER_MS, maxBytes: MAX_ANSWER } });
  return (await response.bytes()).toString();
}

function parse(text: string): Readiness {
  const answer = JSON.parse(text) as Partial<Readiness>;
  if (typeof answer.ready !== 'boolean' || !Array.isArray(answer.checks)) throw new Error('another program responds');
  return answer as Readiness;
}
