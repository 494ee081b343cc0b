import type { Readable } from 'node:stream';
import { ConfigError, type EmbeddedConfig, readEmbeddedConfig } from '../../config/index.ts';
import { Agent, type AgentLog, HandedTokens } from '../../runner/index.ts';
import { usageError } from '../errors/command-error.ts';
import { terminationSignal } from '../process/signals.ts';
import { placeOf, waitForEnd } from './agent-place.ts';

/** @limit input line of an embedded agent, characters -> the agent stops */
const MAX_LINE = 1_048_576;
/** Default time that jobs have to finish after the input has closed, seconds. */
const END_AFTER = 5;
/** @limit time to stop an embedded agent, seconds -> its jobs are killed and their states are kept on disk */
const LONGEST_STOP = 50;

/**
 * Runs the agent as a child of a server. The first line of standard input holds its settings, later lines hold fresh
 * tokens. It stops when the input closes, also if the server crashed.
 * @throws CommandError
 */
export async function runEmbedded(input: Readable, log: AgentLog): Promise<void> {
  try {
    await run(input, log);
  } finally {
    // The open input keeps the process alive.
    input.destroy();
  }
}

async function run(input: Readable, log: AgentLog): Promise<void> {
  // The server gets the signals and then closes the input.
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
    throw usageError('the first input line of an embedded agent is not JSON');
  }
}

/** Reads lines until the input closes or a line is invalid. */
async function listen(lines: AsyncIterable<string>, agent: Agent, tokens: HandedTokens, log: AgentLog): Promise<void> {
  try {
    for await (const line of lines) {
      const { token, ca, server_name: serverName } = JSON.parse(line);
      if (typeof token !== 'string') throw new Error('an input line has no token');
      if (typeof ca === 'string') agent.trust({ ca, serverName: typeof serverName === 'string' ? serverName : null });
      tokens.hand(token);
    }
    log.info("stopping: the server closed the agent's input");
  } catch {
    log.warn('stopping: the input is invalid');
  }
}

/** @throws Error for a line that is too long */
async function* linesOf(input: Readable): AsyncGenerator<string, undefined> {
  input.setEncoding('utf8');
  let begun = '';
  for await (const piece of input) {
    const lines = `${begun}${piece}`.split('\n');
    begun = lines.pop() ?? '';
    yield* lines;
    if (begun.length > MAX_LINE) throw usageError(`an input line is longer than ${MAX_LINE} characters`);
  }
}
