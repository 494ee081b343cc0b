import type { Resource } from './document.ts';
import { type Page, pageDocument } from './pagination.ts';

/** A resource that is serialized once for many responses. */
export class WrittenResource {
  readonly id: string;
  readonly text: string;
  #bytes: Buffer | undefined;

  constructor(resource: Resource) {
    this.id = resource.id;
    this.text = JSON.stringify(resource);
  }

  /** Approximate size in memory. */
  get size(): number {
    return 2 * this.text.length;
  }

  get bytes(): Buffer {
    this.#bytes ??= Buffer.from(this.text);
    return this.#bytes;
  }
}

const BEGIN = Buffer.from('{"data":[');
const COMMA = Buffer.from(',');

/** A response that is assembled from serialized resources. */
export class WrittenDocument {
  /**
   * A string for a short response, which Node sends together with the head; bytes for a long one, to avoid encoding it
   * again.
   */
  readonly payload: string | Buffer;
  /** Id of the only resource in it. */
  readonly id: string | undefined;

  private constructor(payload: string | Buffer, id?: string) {
    this.payload = payload;
    this.id = id;
  }

  static one({ text, id }: WrittenResource): WrittenDocument {
    return new WrittenDocument(`{"data":${text}}`, id);
  }

  static page(
    resources: readonly WrittenResource[],
    url: URL,
    page: Page,
    total: number,
    meta: object = {},
  ): WrittenDocument {
    const { data: _data, ...rest } = pageDocument(url, page, total, [], undefined, meta);
    const parts = resources.flatMap(({ bytes }, index) => (index === 0 ? [bytes] : [COMMA, bytes]));
    const end = Buffer.from(`],${JSON.stringify(rest).slice(1)}`);
    return new WrittenDocument(Buffer.concat([BEGIN, ...parts, end]));
  }
}

/** Serializes a response. */
export function write(payload: unknown): string {
  if (!(payload instanceof WrittenDocument)) return JSON.stringify(payload);
  // Fastify sends bytes unchanged, although the types of a serializer only allow strings.
  return payload.payload as string;
}
