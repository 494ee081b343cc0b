import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { type Command, Option } from 'commander';
import type { ListenerConfig } from '../../config/index.ts';
import { CommandError } from '../errors/command-error.ts';
import { EXIT } from '../errors/exit-codes.ts';
import { type ConfigOptions, readConfigFile, withConfig } from '../process/config-file.ts';

/** @limit response time for `lockkeeper status`, ms -> the server counts as not ready */
const ANSWER_MS = 10_000;
/** @limit response that `lockkeeper status` reads, characters -> the server counts as not ready */
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
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandError(`${url} does not respond as a Lockkeeper server: ${code ?? message}`, EXIT.unavailable);
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
function answerOf(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { agent: false, rejectUnauthorized: false, signal: AbortSignal.timeout(ANSWER_MS) };
    const request = (url.startsWith('https:') ? requestTls : requestPlain)(url, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        if (text.length > MAX_ANSWER) request.destroy(new Error('the response is too large'));
      });
      response.on('end', () => resolve(text)).on('error', reject);
    });
    request.on('error', reject).end();
  });
}

function parse(text: string): Readiness {
  const answer = JSON.parse(text) as Partial<Readiness>;
  if (typeof answer.ready !== 'boolean' || !Array.isArray(answer.checks)) throw new Error('another program responds');
  return answer as Readiness;
}
