import { parentPort } from 'node:worker_threads';
import { withOwnMemory } from '../../lib/own-memory.ts';
import { GitClient } from '../git-client.ts';
import { GitError, type GitTransport } from '../git-remote.ts';
import { errorOf, failureOf } from './failure.ts';
import type { FromThread, Job, ToThread } from './messages.ts';

/** Worker thread that runs operations of Git clients, one after the other. The main thread sends its requests. */

/** Items of a message. */
const ITEMS = 1_000;

type Response = Extract<ToThread, { response: number }>;
const responses = new Map<number, (response: Response) => void>();
let lastRequest = 0;
let wanted = Promise.withResolvers<void>();

function post(message: FromThread, memory: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, memory);
}

const transportTo =
  (submodule?: string): GitTransport =>
  async (path, body) => {
    const request = ++lastRequest;
    post({ request, submodule, path, body });
    return chunksOf(request);
  };

async function* chunksOf(request: number): AsyncGenerator<Uint8Array> {
  let isOver = false;
  try {
    for (;;) {
      const response = await next(request);
      isOver = 'failure' in response || response.chunk === undefined;
      if ('failure' in response) throw errorOf(response.failure);
      if (response.chunk === undefined) return;
      yield response.chunk;
    }
  } finally {
    if (!isOver) post({ leave: request });
  }
}

function next(request: number): Promise<Response> {
  return new Promise((resolve) => {
    responses.set(request, resolve);
    post({ take: request });
  });
}

function received(response: Response): void {
  const resolve = responses.get(response.response);
  responses.delete(response.response);
  resolve?.(response);
}

async function run({ operation, url, capabilities, bounds }: Job): Promise<unknown> {
  const access = { url, transport: transportTo(), capabilities };
  const client = new GitClient(access, { openTransport: transportTo }, bounds);
  switch (operation.name) {
    case 'changedFiles':
      return list(await client.changedFiles(...operation.args));
    case 'folders':
      return list(await client.folders(...operation.args));
    case 'history':
      return list(await client.history(...operation.args));
    case 'commit':
      return await client.commit(...operation.args);
    case 'mergeBase':
      return await client.mergeBase(...operation.args);
    case 'archive':
      return await archive(client, ...operation.args);
  }
}

function list(items: readonly unknown[]): void {
  for (let at = 0; at < items.length; at += ITEMS) post({ items: items.slice(at, at + ITEMS) });
}

/** Sends an archive chunk by chunk. Returns its notes. */
async function archive(client: GitClient, id: string, submodules: boolean): Promise<readonly string[]> {
  const { bytes, notes } = await client.archive(id, { submodules });
  post({ opened: true });
  for await (const chunk of bytes) {
    await wanted.promise;
    wanted = Promise.withResolvers();
    const own = withOwnMemory(chunk);
    post({ chunk: own }, [own.buffer as ArrayBuffer]);
  }
  return notes;
}

async function answer(job: Job): Promise<void> {
  wanted = Promise.withResolvers();
  responses.clear();
  try {
    post({ done: await run(job) });
  } catch (error) {
    const isExpected = error instanceof GitError;
    const failed = isExpected ? failureOf(error) : UNEXPECTED;
    post({ failed, unexpected: isExpected ? undefined : String((error as Error).stack ?? error) });
  }
}

const UNEXPECTED = { kind: 'invalid', message: 'The response of the Git server could not be processed.' } as const;

parentPort?.on('message', (message: ToThread) => {
  if ('start' in message) void answer(message.start);
  else if ('response' in message) received(message);
  else wanted.resolve();
});
