import type { ServiceRate } from '../../lib/service.ts';

/** Rate limit of sign-ins, equal to that of other logins; the files of the console have none. */
export const sessionRate: ServiceRate = {
  of: 'workspaces',
  credentials: ['cookie'],
  kindOf(method, { parts }) {
    if (parts[1] !== '~session') return 'free';
    const last = parts.at(-1) ?? '';
    // Questions for a passkey give nothing away; their answers are counted.
    const comesIn = (method === 'POST' && last !== 'options') || ['certificate', 'callback'].includes(last);
    return comesIn ? 'login' : 'request';
  },
  refusal: () => 'Too many requests; try again later',
};
