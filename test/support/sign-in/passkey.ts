import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** Deviations of a hostile or broken authenticator or browser. */
export interface Deviation {
  readonly origin?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly host?: string;
  readonly crossOrigin?: boolean;
  readonly verified?: boolean;
  readonly userHandle?: string;
  readonly credentialId?: string;
  /** Attestation statement: its format, and CBOR. */
  readonly attestation?: readonly [format: string, statement: Buffer];
}

interface Options {
  readonly challenge: string;
  readonly rp?: { readonly id: string };
  readonly rpId?: string;
  readonly user?: { readonly id: string };
}

/** Authenticator in software: it creates passkeys with ES256 keys, and answers questions for them. */
export class Authenticator {
  readonly #origin: string;
  #key: KeyObject | undefined;
  #user = '';
  credentialId = '';
  counter = 0;

  /** @param origin origin of the page that uses it */
  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Another authenticator with the keys of this one. */
  copy(): Authenticator {
    const copied = new Authenticator(this.#origin);
    copied.#key = this.#key;
    copied.#user = this.#user;
    copied.credentialId = this.credentialId;
    copied.counter = this.counter;
    return copied;
  }

  /** Answers `navigator.credentials.create`. */
  create(options: Options, other: Deviation = {}): object {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#key = privateKey;
    this.#user = options.user?.id ?? '';
    this.credentialId = randomBytes(16).toString('base64url');
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const cose = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]);
    const id = Buffer.from(this.credentialId, 'base64url');
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose]);
    const data = Buffer.concat([this.#data(options.rp?.id ?? '', 0x40, other), attested]);
    const [format, statement] = other.attestation ?? ['none', Buffer.from([0xa0])];
    const object = Buffer.concat([
      Buffer.from([0xa3]),
      ...[text('fmt'), text(format), text('attStmt'), statement, text('authData'), bytes(data)],
    ]);
    return {
      id: this.credentialId,
      rawId: this.credentialId,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: this.#client('webauthn.create', options, other),
        attestationObject: object.toString('base64url'),
        transports: ['internal', 'nonsense'],
      },
    };
  }

  /** Answers `navigator.credentials.get`. */
  get(options: Options, other: Deviation = {}): object {
    if (this.#key === undefined) throw new Error('create a passkey first');
    this.counter++;
    const data = this.#data(options.rpId ?? '', 0, other);
    const client = this.#client('webauthn.get', options, other);
    const hash = createHash('sha256').update(Buffer.from(client, 'base64url')).digest();
    const id = other.credentialId ?? this.credentialId;
    return {
      ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
      response: {
        clientDataJSON: client,
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', Buffer.concat([data, hash]), this.#key).toString('base64url'),
        userHandle: other.userHandle ?? this.#user,
      },
    };
  }

  #data(host: string, more: number, { host: named = host, verified = true }: Deviation): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const flags = 0x01 | (verified ? 0x04 : 0) | 0x08 | 0x10 | more;
    return Buffer.concat([createHash('sha256').update(named).digest(), Buffer.from([flags]), counter]);
  }

  #client(type: string, { challenge }: Options, other: Deviation): string {
    const data = { type, challenge, origin: this.#origin, crossOrigin: false };
    const { origin, crossOrigin, type: another, challenge: wrong } = other;
    const said = {
      ...data,
      ...(another !== undefined && { type: another }),
      ...(wrong !== undefined && { challenge: wrong }),
      ...(origin !== undefined && { origin }),
      ...(crossOrigin !== undefined && { crossOrigin }),
    };
    return Buffer.from(JSON.stringify(said)).toString('base64url');
  }
}

const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
const bytes = (value: Buffer) => Buffer.concat([Buffer.from([0x59, value.length >> 8, value.length & 0xff]), value]);
