import { text } from '../../../../shell/search.ts';
import { isServerUrl, type Provider, type Way } from './providers.ts';

/** Steps of connecting a provider, by number. */
export type Step = 1 | 2 | 3 | 4;

/** Choices of a user who connects a provider. They are in the URL, so that a reload keeps them; secrets are not. */
export interface ConnectSearch {
  readonly step?: string;
  readonly provider?: string;
  readonly http?: string;
  readonly api?: string;
  readonly name?: string;
  readonly way?: string;
  /** Connection that exists already. */
  readonly connection?: string | undefined;
}

export const readSteps = (search: Readonly<Record<string, unknown>>): ConnectSearch => ({
  ...text(search, 'step'),
  ...text(search, 'provider'),
  ...text(search, 'http'),
  ...text(search, 'api'),
  ...text(search, 'name'),
  ...text(search, 'way'),
  ...text(search, 'connection'),
});

/**
 * Returns the choices that count. A link of a stranger can have any: it must not lead a credential of a provider at one
 * place to another server.
 */
export function settled(search: ConnectSearch, provider: Provider | undefined): ConnectSearch {
  const { urls, otherApis } = provider ?? {};
  if (urls === undefined) return search;
  const { api = '' } = search;
  return { ...search, http: urls.http, api: otherApis?.test(api) ? api : urls.api };
}

/** Returns the step to show: the one of the URL, if the choices before it are made. */
export function stepOf({ step, http = '', api = '', connection }: ConnectSearch, provider: Provider | undefined): Step {
  if (connection && step === '4') return 4;
  if (provider === undefined) return 1;
  if (step === '1') return 1;
  return (step === '3' || step === '4') && isServerUrl(http) && isServerUrl(api) ? 3 : 2;
}

/** Returns the chosen way to get a credential, or the first one that the provider has. */
export function wayOf({ way }: ConnectSearch, { ways }: Provider): Way {
  return ways.find((one) => one === way) ?? ways[0] ?? 'token';
}
