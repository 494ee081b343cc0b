import { send } from '../api/request.ts';
import type { Session } from './session.ts';
import * as texts from './texts.ts';

const ADDRESS = '/app/~session/passkeys';

interface Question {
  readonly options: never;
}

/** Signs in with a passkey that the user chooses. @throws Error with a message for the user */
export async function signInWithPasskey(): Promise<Session> {
  const { startAuthentication } = await webauthn();
  const { options } = await ask(`${ADDRESS}/options`);
  const response = await inWords(() => startAuthentication({ optionsJSON: options }));
  return (await send({ method: 'POST', address: ADDRESS, body: { response } })) as Session;
}

/** Registers a passkey of this device or of a security key. @throws Error with a message for the user */
export async function registerPasskey(name: string): Promise<void> {
  const { startRegistration } = await webauthn();
  const { options } = await ask(`${ADDRESS}/registration/options`);
  const response = await inWords(() => startRegistration({ optionsJSON: options }));
  await send({ method: 'POST', address: `${ADDRESS}/registration`, body: { response, name } });
}

/** Creates an account by the link of an invitation. @throws Error with a message for the user */
export async function createAccount(secret: string, username: string, name: string): Promise<Session> {
  const { startRegistration } = await webauthn();
  const address = '/app/~session/invitations/account';
  const { options } = await ask(`${address}/options`, { secret, username });
  const response = await inWords(() => startRegistration({ optionsJSON: options }));
  return (await send({ method: 'POST', address, body: { secret, response, name } })) as Session;
}

/** The package is loaded when it is needed. */
const webauthn = () => import('@simplewebauthn/browser');

const ask = (address: string, body: object = {}) => send({ method: 'POST', address, body }) as Promise<Question>;

/** Browsers report a canceled dialog, a timeout and a missing passkey with one name. */
async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { name } = error as Error;
    if (name === 'InvalidStateError') throw new Error(texts.alreadyRegistered);
    throw new Error(
      name === 'NotAllowedError' || name === 'AbortError' ? texts.noPasskeyChosen : texts.cannotUse(name),
    );
  }
}
