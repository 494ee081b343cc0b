import { AppError } from '../../../lib/errors.ts';
import type { LongText } from '../../../lib/long-json/long-text.ts';
import { FetchError } from '../../../outbound/fetch-error.ts';
import type { GuardedFetch } from '../../../outbound/guarded-fetch.ts';
import { fetchList, NO_VALIDATORS, type Validators } from '../../../revocation/crl/index.ts';
import { ParseError } from '../../../x509/index.ts';
import type { CrlContents, StoredContent } from './crl-contents.ts';
import { type Authorities, type Signature, signatureOf } from './loaded-crl.ts';

/** A list that may be put into force: it is usable, and not badly signed. */
export interface AcceptedContent extends StoredContent {
  readonly signature: Signature;
  readonly validators: Validators;
}

/**
 * Takes lists in, from a text or from a server, and refuses those that cannot be relied upon. What is refused is not stored.
 */
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
   * @param text PEM, or DER in base64
   * @throws AppError bad-request
   */
  async fromText(text: LongText): Promise<AcceptedContent> {
    const content = await this.#accept((await text.includes('-----BEGIN')) ? piecesOf(text) : armored(text));
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
   * Undefined when the server has no list but the one that the validators name.
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

  async #accept(source: AsyncIterable<Uint8Array>): Promise<Omit<AcceptedContent, 'validators'>> {
    const content = await this.#contents.add(source).catch((error: unknown) => {
      if (error instanceof ParseError) throw refusal('failed to parse CRL', error.message);
      throw error;
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

async function* piecesOf({ pieces }: LongText): AsyncGenerator<Buffer> {
  yield* pieces;
}

async function* armored({ pieces }: LongText): AsyncGenerator<Buffer> {
  yield Buffer.from('-----BEGIN X509 CRL-----\n');
  yield* pieces;
  yield Buffer.from('\n-----END X509 CRL-----');
}
