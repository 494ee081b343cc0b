import type { Readable } from 'node:stream';
import { ConfigError, type EmbeddedConfig, readEmbeddedConfig } from '../../config/index.ts';
import { Agent, type AgentLog, HandedTokens } from '../../runner/index.ts';
import { usageError } from '../errors/command-error.ts';
import { terminationSignal } from '../process/signals.ts';
import { placeOf, waitForEnd } from './agent-place.ts';

/** @limit a line that an embedded agent is told, characters -> it stops */
const MAX_LINE = 1_048_576;
/** How long jobs may go on after the end of what it is told, where that does not say, seconds. */
const END_AFTER = 5;
/** @limit how long an embedded agent takes to stop, seconds -> jobs are killed, and their states kept */
const LONGEST_STOP = 50;

/**
 * An agent that a server has started as its child: its settings are the first line of its input, fresh tokens are the lines that
 * follow, and it stops when that ends, however its server did.
 * @throws CommandError
 */
export async function runEmbedded(input: Readable, log: AgentLog): Promise<void> {
  try {
    await run(input, log);
  } finally {
    // It keeps the process alive as long as it is open.
    input.destroy();
  }
}

async function run(input: Readable, log: AgentLog): Promise<void> {
  // Its server is told by signals, and then tells it.
  void ignoreSignals();
  const lines = linesOf(input);
  const config = settingsIn((await lines.next()).value);
  const tokens = new HandedTokens();
  tokens.hand(config.token);
  const place = await placeOf(config, config.trust, log);
  const agent = new Agent({ ...place, credential: tokens, name: config.name, slots: config.slots });
  void listen(lines, agent, tokens, log).then(() => {
    agent.drain();
    setTimeout(() => agent.interrupt(), (config.stopTimeout ?? END_AFTER) * 1000).unref();
    setTimeout(() => agent.kill(), LONGEST_STOP * 1000).unref();
  });
  await waitForEnd(agent);
}

async function ignoreSignals(): Promise<void> {
  for (;;) await terminationSignal();
}

function settingsIn(line: string | undefined): EmbeddedConfig {
  try {
    return readEmbeddedConfig(JSON.parse(line ?? ''));
  } catch (error) {
    if (error instanceof ConfigError) throw usageError(`the agent cannot be started:\n${error.message}`);
    throw usageError('the first line of the input of an embedded agent is no JSON');
  }
}

/** Until the end, or until what comes is nonsense. */
async function listen(lines: AsyncIterable<string>, agent: Agent, tokens: HandedTokens, log: AgentLog): Promise<void> {
  try {
    for await (const line of lines) {
      const { token, ca, server_name: serverName } = JSON.parse(line);
      if (typeof token !== 'string') throw new Error('a line has no token');
      if (typeof ca === 'string') agent.trust({ ca, serverName: typeof serverName === 'string' ? serverName : null });
      tokens.hand(token);
    }
    log.info('stopping: the input has ended');
  } catch {
    log.warn('stopping: what this agent is told makes no sense');
  }
}

/** @throws Error for one that is too long */
async function* linesOf(input: Readable): AsyncGenerator<string, undefined> {
  input.setEncoding('utf8');
  let begun = '';
  for await (const piece of input) {
    const lines = `${begun}${piece}`.split('\n');
    begun = lines.pop() ?? '';
    yield* lines;
    if (begun.length > MAX_LINE) throw usageError(`a line of the input is longer than ${MAX_LINE} characters`);
  }
}
