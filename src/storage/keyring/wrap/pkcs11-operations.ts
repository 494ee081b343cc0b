import type { Mechanism, Pkcs11Module, Pkcs11Session } from './pkcs11-module.ts';
import type { Pkcs11Settings } from './settings.ts';

type How = Pick<Pkcs11Settings, 'key' | 'mechanism' | 'hash'>;

/**
 * A block of RSA with 16,384 bits.
 * @limit the keyring's data key as a security module wraps it, bytes -> it is refused
 */
const MAX_WRAPPED = 2048;

/**
 * Returns undefined if the token has no such key.
 * @throws an error of pkcs11js
 */
export function wrapKey(on: Pkcs11Session, how: How, key: Buffer): Buffer | undefined {
  const { module, pkcs11, session } = on;
  if (how.mechanism === 'rsa-oaep') {
    const by = find(on, module.CKO_PUBLIC_KEY, how.key);
    if (by === undefined) return undefined;
    pkcs11.C_EncryptInit(session, oaep(module, how.hash), by);
    return pkcs11.C_Encrypt(session, key, Buffer.alloc(MAX_WRAPPED));
  }
  const by = find(on, module.CKO_SECRET_KEY, how.key);
  if (by === undefined) return undefined;
  const object = pkcs11.C_CreateObject(session, [...template(module), { type: module.CKA_VALUE, value: key }]);
  return pkcs11.C_WrapKey(session, keyWrap(module), by, object, Buffer.alloc(MAX_WRAPPED));
}

/**
 * Returns undefined if the token has no such key.
 * @throws an error of pkcs11js
 */
export function unwrapKey(on: Pkcs11Session, how: How, wrapped: Buffer): Buffer | undefined {
  const { module, pkcs11, session } = on;
  if (how.mechanism === 'rsa-oaep') {
    const by = find(on, module.CKO_PRIVATE_KEY, how.key);
    if (by === undefined) return undefined;
    pkcs11.C_DecryptInit(session, oaep(module, how.hash), by);
    return pkcs11.C_Decrypt(session, wrapped, Buffer.alloc(MAX_WRAPPED));
  }
  const by = find(on, module.CKO_SECRET_KEY, how.key);
  if (by === undefined) return undefined;
  const object = pkcs11.C_UnwrapKey(session, keyWrap(module), by, wrapped, template(module));
  return pkcs11.C_GetAttributeValue(session, object, [{ type: module.CKA_VALUE }])[0]?.value;
}

/** Mechanism of AES key wrap (RFC 3394). */
const keyWrap = (module: Pkcs11Module): Mechanism => ({ mechanism: module.CKM_AES_KEY_WRAP, parameter: null });

/** Constant that the package does not define. */
const CKZ_DATA_SPECIFIED = 1;

/** RFC 8017, §7.1. */
function oaep(module: Pkcs11Module, hash: How['hash']): Mechanism {
  const isSha1 = hash === 'sha1';
  return {
    mechanism: module.CKM_RSA_PKCS_OAEP,
    parameter: {
      type: module.CK_PARAMS_RSA_OAEP,
      hashAlg: isSha1 ? module.CKM_SHA_1 : module.CKM_SHA256,
      mgf: isSha1 ? module.CKG_MGF1_SHA1 : module.CKG_MGF1_SHA256,
      source: CKZ_DATA_SPECIFIED,
    },
  };
}

/** Attributes of the data key as a session object: it is created here and must be readable here. */
function template(module: Pkcs11Module) {
  return [
    { type: module.CKA_CLASS, value: module.CKO_SECRET_KEY },
    { type: module.CKA_KEY_TYPE, value: module.CKK_AES },
    { type: module.CKA_TOKEN, value: false },
    { type: module.CKA_SENSITIVE, value: false },
    { type: module.CKA_EXTRACTABLE, value: true },
  ];
}

function find({ module, pkcs11, session }: Pkcs11Session, kind: number, label: string): Buffer | undefined {
  pkcs11.C_FindObjectsInit(session, [
    { type: module.CKA_CLASS, value: kind },
    { type: module.CKA_LABEL, value: label },
  ]);
  const [found] = pkcs11.C_FindObjects(session, 1);
  pkcs11.C_FindObjectsFinal(session);
  return found;
}
