import { fork } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type KeyWrapper, keyOf, passing, WrapFailure } from './key-wrapper.ts';
import type { Pkcs11Answer, Pkcs11Order } from './pkcs11-worker.ts';
import { readSecret } from './secret-place.ts';
import type { Pkcs11Settings } from './settings.ts';

/**
 * A key in a security module. The vendor's library is loaded by a process of its own, for one operation: it blocks its thread, and
 * may hang or crash; and it has no business in the memory of a server.
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
  // Else nobody would end a library that hangs: it is told once.
  signal.throwIfAborted();
  // This module is TypeScript in a clone and JavaScript in the package; so is the other.
  const program = fileURLToPath(new URL(`pkcs11-worker${extname(import.meta.url)}`, import.meta.url));
  const child = fork(program, [], { env: environment(), stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  // Told of by its end.
  child.on('error', () => {});
  signal.addEventListener('abort', () => child.kill('SIGKILL'), { once: true });
  let answer: Pkcs11Answer | undefined;
  child.on('message', (message: Pkcs11Answer) => {
    answer = message;
  });
  // One that cannot be started ends without an answer, too.
  const ended = once(child, 'close').catch(() => {});
  // The PIN is on no command line and in no environment.
  child.send(order, () => {});
  await ended;
  return answer ?? { failure: passing('its library ended without an answer').message, isPassing: true };
}

/** Vendors read settings of theirs from there. Ours are not for them. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('LOCKKEEPER_')));
}
