import type { ServiceRate } from '../../lib/service.ts';
import { pathIn } from './target.ts';

/** Whether there is a server, which monitors ask. */
const FREE = new Set(['sys/health', 'sys/seal-status', 'sys/leader', 'sys/init']);
/** `auth/<mount>/login`, or with the name of a role behind it. A role that is called so counts too: a mount may be called `certs`. */
const LOGIN = /^auth\/(?:.+\/)?login(?:\/[^/]+)?$/;
const WRITES = new Set(['POST', 'PUT']);

/** How requests count where it is limited how often one may ask. The text is the one that clients of the field know. */
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
