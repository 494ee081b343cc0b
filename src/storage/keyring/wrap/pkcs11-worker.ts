import { createRequire } from 'node:module';
import type { Pkcs11Module, Pkcs11Session } from './pkcs11-module.ts';
import { unwrapKey, wrapKey } from './pkcs11-operations.ts';
import type { Pkcs11Settings } from './settings.ts';

/** One operation. Bytes are base64. */
export interface Pkcs11Order extends Pick<Pkcs11Settings, 'module' | 'tokenLabel' | 'key' | 'mechanism' | 'hash'> {
  readonly do: 'wrap' | 'unwrap';
  readonly bytes: string;
  readonly pin: string;
}

export type Pkcs11Answer = { readonly bytes: string } | { readonly failure: string; readonly isPassing: boolean };

/** Reasons and advice by error code of PKCS #11 (§5.1, v2.40). */
const REASONS: Readonly<Record<string, string>> = {
  CKR_PIN_INCORRECT: 'the PIN is wrong. Do not try often: the token locks itself',
  CKR_PIN_LEN_RANGE: 'the PIN is wrong. Do not try often: the token locks itself',
  CKR_PIN_LOCKED: 'the PIN is locked: the security officer of the token has to set a new one',
  CKR_MECHANISM_INVALID:
    'the token does not support the mechanism: choose another keyring_wrap.mechanism or keyring_wrap.hash',
  CKR_MECHANISM_PARAM_INVALID:
    'the token does not support these parameters of the mechanism: choose another keyring_wrap.mechanism or keyring_wrap.hash',
  CKR_ARGUMENTS_BAD:
    'the token does not support these parameters of the mechanism: choose another keyring_wrap.mechanism or keyring_wrap.hash',
  CKR_KEY_FUNCTION_NOT_PERMITTED:
    'the key does not allow this use: AES needs CKA_WRAP and CKA_UNWRAP, RSA needs CKA_ENCRYPT and CKA_DECRYPT',
  CKR_WRAPPED_KEY_INVALID: 'another key has wrapped the file, or the file was changed',
  CKR_WRAPPED_KEY_LEN_RANGE: 'another key has wrapped the file, or the file was changed',
  CKR_GENERAL_ERROR:
    'the operation failed: on some tokens this means that another key has wrapped the file, or the file was changed',
  CKR_ENCRYPTED_DATA_INVALID: 'another key has wrapped the file, or the file was changed',
  CKR_ENCRYPTED_DATA_LEN_RANGE: 'another key has wrapped the file, or the file was changed',
};
/** Codes of a device that is unavailable or busy. */
const PASSING = /^CKR_(DEVICE_ERROR|DEVICE_REMOVED|HOST_MEMORY|SESSION_COUNT|TOKEN_NOT_PRESENT|FUNCTION_FAILED)$/;

/** A failure worded for the operator. */
class Refusal extends Error {}

const NO_MODULE =
  'the package pkcs11js is not installed: npm install --global pkcs11js beside lockkeeper, or name its folder in NODE_PATH';

function loadModule(): Pkcs11Module {
  try {
    return createRequire(import.meta.url)('pkcs11js');
  } catch {
    throw new Refusal(NO_MODULE);
  }
}

function executeTrial(order: Pkcs11Order): string {
  const module = loadModule();
  const pkcs11 = new module.PKCS11();
  try {
    pkcs11.load(order.module);
  } catch {
    throw new Refusal(`the library ${order.module} cannot be loaded; correct keyring_wrap.module`);
  }
  pkcs11.C_Initialize();
  const session = openSession(module, pkcs11, order);
  const bytes = Buffer.from(order.bytes, 'base64');
  const use = order.do === 'wrap' ? wrapKey : unwrapKey;
  const result = use(session, order, bytes);
  if (result === undefined)
    throw new Refusal(`the token has no key ${order.key}, or not one that can be used for ${order.mechanism}`);
  return result.toString('base64');
}

function openSession(
  module: Pkcs11Module,
  pkcs11: Pkcs11Session['pkcs11'],
  { tokenLabel, pin }: Pkcs11Order,
): Pkcs11Session {
  const slots = pkcs11.C_GetSlotList(true);
  const slot = slots.find((one) => pkcs11.C_GetTokenInfo(one).label.trimEnd() === tokenLabel);
  if (slot === undefined) throw new Refusal(`there is no token ${tokenLabel}`);
  const { flags } = pkcs11.C_GetTokenInfo(slot);
  if ((flags & module.CKF_USER_PIN_LOCKED) !== 0) throw new Refusal(REASONS.CKR_PIN_LOCKED);
  if ((flags & module.CKF_USER_PIN_FINAL_TRY) !== 0)
    throw new Refusal('one more wrong PIN would lock the token: log in once with another tool, then start again');
  const session = pkcs11.C_OpenSession(slot, module.CKF_SERIAL_SESSION);
  pkcs11.C_Login(session, module.CKU_USER, pin);
  return { module, pkcs11, session };
}

function failureOf(error: unknown): Pkcs11Answer {
  if (error instanceof Refusal)
    return { failure: error.message, isPassing: error.message.startsWith('there is no token') };
  const code = /CKR_\w+/.exec(String((error as Error).message))?.[0] ?? 'unknown';
  const isPassing = PASSING.test(code);
  return {
    failure: `${REASONS[code] ?? (isPassing ? 'the device is unavailable' : 'the token refused the operation')} (${code})`,
    isPassing,
  };
}

process.once('message', (order: Pkcs11Order) => {
  let answer: Pkcs11Answer;
  try {
    answer = { bytes: executeTrial(order) };
  } catch (error) {
    answer = failureOf(error);
  }
  // Ends the threads that the library has left, too.
  process.send?.(answer, undefined, {}, () => process.exit(0));
});
