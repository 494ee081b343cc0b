import type { Target } from '../../lib/request.ts';

/** What a request is addressed to, as policies and operations compare it: without `/v1/` and a slash at either end. */
export function pathIn({ parts }: Pick<Target, 'parts'>): string {
  return parts.slice(1).join('/').replace(/\/$/, '');
}
