import { AppError } from '../../../lib/errors.ts';
import { FetchError } from '../../../lib/http/fetch-error.ts';
import type { LongText } from '../../../lib/long-json/long-text.ts';
import { kindOfDer } from '../../../lib/pem/der-kind.ts';
import { bytesKind, LITERAL_BREAKS, textKind } from '../../../lib/pem/text-kind.ts';
import type { GuardedFetch } from '../../../outbound/guarded-fetch.ts';
import { fetchList, NO_VALIDATORS, type Validators } from '../../../revocation/crl/index.ts';
import { ParseError } from '../../../x509/index.ts';
import type { CrlContents, StoredContent } from './crl-contents.ts';
import { type Authorities, type Signature, signatureOf } from './loaded-crl.ts';

/** A CRL that may be put into force: usable, and without an invalid signature. */
export interface AcceptedContent extends StoredContent {
  readonly signature: Signature;
  readonly validators: Validators;
}

/** Accepts CRLs from a request or a server, and refuses unusable ones. A refused CRL is not stored. */
export class CrlIntake {
  readonly #contents: CrlContents;
  readonly #fetch: GuardedFetch;
  readonly #authorities: () => Promise<Authorities>;

  constructor(contents: CrlContents, fetch: GuardedFetch, authorities: () => Promise<Authorities>) {
    this.#contents = contents;
    this.#fetch = fetch;
    this.#authorities = authorities;
  }

  /**
   * @param text PEM, or base64-encoded DER
   * @throws AppError bad-request
   */
  async fromText(text: LongText): Promise<AcceptedContent> {
    const isPem = await text.includes('-----BEGIN');
    const content = await this.#accept(piecesOf(text), (pieces) => (isPem ? pieces : armored(pieces)));
    return { ...content, validators: NO_VALIDATORS };
  }

  /**
   * @param url http or https
   * @throws AppError bad-request
   */
  async fromUrl(url: string): Promise<AcceptedContent> {
    const fetched = await this.newer(url, NO_VALIDATORS);
    if (!fetched) throw refusal(`failed to fetch CRL from ${url}`, 'the server says that it is not modified');
    return fetched;
  }

  /**
   * Fetches a CRL with a conditional request. Returns undefined if the server has no newer one.
   * @throws AppError bad-request
   */
  async newer(url: string, known: Validators, signal?: AbortSignal): Promise<AcceptedContent | undefined> {
    try {
      const fetched = await fetchList(this.#fetch, url, known, signal);
      return fetched && { ...(await this.#accept(fetched.body)), validators: fetched.validators };
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      throw refusal(`failed to fetch CRL from ${url}`, error.message);
    }
  }

  async #accept(
    source: AsyncIterable<Uint8Array>,
    read: (source: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array> = (same) => same,
  ): Promise<Omit<AcceptedContent, 'validators'>> {
    const head = new Head();
    const content = await this.#contents.add(read(head.fromSource(source))).catch((error: unknown) => {
      if (!(error instanceof ParseError)) throw error;
      const kind = head.kind();
      throw refusal(
        'failed to parse CRL',
        kind === undefined ? error.message : `${error.message}; the input is ${kind}`,
      );
    });
    try {
      return { ...content, signature: await this.#check(content) };
    } catch (error) {
      await this.#contents.remove(content.contentId);
      throw error;
    }
  }

  async #check({ list }: StoredContent): Promise<Signature> {
    if (list.info.unusable !== undefined) throw refusal('unusable CRL', list.info.unusable);
    const signature = await signatureOf(list, await this.#authorities());
    if (signature.state === 'invalid') throw refusal('unusable CRL', signature.fault);
    return signature;
  }
}

const refusal = (what: string, why: string): AppError => new AppError('bad-request', `${what}: ${why}`);

/** Bytes from the start of an invalid CRL that are used to recognize its format. */
const HEAD_BYTES = 8_192;

/** Records the first bytes of a stream. */
class Head {
  #bytes = Buffer.alloc(0);

  async *fromSource(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of source) {
      const room = HEAD_BYTES - this.#bytes.length;
      if (room > 0) this.#bytes = Buffer.concat([this.#bytes, piece.subarray(0, room)]);
      yield piece;
    }
  }

  /** Returns the format of the input, or undefined if it may be a CRL. */
  kind(): string | undefined {
    const binary = bytesKind(this.#bytes);
    const text = this.#bytes.toString();
    const isList = text.includes('-----BEGIN X509 CRL-----') || kindOfDer(this.#bytes) === 'crl';
    if (isList) return /-----(\\r)?\\n/.test(text) ? LITERAL_BREAKS : undefined;
    return text.startsWith('0') ? binary : (binary ?? textKind(text, 'crl'));
  }
}

async function* piecesOf({ pieces }: LongText): AsyncGenerator<Buffer> {
  yield* pieces;
}

async function* armored(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Buffer.from('-----BEGIN X509 CRL-----\n');
  yield* pieces;
  yield Buffer.from('\n-----END X509 CRL-----');
}
