import { fork } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type KeyWrapper, keyOf, passing, WrapFailure } from './key-wrapper.ts';
import type { Pkcs11Answer, Pkcs11Order } from './pkcs11-worker.ts';
import { readSecret } from './secret-place.ts';
import type { Pkcs11Settings } from './settings.ts';

/**
 * Wraps with a key in a security module. A child process loads the vendor's library for one operation, because the
 * library blocks its thread, may hang or crash, and must not be able to read the server's memory.
 */
export function pkcs11Wrapper(settings: Pkcs11Settings): KeyWrapper {
  const { pin: place, tokenLabel, key } = settings;
  const asked = async (order: Pick<Pkcs11Order, 'do' | 'bytes'>, signal: AbortSignal): Promise<string> => {
    const pin = await readSecret(place, 'the PIN');
    const answer = await answerTo({ ...settings, ...order, pin }, signal);
    if ('bytes' in answer) return answer.bytes;
    throw new WrapFailure(answer.failure, { isPassing: answer.isPassing });
  };
  return {
    name: `${key} on the token ${tokenLabel}`,
    wrap: (dataKey, _context, signal) => asked({ do: 'wrap', bytes: Buffer.from(dataKey).toString('base64') }, signal),
    unwrap: async (wrapped, _context, signal) => keyOf(await asked({ do: 'unwrap', bytes: wrapped }, signal)),
  };
}

async function answerTo(order: Pkcs11Order, signal: AbortSignal): Promise<Pkcs11Answer> {
  // An aborted signal fires no event, so nothing would end a library that hangs.
  signal.throwIfAborted();
  // This module is TypeScript in the sources and JavaScript in the package, and so is the worker.
  const program = fileURLToPath(new URL(`pkcs11-worker${extname(import.meta.url)}`, import.meta.url));
  const child = fork(program, [], { env: environment(), stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  // The close event reports the error.
  child.on('error', () => {});
  signal.addEventListener('abort', () => child.kill('SIGKILL'), { once: true });
  let answer: Pkcs11Answer | undefined;
  child.on('message', (message: Pkcs11Answer) => {
    answer = message;
  });
  // A process that cannot be started closes without a response, too.
  const ended = once(child, 'close').catch(() => {});
  // The PIN is neither on a command line nor in an environment.
  child.send(order, () => {});
  await ended;
  return (
    answer ?? {
      failure: passing('the library of the security module ended without an answer').message,
      isPassing: true,
    }
  );
}

/** Returns the environment without the server's own variables; libraries of vendors read settings from it. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('LOCKKEEPER_')));
}
