import type { Clock } from '../../../../lib/clock.ts';
import { lruCache } from '../../../../lib/lru-cache.ts';
import type { ConnectionServers, FetchFor } from '../../hooks/forwarding.ts';
import type { ProviderHttp } from '../port.ts';
import { ProviderError } from '../provider-error.ts';
import { ConnectionHttp } from './provider-http.ts';
import { RequestBudget } from './request-budget.ts';

/** @limit connections whose rate limits one process remembers, connections -> it forgets the one that was used least recently */
const MAX_BUDGETS = 10_000;

/** Rules of a provider for its HTTP clients. */
export interface HttpRules {
  /** Pause between two requests that write, which then wait for each other, ms. 0: no such rule. */
  readonly writePauseMs: number;
  /** Further origins besides those of the connection's URLs, such as that of a sign-in. */
  readonly origins?: readonly string[];
}

export interface ProviderClientsOptions {
  /** Returns the client for URLs of tenants. */
  readonly fetchFor: FetchFor;
  readonly clock: Clock;
  /** PEM of CAs that are trusted for providers, besides those of the system. */
  readonly authorities?: readonly string[];
}

type Urls = Pick<ConnectionServers, 'apiUrl' | 'httpUrl'>;

/** Creates the HTTP clients of connections. All clients of a connection share the budget of its rate limits. */
export class ProviderClients {
  readonly #options: ProviderClientsOptions;
  readonly #budgets = lruCache<string, RequestBudget>(MAX_BUDGETS);

  constructor(options: ProviderClientsOptions) {
    this.#options = options;
  }

  /**
   * Returns the client of a connection.
   * @param id of the connection, or of anything else that has rate limits of its own
   * @throws ProviderError `invalid` if a URL of the connection cannot be used
   */
  clientOf(
    { id, agentPoolId = null, ...urls }: { readonly id: string } & Urls & Partial<ConnectionServers>,
    { writePauseMs, origins = [] }: HttpRules,
  ): ProviderHttp {
    const { fetchFor, clock, authorities = [] } = this.#options;
    const budget = this.#budgets.get(id) ?? new RequestBudget(clock, writePauseMs);
    this.#budgets.set(id, budget);
    const allowed = new Set([urls.apiUrl, urls.httpUrl, ...origins].map(originOf));
    return new ConnectionHttp({
      fetch: fetchFor({ ...urls, agentPoolId }, origins),
      clock,
      authorities,
      budget,
      origins: allowed,
    });
  }
}

function originOf(text: string): string {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return url.origin;
  throw new ProviderError('invalid', 'A URL of the connection is not an http or https URL');
}
