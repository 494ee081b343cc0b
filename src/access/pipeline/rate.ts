import type { ServiceRate } from '../../lib/service.ts';
import { pathIn } from './target.ts';

/** Paths that monitors poll. They are not counted. */
const FREE = new Set(['sys/health', 'sys/seal-status', 'sys/leader', 'sys/init']);
/**
 * `auth/<mount>/login`, optionally with a role name. A role named `login` counts too, because a mount may be named
 * `certs`.
 */
const LOGIN = /^auth\/(?:.+\/)?login(?:\/[^/]+)?$/;
const WRITES = new Set(['POST', 'PUT']);

/** Rate limit classes of requests. The message is the one that official clients know. */
export const accessRate: ServiceRate = {
  of: 'access',
  credentials: ['x-service-token', 'x-vault-token', 'authorization', 'cookie'],
  kindOf(method, target) {
    const path = pathIn(target);
    if (FREE.has(path)) return 'free';
    return WRITES.has(method) && LOGIN.test(path) ? 'login' : 'request';
  },
  refusal: (target) => `request path "${pathIn(target).slice(0, 200)}": rate limit quota exceeded`,
};
