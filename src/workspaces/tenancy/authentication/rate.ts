import type { ServiceRate } from '../../../lib/service.ts';

const refusal = () => "You have exceeded the API's rate limit.";

/** How requests with a token count, where it is limited how often one may ask. */
export const TOKEN_RATE: ServiceRate = {
  of: 'workspaces',
  credentials: ['authorization', 'cookie'],
  kindOf: () => 'request',
  refusal,
};

/** The same where what is sent is how somebody comes in. */
export const LOGIN_RATE: ServiceRate = {
  of: 'workspaces',
  credentials: ['cookie'],
  kindOf: (method) => (method === 'POST' ? 'login' : 'request'),
  refusal,
};
