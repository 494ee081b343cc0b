import type { Target } from '../../lib/request.ts';

/** Returns the path of a request as policies and operations use it: without `/v1/` and slashes at the ends. */
export function pathIn({ parts }: Pick<Target, 'parts'>): string {
  return parts.slice(1).join('/').replace(/\/$/, '');
}
