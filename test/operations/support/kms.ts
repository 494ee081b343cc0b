import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

const REGION = 'eu-central-1';
export const CREDENTIALS = { accessKeyId: 'AKIATESTTESTTEST', secretAccessKey: 'NobodyMayReadThisSecret' };

type Answer = { readonly status: number; readonly body: object | string };
const failed = (status: number, name: string): Answer => ({ status, body: { __type: name, message: `of ${name}` } });

/** AES-256 keys that never leave the server, by id. */
export class KmsKeys {
  readonly #keys = new Map<string, Buffer>();

  make(): string {
    const id = `arn:aws:kms:${REGION}:123456789012:key/${randomUUID()}`;
    this.#keys.set(id, randomBytes(32));
    return id;
  }

  /** Wire format of AWS KMS (API reference: Encrypt, Decrypt). */
  execute(target: string, asked: Record<string, unknown>): Answer {
    const id = String(asked.KeyId ?? '');
    const key = this.#keys.get(id);
    if (key === undefined) return failed(400, 'NotFoundException');
    const context = JSON.stringify(Object.entries(Object(asked.EncryptionContext)).sort());
    if (target === 'TrentService.Encrypt') {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const sealed = [
        cipher.update(Buffer.from(String(asked.Plaintext), 'base64')),
        cipher.final(),
        cipher.getAuthTag(),
      ];
      const CiphertextBlob = Buffer.concat([nonce, ...sealed]).toString('base64');
      return { status: 200, body: { KeyId: id, CiphertextBlob, EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' } };
    }
    if (target !== 'TrentService.Decrypt') return failed(400, 'UnknownOperationException');
    const blob = Buffer.from(String(asked.CiphertextBlob), 'base64');
    try {
      const cipher = createDecipheriv('aes-256-gcm', key, blob.subarray(0, 12)).setAAD(Buffer.from(context));
      cipher.setAuthTag(blob.subarray(-16));
      const Plaintext = Buffer.concat([cipher.update(blob.subarray(12, -16)), cipher.final()]).toString('base64');
      return { status: 200, body: { KeyId: id, Plaintext, EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' } };
    } catch {
      return failed(400, 'InvalidCiphertextException');
    }
  }
}

/** A KMS server that serves AWS clients, verifies their signatures and holds real keys. It misbehaves on request. */
export class Kms {
  /** Answer to send instead of doing the work. */
  mood: 'well' | 'hangs' | 'refuses' | 'garbage' | 'another-key' | 'endless' | 'breaks' = 'well';
  readonly asked: string[] = [];
  readonly #keys: KmsKeys;
  #server: Server | undefined;
  #port = 0;

  private constructor(keys: KmsKeys) {
    this.#keys = keys;
  }

  static async start(keys: KmsKeys): Promise<Kms> {
    const kms = new Kms(keys);
    await kms.resume();
    return kms;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** At the same address as before. */
  async resume(): Promise<void> {
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    this.#server?.close();
    if (this.#server?.listening) await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await buffer(request);
    const target = String(request.headers['x-amz-target']);
    this.asked.push(target);
    if (this.mood === 'hangs') return;
    if (this.mood === 'endless') {
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' });
      return;
    }
    const { status, body } = this.#judged(request, target, bytes);
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }

  #judged(request: IncomingMessage, target: string, bytes: Buffer): Answer {
    if (!isSigned(request, bytes)) return failed(400, 'InvalidSignatureException');
    if (this.mood === 'refuses') return failed(400, 'AccessDeniedException');
    if (this.mood === 'breaks') return failed(500, 'KMSInternalException');
    if (this.mood === 'garbage') return { status: 200, body: `<html>${bytes}` };
    if (this.mood === 'another-key') return { status: 200, body: { Plaintext: randomBytes(32).toString('base64') } };
    return this.#keys.execute(target, JSON.parse(bytes.toString()));
  }
}

const AUTHORIZATION = new RegExp(
  `^AWS4-HMAC-SHA256 Credential=${CREDENTIALS.accessKeyId}/((\\d{8})/${REGION}/kms/aws4_request), ` +
    'SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$',
);

/** AWS signature version 4, computed again from the received request. */
function isSigned({ method, url, headers }: IncomingMessage, body: Buffer): boolean {
  const [, scope = '', day = '', names = '', signature] = AUTHORIZATION.exec(headers.authorization ?? '') ?? [];
  const lines = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = [method, url, '', lines.join(''), names, sha256(body)].join('\n');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const secret = Buffer.from(`AWS4${CREDENTIALS.secretAccessKey}`);
  const key = [day, REGION, 'kms', 'aws4_request'].reduce<Buffer>(hmac, secret);
  return hmac(key, text).toString('hex') === signature;
}

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest('hex');
const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest();
