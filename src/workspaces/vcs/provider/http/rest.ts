import type { ProviderHttp, ProviderRequest, ProviderResponse } from '../port.ts';
import { ProviderError } from '../provider-error.ts';
import { urlOf } from './pages.ts';

/** Members of a request to a REST API that may be absent. */
export interface RestOptions {
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  readonly etag?: string | undefined;
}

const NOT_FOUND = 404;

/** Client of the REST API of a connection: paths below one URL, with the headers that authenticate. */
export class Rest {
  readonly #http: ProviderHttp;
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(http: ProviderHttp, base: string, headers: Readonly<Record<string, string>>) {
    this.#http = http;
    this.#base = base;
    this.#headers = headers;
  }

  /**
   * Sends a request. Returns undefined if the provider has no such resource.
   * @param path with its parts encoded, such as `/projects/1`
   */
  async find(
    method: ProviderRequest['method'],
    path: string,
    options: RestOptions = {},
  ): Promise<ProviderResponse | undefined> {
    const { query, body, etag } = options;
    const url = urlOf(this.#base, path, query);
    const response = await this.#http.send({ method, url, headers: this.#headers, body, etag });
    return response.status === NOT_FOUND ? undefined : response;
  }

  /**
   * Sends a request.
   * @throws ProviderError `rejected` if the provider has no such resource
   */
  async send(method: ProviderRequest['method'], path: string, options: RestOptions = {}): Promise<ProviderResponse> {
    const response = await this.find(method, path, options);
    if (response) return response;
    throw new ProviderError(
      'rejected',
      `${URL.parse(this.#base)?.host} has no such resource. It was deleted, or the credential has no access to it`,
    );
  }
}
