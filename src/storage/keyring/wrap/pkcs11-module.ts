/** The used parts of `pkcs11js`. The package is native, so operators install it only if they have a security module. */
export interface Pkcs11Module {
  readonly PKCS11: new () => Pkcs11;
  readonly CKF_SERIAL_SESSION: number;
  readonly CKF_USER_PIN_FINAL_TRY: number;
  readonly CKF_USER_PIN_LOCKED: number;
  readonly CKU_USER: number;
  readonly CKA_CLASS: number;
  readonly CKA_LABEL: number;
  readonly CKA_KEY_TYPE: number;
  readonly CKA_VALUE: number;
  readonly CKA_TOKEN: number;
  readonly CKA_SENSITIVE: number;
  readonly CKA_EXTRACTABLE: number;
  readonly CKO_SECRET_KEY: number;
  readonly CKO_PUBLIC_KEY: number;
  readonly CKO_PRIVATE_KEY: number;
  readonly CKK_AES: number;
  readonly CKM_AES_KEY_WRAP: number;
  readonly CKM_RSA_PKCS_OAEP: number;
  readonly CKM_SHA_1: number;
  readonly CKM_SHA256: number;
  readonly CKG_MGF1_SHA1: number;
  readonly CKG_MGF1_SHA256: number;
  readonly CK_PARAMS_RSA_OAEP: number;
}

type Attribute = { readonly type: number; readonly value?: number | boolean | string | Buffer };
type Handle = Buffer;

export interface Mechanism {
  readonly mechanism: number;
  readonly parameter: object | null;
}

interface Pkcs11 {
  load(path: string): void;
  C_Initialize(): void;
  C_GetSlotList(tokenPresent: boolean): Handle[];
  C_GetTokenInfo(slot: Handle): { readonly label: string; readonly flags: number };
  C_OpenSession(slot: Handle, flags: number): Handle;
  C_Login(session: Handle, userType: number, pin: string): void;
  C_FindObjectsInit(session: Handle, template: readonly Attribute[]): void;
  C_FindObjects(session: Handle, most: number): Handle[];
  C_FindObjectsFinal(session: Handle): void;
  C_CreateObject(session: Handle, template: readonly Attribute[]): Handle;
  C_GetAttributeValue(session: Handle, object: Handle, template: readonly Attribute[]): { readonly value: Buffer }[];
  C_WrapKey(session: Handle, mechanism: Mechanism, by: Handle, key: Handle, into: Buffer): Buffer;
  C_UnwrapKey(
    session: Handle,
    mechanism: Mechanism,
    by: Handle,
    wrapped: Buffer,
    template: readonly Attribute[],
  ): Handle;
  C_EncryptInit(session: Handle, mechanism: Mechanism, key: Handle): void;
  C_Encrypt(session: Handle, bytes: Buffer, into: Buffer): Buffer;
  C_DecryptInit(session: Handle, mechanism: Mechanism, key: Handle): void;
  C_Decrypt(session: Handle, bytes: Buffer, into: Buffer): Buffer;
}

/** A logged-in session. */
export interface Pkcs11Session {
  readonly module: Pkcs11Module;
  readonly pkcs11: Pkcs11;
  readonly session: Handle;
}
