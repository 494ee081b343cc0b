import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { type Command, Option } from 'commander';
import type { ListenerConfig } from '../../config/index.ts';
import { CommandError } from '../errors/command-error.ts';
import { EXIT } from '../errors/exit-codes.ts';
import { type ConfigOptions, readConfigFile, withConfig } from '../process/config-file.ts';

/** @limit the answer of the server to `lockkeeper status`, ms -> it counts as not ready */
const ANSWER_MS = 10_000;
/** @limit the answer that `lockkeeper status` reads, characters -> it counts as not ready */
const MAX_ANSWER = 65_536;

interface Readiness {
  readonly ready: boolean;
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly reason?: string }[];
}

/** `lockkeeper status`: what containers and units ask, where no other program is. */
export function addStatus(program: Command): void {
  withConfig(program.command('status'))
    .description('ask the server that runs here with this configuration whether it is ready, and fail when it is not')
    .addOption(new Option('--format <format>', 'what to print').choices(['text', 'json']).default('text'))
    .action(status);
}

async function status(options: ConfigOptions & { readonly format: 'text' | 'json' }): Promise<void> {
  const { listeners } = readConfigFile(options);
  const listener = listeners.find(({ port }) => port !== 0);
  if (!listener) throw new CommandError('no listener has a port of its own (0 picks a free one): it cannot be asked');
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

/** @throws CommandError when nobody answers, or somebody else */
async function ask(listener: ListenerConfig): Promise<Readiness> {
  const url = urlOf(listener);
  try {
    return parse(await answerOf(url));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandError(`${url} does not answer as the server does: ${code ?? message}`, EXIT.unavailable);
  }
}

function urlOf({ host, port, tls }: ListenerConfig): string {
  const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  const reached = everywhere[host] ?? host;
  return `${tls ? 'https' : 'http'}://${reached.includes(':') ? `[${reached}]` : reached}:${port}/healthz/ready`;
}

/** Whose certificate it is does not matter: this machine asks itself, tells nothing and believes no more than this. */
function answerOf(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { agent: false, rejectUnauthorized: false, signal: AbortSignal.timeout(ANSWER_MS) };
    const request = (url.startsWith('https:') ? requestTls : requestPlain)(url, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        if (text.length > MAX_ANSWER) request.destroy(new Error('it says too much'));
      });
      response.on('end', () => resolve(text)).on('error', reject);
    });
    request.on('error', reject).end();
  });
}

function parse(text: string): Readiness {
  const answer = JSON.parse(text) as Partial<Readiness>;
  if (typeof answer.ready !== 'boolean' || !Array.isArray(answer.checks)) throw new Error('it is another program');
  return answer as Readiness;
}
