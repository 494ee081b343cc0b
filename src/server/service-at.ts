import type { Service } from '../lib/service.ts';

/** The service under whose prefix a URL lies. */
export function serviceAt(services: readonly Service[], url: string): Service | undefined {
  return services.find(({ prefix }) => url.startsWith(prefix) && ['', '/', '?'].includes(url.charAt(prefix.length)));
}
